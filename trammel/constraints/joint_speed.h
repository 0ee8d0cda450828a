#pragma once

#include "trammel/constraints/paths.h"

namespace trammel {

/// Prescribes the speed of a joint: a flywheel at constant speed, a wheel that is driven. One row at velocity level,
///
///   ψ = vᵢ − s(t)          rad/s or m/s
///   ψ̇ = v̇ᵢ − ṡ
///
/// so the row is the coefficient 1 on vᵢ, and b = ṡ. λ is the driving torque or force. The row holds the speed and
/// forgets the angle: to hold both, use a JointCoupling with ∫s. Components of angular velocities (spherical and
/// floating joints) are allowed.
class JointSpeed final : public TemplatedRows<JointSpeed, VelocityConstraint<JointSpeed>> {
 public:
  /// Length in metres per unit of the coordinate (row_scale). Throws Error unless the model has velocity i.
  JointSpeed(const Model& model, int i, ScalarPath s, double length = 1);
  JointSpeed(const Model& model, int i, double s, double length = 1);

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return {}; }
  std::span<const int> velocities() const override { return {&i_, 1}; }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return unit_; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    out[0] = now.v[i_] - at(s_, now.t);
  }

 private:
  int i_;
  ScalarPath s_;
  double length_;
  std::string_view unit_;
};

extern template class VelocityConstraint<JointSpeed>;  // compiled once, with this kind
extern template class TemplatedRows<JointSpeed, VelocityConstraint<JointSpeed>>;

}  // namespace trammel
