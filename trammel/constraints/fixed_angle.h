#pragma once

#include "trammel/constraints/direction_product.h"

namespace trammel {

/// Keeps a fixed angle between a direction f of body A and a direction m of body B: the right angle between the two
/// axes of a universal joint, a link that leans by so much against the vertical. One row at position level,
/// direction_product.h:
///
///   φ = f · m − cos angle          the angle's deviation times −sin angle, rad
///
/// The row is the moment m × f on B and −(m × f) on A; λ > 0 turns the directions towards each other. It vanishes at 0
/// and at a half turn: use Aligned there. The row knows only the cosine, so an angle and its opposite are the same.
class FixedAngle final : public TemplatedRows<FixedAngle> {
 public:
  /// Angle in rad, length in m/rad (row_scale). Throws Error unless the angle is between 0 and π, by 1e-3 at least.
  FixedAngle(const BodyDirection& f, const BodyDirection& m, double angle, double length = 1);

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return "rad"; }
  BodyPoint point_of_force(const Positions<>&) const override { return origin_of_moved(product_); }
  bool is_catastatic() const override { return true; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    out[0] = product_.value(now.where) - cosine_;
  }

 private:
  DirectionProduct product_;
  double cosine_, length_;
  BodyList touched_;
};

extern template class PositionConstraint<FixedAngle>;  // compiled once, with this kind
extern template class TemplatedRows<FixedAngle>;

}  // namespace trammel
