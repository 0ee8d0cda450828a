#pragma once

#include <functional>

#include "trammel/constraints/quantity.h"

namespace trammel {

/// An equation among joint coordinates, coordinates of points, their speeds and time, given as a C++ function on jets.
/// A bead on a parabola:
///
///   JetEquation({Quantity::point(P, x), Quantity::point(P, z)}, [](auto p, auto) { return p[1] - p[0] * p[0]; })
///
/// One row; at velocity level if a speed is among the quantities xᵢ, else at position level. With φᵢ = ∂φ/∂xᵢ,
///
///   φ(x, t) = 0:   φ̇ = Σ φᵢ ẋᵢ + φ_t,   φ̈ = Σ φᵢ ẍᵢ + d/dt(φᵢ) ẋᵢ + d/dt(φ_t)
///   ψ(x, t) = 0:   ψ̇ = Σ ψᵢ ẋᵢ + ψ_t
///
/// so the row is the sum of φᵢ times the rows of the quantities (quantity.h), all of them at position level and the
/// speeds at velocity level; b is −φ̈ or −ψ̇ at v̇ = 0. Exact, without differences: one call on the quantities' jets
/// gives φ, φ̇ and b, and one more for each gives φᵢ. λ > 0 drives φ up; φ has the function's own unit.
///
/// Where all φᵢ vanish (x² + y² = 0; Appell-Hamel's ẋ² + ẏ² = a²ż² at rest) the row is empty and holds nothing: write
/// the equation so that it has a slope. Where the function has no derivative the row is not-a-number. It may be
/// nonlinear in the speeds: A then depends on v.
class JetEquation final : public Constraint {
 public:
  using Law = std::function<Jet(std::span<const Jet> x, const Jet& t)>;
  static constexpr int most = 32;  // quantities

  /// Length in metres per unit of φ (row_scale). Throws Error unless there are one to 32 quantities.
  JetEquation(std::vector<Quantity> x, Law law, double length = 1);

  int rows() const override { return 1; }
  Level level(int) const override { return x_.level(); }
  std::span<const int> bodies() const override { return x_.bodies(); }
  std::span<const int> velocities() const override { return x_.velocities(); }
  double row_scale(int) const override { return length_; }
  BodyPoint point_of_force(const Positions<>&) const override { return x_.point_of_force(); }
  void evaluate(const Movement<double>& now, Rows& out) const override;

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;

 private:
  template <class Moment>
  Jet law(const Moment& now) const;

  Quantities x_;
  Law law_;
  double length_;
};

}  // namespace trammel
