#pragma once

#include "trammel/constraints/distance.h"

namespace trammel {

/// Keeps point P on a sphere of radius r about point O of another body or of the world: the row of Distance between O
/// and P,
///
///   φ = |p_P − p_O| − r          m
///
/// λ > 0 pushes P outward. Held from both sides. The row has no value where P is at O: for r = 0 use Coincident.
class PointOnSphere final : public TemplatedRows<PointOnSphere> {
 public:
  PointOnSphere(const BodyPoint& P, const BodyPoint& O, double radius)  // m; throws Error unless radius > 0
      : radius_(O, P, radius) {}

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return radius_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  BodyPoint point_of_force(const Positions<>& where) const override {
    return shown_contact(radius_.first(), radius_.second(), where);
  }
  bool is_catastatic() const override { return true; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
    radius_.fill_rows(now, out);
  }
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    radius_.law<Scalar>(now, out);
  }

 private:
  Distance radius_;
};

extern template class PositionConstraint<PointOnSphere>;  // compiled once, with this kind
extern template class TemplatedRows<PointOnSphere>;

}  // namespace trammel
