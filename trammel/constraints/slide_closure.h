#pragma once

#include "trammel/constraints/weld.h"

namespace trammel {

/// Closes a loop by a slider: frame M of body B keeps the orientation of frame F of body A, and its origin stays on the z axis of F.
/// Five rows at position level, those of Coincident along x and y of F and those of Weld for the orientation (rates, wrenches and b
/// stand there):
///
///   φ₁ = x_F · d,   φ₂ = y_F · d                                m, d from F's origin to M's
///   φ₃ = z_F · y_M,   φ₄ = x_F · z_M,   φ₅ = y_F · x_M          rad, to first order
///
/// λ₁, λ₂ > 0 push M along x and y of F, λ₃ … λ₅ > 0 turn it about x, y, z of F. Free is the way along z_F, without an end: the
/// rows have no singular case where they hold rightly. They hold as well at the seven false orientations of Weld.
class SlideClosure final : public TemplatedRows<SlideClosure> {
 public:
  SlideClosure(const Frame& F, const Frame& M, double length = 1);  // m/rad: row_scale of the orientation

  int rows() const override { return 5; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int row) const override { return row < 2 ? 1 : length_; }
  std::string_view unit(int row) const override { return row < 2 ? "m" : "rad"; }
  BodyPoint point_of_force(const Positions<>& where) const override { return origins_.point_of_force(where); }
  bool is_catastatic() const override { return true; }
  Vec3<> misalignment(const Placement<double>& now) const override { return turn_between(axes_, now.where); }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    origins_.law<Scalar>(now, out.head(2));
    for (int i = 0; i < 3; ++i) out[2 + i] = axes_[i].value(now.where);
  }

 private:
  Coincident origins_;
  std::array<DirectionProduct, 3> axes_;
  double length_;
  BodyList touched_;  // the bodies of origins_ in the same slots
};

extern template class PositionConstraint<SlideClosure>;  // compiled once, with this kind
extern template class TemplatedRows<SlideClosure>;

}  // namespace trammel
