#pragma once

#include <span>
#include <string_view>

namespace trammel {

/// Runge-Kutta methods for ż = f(t, z), as numbers:
///
///   k_i = f(t + c_i h, z + h Σ_{j<i} a_ij k_j)        z⁺ = z + h Σ b_i k_i        error ≈ h Σ e_i k_i,  e = b − b̂
///
/// and inside the step, at t + θh, by the cubic of Hermite and polynomials that vanish with their rates at both ends:
///
///   z(θ) = z + θ(Δ + (1−θ)(r₃ + θ(r₄ + (1−θ)(r₅ + θ(r₆ + (1−θ)(r₇ + θ r₈))))))
///   Δ = z⁺ − z,  r₃ = h k_first − Δ,  r₄ = Δ − h k_end − r₃,  r_{5+m} = h Σ d_mi k_i,  k_end = f(t + h, z⁺)
///
/// A partitioned method takes v by a second, implicit matrix â with one γ on its diagonal, but for the first stage, which is explicit,
///
///   v_i = w_i + hγ v̇_i,  w_i = v + h Σ_{j<i} â_ij v̇_j,      q_i by a_ij as above
///
/// since v̇ may be stiff in v, as the friction of light joints makes it (Derivative::settle). What is made of the slopes is the same for all.
///
/// d runs over the stages, then k_end unless the last stage is it, then stages that are there for this purpose only.
///
/// Numbers: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.1, II.4-II.6 and II.10;
/// the pair of order 5 is Dormand and Prince's (J. Comp. Appl. Math. 6, 1980), that of order 8, Hairer's DOP853, began as
/// Prince and Dormand's (7, 1981); the partitioned one is ARK5(4)8L[2]SA of Kennedy and Carpenter (Appl. Num. Math. 136, 2019). The tests check
/// every one of them by the order conditions of rooted trees.
struct Tableau {
  std::string_view name;  // in scenarios too: integrator: rk4
  int order = 0;
  std::span<const double> c{}, b{};  // one per stage
  std::span<const double> a{};       // row after row: row i has i entries

  std::span<const double> implicit_a{};  // â, likewise; empty where all is explicit
  double implicit_diagonal = 0;          // γ

  std::span<const double> error{};        // e; empty without an estimate
  std::span<const double> rough_error{};  // a second e of lower order, which guards against the first one's zeros
  bool first_same_as_last = false;        // the last stage is k_end: the first of the next step for free

  std::span<const double> dense_c{},
      dense_a{};                      // the stages for dense output, rows counting k_end among the earlier ones
  std::span<const double> dense_d{};  // d, row after row; empty: the cubic alone
  int dense_order = 0;                // of z(θ)

  /// q moves with the new velocity: v⁺ = v + h v̇(q, v), q⁺ = q ⊕ h v⁺.
  bool semi_implicit = false;

  int stages() const { return static_cast<int>(b.size()); }
  int end_slope() const { return first_same_as_last ? stages() - 1 : stages(); }  // the column of k_end
  int slopes() const { return end_slope() + 1 + static_cast<int>(dense_c.size()); }
  bool adaptive() const { return !error.empty(); }
  bool implicit() const { return !implicit_a.empty(); }

  std::span<const double> a_row(int i) const { return a.subspan(i * (i - 1) / 2, i); }
  std::span<const double> implicit_a_row(int i) const { return implicit_a.subspan(i * (i - 1) / 2, i); }
  /// Row i of dense_a: end_slope() + 1 + i entries.
  std::span<const double> dense_a_row(int i) const {
    return dense_a.subspan(i * (end_slope() + 1) + i * (i - 1) / 2, end_slope() + 1 + i);
  }
  std::span<const double> dense_d_row(int m) const { return dense_d.subspan(m * slopes(), slopes()); }
  int dense_rows() const { return static_cast<int>(dense_d.size()) / slopes(); }
};

/// All of them, in ascending order: the table that scenarios, messages and tests go by. To add one, put its tableau into
/// runge_kutta.cpp and into the list there.
std::span<const Tableau* const> all_methods();

/// The method of that name. An Error names the nearest one.
const Tableau& method_named(std::string_view name);

// Those that C++ code takes without looking them up.
extern const Tableau euler;          // order 1
extern const Tableau semi_implicit;  // order 1, Euler's; symplectic where M is constant and forces depend on q alone
extern const Tableau heun;           // order 2, the trapezoidal rule
extern const Tableau rk4;            // order 4, the classical one
extern const Tableau dopri5;         // order 5 with an estimate of order 4; dense output of order 4
extern const Tableau ark5;           // order 5 with an estimate of order 4, implicit in v; dense output of order 4
extern const Tableau dop8;           // order 8 with estimates of orders 5 and 3; dense output of order 7

}  // namespace trammel
