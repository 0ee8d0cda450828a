#pragma once

#include <array>

#include "trammel/constraints/coincident.h"
#include "trammel/constraints/direction_product.h"

namespace trammel {

/// The products z_F · y_M, x_F · z_M, y_F · x_M of the axes of two frames: to first order the rotation of M against F, about x, y, z.
std::array<DirectionProduct, 3> products_of_axes(const Frame& F, const Frame& M);
/// The rotation vector from F to M, rad, along the world's axes: where all three are zero it is zero, or a half or a third of a turn at the
/// seven other orientations.
Vec3<> turn_between(const std::array<DirectionProduct, 3>& products, const Positions<>& where);

/// Keeps frame M of body B on frame F of body A, place and orientation: a grip, a loop that was cut through a link. Six
/// rows at position level: the three of Coincident, along F's axes, and three products of axes (direction_product.h),
///
///   φ₁…₃ = x_F · d, y_F · d, z_F · d                            m, d from F's origin to M's
///   φ₄ = z_F · y_M,   φ₅ = x_F · z_M,   φ₆ = y_F · x_M          rad, to first order
///
/// which for a small rotation θ of M against F are θ's components along x, y, z of F: φ̇₄ = (ω_B − ω_A) · (y_M × z_F),
/// and y × z = x. The last rows are the moments y_M × z_F, z_M × x_F, x_M × y_F on B and the opposite ones on A. λ > 0
/// pushes M along, and turns it about, the axes of F.
///
/// The rows are regular where the frames coincide. They hold as well at seven false orientations, where M is turned by
/// half a turn about an axis of F, or by a third of a turn about one of its four diagonals: misalignment() tells them.
class Weld final : public TemplatedRows<Weld> {
 public:
  Weld(const Frame& F, const Frame& M, double length = 1);  // m/rad: row_scale of the orientation

  int rows() const override { return 6; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int row) const override { return row < 3 ? 1 : length_; }
  std::string_view unit(int row) const override { return row < 3 ? "m" : "rad"; }
  BodyPoint point_of_force(const Positions<>& where) const override { return origins_.point_of_force(where); }
  bool is_catastatic() const override { return true; }
  Vec3<> misalignment(const Placement<double>& now) const override { return turn_between(axes_, now.where); }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    origins_.law<Scalar>(now, out.head(3));
    for (int i = 0; i < 3; ++i) out[3 + i] = axes_[i].value(now.where);
  }

 private:
  Coincident origins_;
  std::array<DirectionProduct, 3> axes_;
  double length_;
  BodyList touched_;  // the bodies of origins_ in the same slots
};

extern template class PositionConstraint<Weld>;  // compiled once, with this kind
extern template class TemplatedRows<Weld>;

}  // namespace trammel
