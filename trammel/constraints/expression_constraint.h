#pragma once

#include "trammel/constraints/body_point.h"
#include "trammel/expression/expression.h"

namespace trammel {

/// The names of a model that an expression may use: its joints and frames.
Vocabulary vocabulary_of(const Model& model);

/// What a person wrote must hold: φ(q, t) = 0 over joint coordinates, coordinates of frames and time; or, if a speed or the
/// velocity of a frame stands in it, ψ(q, v, t) = 0 at velocity level, which may be nonlinear in v. One row.
///
/// Every leaf ℓ carries (value, rate, acceleration at v̇ = 0) from the kinematics, so that one pass on jets gives φ, φ̇ and
/// −b = φ̈ at v̇ = 0, exactly; a reverse sweep gives g = ∂φ/∂ℓ, and the row is Σ g times what a unit of the leaf's rate is:
///
///   joint coordinate or speed    g on that velocity
///   coordinate of a frame        the force g along that axis at the frame's origin
///
/// At velocity level −b = ψ̇ at v̇ = 0, and only leaves that are velocities take part in the row. Where the row vanishes (a
/// product of two lengths that are both zero) the constraint says nothing about the acceleration: that is a rank loss.
class ExpressionConstraint final : public Constraint {
 public:
  /// `start` holds the values of the expression's start(…) leaves, in their order, and of a bare `start` behind them.
  /// Throws Error where the expression has no second derivative, or names a coordinate of a quaternion.
  ExpressionConstraint(const Model& model, Expression law, const std::vector<double>& start = {});

  int rows() const override { return 1; }
  Level level(int) const override { return law_.has_speeds() ? Level::velocity : Level::position; }
  std::span<const int> bodies() const override { return bodies_; }
  std::span<const int> velocities() const override { return velocities_; }
  double row_scale(int) const override { return 1; }
  void evaluate(const Movement<double>& now, Rows& out) const override;

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;

 private:
  // Where a leaf's value comes from, and where its part of the row goes.
  struct Source {
    LeafKind kind = LeafKind::time;
    int q = -1, v = -1;  // of a joint's coordinate
    BodyPoint point;     // of a frame
    int axis = 0;
    double constant = 0;  // of a start value
    int slot = 0;         // in velocities() or in bodies()
  };

  Source resolve(const Model& model, const Leaf& leaf, const std::vector<double>& start);
  template <class Scalar>
  Scalar position_leaf(const Source& source, const Placement<Scalar>& now) const;
  template <class Scalar>
  Scalar leaf(const Source& source, const Movement<Scalar>& now) const;
  Jet moving_leaf(const Source& source, const Movement<double>& now) const;

  Expression law_;
  std::vector<Source> sources_;
  std::vector<int> bodies_, velocities_;
};

}  // namespace trammel
