#pragma once

#include <array>

#include "trammel/constraints/aligned.h"
#include "trammel/constraints/coincident.h"

namespace trammel {

/// Closes a loop by a hinge: the origins and the z axes of frame F of body A and frame M of body B meet. Five rows at
/// position level, those of Coincident along F's axes and those of Aligned for z_F and z_M (rates, wrenches and b stand
/// there):
///
///   φ₁…₃ = x_F · d, y_F · d, z_F · d                            m, d from F's origin to M's
///   φ₄ = x_F · z_M,   φ₅ = y_F · z_M                            rad, to first order
///
/// λ₁…₃ > 0 push M along F's axes, λ₄, λ₅ > 0 turn M about y_F and −x_F. In a planar mechanism three of the five rows of a
/// loop repeat what its joints already hold: redundant, and harmless. If the axes were rounded (rpy="1.5708 0 0") they
/// only nearly repeat it and may lock the loop: use Coincident along x and y then. The rows hold as well where z_M
/// points against z_F.
class HingeClosure final : public TemplatedRows<HingeClosure> {
 public:
  HingeClosure(const Frame& F, const Frame& M, double length = 1);  // m/rad: row_scale of the orientation

  int rows() const override { return 5; }
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
    for (int k = 0; k < 2; ++k) out[3 + k] = axes_[k].value(now.where);
  }

 private:
  Coincident origins_;
  std::array<DirectionProduct, 2> axes_;
  double length_;
  BodyList touched_;  // the bodies of origins_ in the same slots
};

extern template class PositionConstraint<HingeClosure>;  // compiled once, with this kind
extern template class TemplatedRows<HingeClosure>;

}  // namespace trammel
