#pragma once

#include <array>

#include "trammel/constraints/paths.h"

namespace trammel {

/// R_z(φ) R_y(θ) R_z(ψ), the ZYZ Euler angles (rad) of a rotation that is given by three functions of time.
RotationPath zyz_path(ScalarPath phi, ScalarPath theta, ScalarPath psi);

/// Leads frame M of a body through orientations R_WT(t). Three rows at position level, products of M's axes with those
/// of the moving target T, as in Weld:
///
///   φ₁ = z_T · y_M,   φ₂ = x_T · z_M,   φ₃ = y_T · x_M              rad, to first order
///   φ̇₁ = ω · (y_M × z_T) + ż_T · y_M                               ω of the body
///   φ̈₁ = z_T · ÿ_M + 2 ż_T · ẏ_M + z̈_T · y_M                       ÿ_M = ω̇ × y_M + ω × (ω × y_M)
///
/// so the rows are the moments y_M × z_T, z_M × x_T, x_M × y_T on the body: about x, y, z of T where the frames agree,
/// with λ > 0 turning the body that way. b is −φ̈ at v̇ = 0.
///
/// Euler angles need no case of their own. Where θ = 0 the angles φ and ψ of a rotation are not defined apart, only
/// their sum, and an equation for each would fail; but the rows compare rotations, and R_z(φ) R_y(0) R_z(ψ) is a good
/// rotation. On an arm whose tool can only turn about z, target (0, 0, ψ(t)) makes the third row q₁ + q₂ + q₃ = ψ(t),
/// to first order, and the other two empty.
///
/// The rows are regular where they hold rightly. The seven false orientations of Weld satisfy them too:
/// misalignment() tells them.
class OrientationOnPath final : public TemplatedRows<OrientationOnPath> {
 public:
  OrientationOnPath(const Frame& M, RotationPath R_WT, double length = 1);  // m/rad: row_scale

  int rows() const override { return 3; }
  std::span<const int> bodies() const override { return {&M_.body, 1}; }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return "rad"; }
  BodyPoint point_of_force(const Positions<>&) const override { return M_; }
  Vec3<> misalignment(const Placement<double>& now) const override;

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    const Mat3<Scalar> T = at(path_, now.t);
    for (int i = 0; i < 3; ++i) out[i] = T.col((i + 2) % 3).dot(axis((i + 1) % 3).direction(now.where));
  }

 private:
  BodyDirection axis(int i) const { return {M_.body, R_BM_.col(i)}; }

  BodyPoint M_;
  Mat3<> R_BM_;
  RotationPath path_;
  double length_;
};

extern template class PositionConstraint<OrientationOnPath>;  // compiled once, with this kind
extern template class TemplatedRows<OrientationOnPath>;

}  // namespace trammel
