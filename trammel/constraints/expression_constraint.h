#pragma once

#include "trammel/constraints/bound_expression.h"

namespace trammel {

/// What a person wrote must hold: φ(q, t) = 0 over joint coordinates, coordinates of frames and time; or, if a speed or the
/// velocity of a frame stands in it, ψ(q, v, t) = 0 at velocity level, which may be nonlinear in v. One row. Inputs in it
/// have no rates: they stand still until they are set.
///
/// Every leaf ℓ carries (value, rate, acceleration at v̇ = 0) from the kinematics, so that one pass on jets gives φ, φ̇ and
/// −b = φ̈ at v̇ = 0, exactly; a reverse sweep gives g = ∂φ/∂ℓ, and the row is Σ g times what a unit of the leaf's rate is
/// (quantity.h). At velocity level −b = ψ̇ at v̇ = 0, and only leaves that are velocities take part in the row. Where the
/// row vanishes (a product of two lengths that are both zero) the constraint says nothing about the acceleration: that is
/// a rank loss.
class ExpressionConstraint final : public TemplatedRows<ExpressionConstraint, Constraint> {
 public:
  enum class Value : std::uint8_t { any, length };  // what φ is: a number, or a length in m

  /// `start` and `inputs` as BoundExpression takes them. Throws Error where the expression has no second derivative, names
  /// a coordinate of a quaternion, or an input that was not declared.
  ExpressionConstraint(const Model& model, Expression law, const std::vector<double>& start = {},
                       std::span<const std::string> inputs = {}, Value value = Value::any);

  int rows() const override { return 1; }
  Level level(int) const override { return law_.quantities().level(); }
  std::span<const int> bodies() const override { return law_.quantities().bodies(); }
  std::span<const int> velocities() const override { return law_.quantities().velocities(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return value_ == Value::length ? "m" : ""; }
  BodyPoint point_of_force(const Positions<>&) const override { return law_.quantities().point_of_force(); }
  bool is_catastatic() const override { return level(0) == Level::position && !law_.has_time(); }
  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    write(Level::position, now, out);
  }
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override { write(Level::position, now, out); }
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    write(Level::velocity, now, out);
  }
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override { write(Level::velocity, now, out); }

 private:
  template <class Moment, class Out>
  void write(Level at, const Moment& now, Out& out) const {
    if (level(0) == at) out[0] = law_.value(now);
  }

  BoundExpression law_;
  Value value_;
};

extern template class TemplatedRows<ExpressionConstraint, Constraint>;  // compiled once, with this kind

}  // namespace trammel
