#pragma once

#include <cstdint>

#include "trammel/motion/data.h"
#include "trammel/motion/layered_qr.h"

namespace trammel {

/// Steps of the least change towards the constraints of a system, by the rows and factors of a run (tree_motion.h):
///
///   M + D = L Lᵀ,   Y = L⁻¹Aᵀ
///   s = L⁻ᵀ y,   the least y with Yᵀy = −φ, least squares where rows contradict each other        Newton
///   s = −L⁻ᵀ Y (YᵀY + μ)⁻¹ φ                                                                      damped
///
/// D is zero: the metric of M. Where the rows are far from holding, its steps turn what is light without bound: a free body that has to fly
/// far spins instead, and of a long chain the last links turn. With the metric of far steps D is m δ² along velocities that turn, with the
/// mass m of the robot and the opening δ = |φ|, so that to turn by a radian counts as much as to move the whole robot by the opening.
/// Along velocities that are held D has no end (1e200): L⁻¹ lets nothing through.
///
/// All rows count alike, whatever their layer; each times its scale and that of its constraint where they contradict each other.
class LeastMove {
 public:
  LeastMove(const System& system, double rank_tolerance);

  enum class Metric : std::uint8_t { mass, far };
  /// Everything at a place, for rows that speak of places. False where M + D is singular.
  [[nodiscard]] bool factorize_places(const VecX<>& q, double t, const std::vector<char>& held, Metric metric);
  /// The same for all rows at a velocity, in the metric of M.
  [[nodiscard]] bool factorize_speeds(const VecX<>& q, const VecX<>& v, double t, const std::vector<char>& held);

  /// Newton's step against φ, or φ̇ and ψ, of the last factorisation.
  void newton(VecX<>& step);
  /// The damped step against φ. μ is in the unit of largest2().
  void damped(double mu, VecX<>& step);
  /// The square of the largest column of Y.
  double largest2() const;

  int rank() const { return data_.qr->rank(); }
  /// φ̇ or ψ of all rows, each times its scales, as last factorised, and what lengths are compared with there, m.
  VecX<> scaled_rates() const;
  /// The same as they are, in the units of the rows.
  const VecX<>& rates() const;
  double size() const;
  /// What makes each row a length (RowSet::weight), in the order of the system's constraints.
  VecX<> weights() const;

 private:
  // A group of columns that share no row with others: YᵀY of it, for the damped steps.
  struct Group {
    std::vector<int> columns;
    MatX<> Y, gram;
  };

  bool factorize(const std::vector<char>& held, double opening);
  void lend(const std::vector<char>& held, double opening);
  void leave_out_speeds();
  void form_groups();

  std::vector<char> turns_;  // of each velocity
  double mass_;
  Data data_;
  Model lent_;    // the model with D
  VecX<> added_;  // D
  VecX<> scale_;  // of each row, besides its weight
  VecX<> change_, y_;
  std::vector<Group> groups_;
  bool grouped_ = false;
};

}  // namespace trammel
