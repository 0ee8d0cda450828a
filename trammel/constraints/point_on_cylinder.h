#pragma once

#include "trammel/constraints/bias_jets.h"

namespace trammel {

/// Keeps point P on a round cylinder of radius r that is fixed in a body C or in the world, its axis through point O
/// along a. One row at position level. With d = p_P − p_O, u and w across a, fixed in C, and x = u · d, y = w · d,
///
///   φ  = ρ − r,   ρ = √(x² + y²)                                  m
///   φ̇  = (x ẋ + y ẏ)/ρ
///   φ̈  = (x ẍ + y ÿ)/ρ + (x ẏ − y ẋ)²/ρ³
///
/// where ẋ, ẍ, ẏ, ÿ are the rates of Coincident's rows along u and w. So with the outward direction e = (x u + y w)/ρ
/// the row is the force e at P and −e, at the same place, on C; b is −φ̈ at v̇ = 0. λ > 0 pushes P outward. Held from
/// both sides. e has no value on the axis: for r = 0 use PointOnLine.
class PointOnCylinder final : public TemplatedRows<PointOnCylinder> {
 public:
  /// O and a in C's frame, radius in m; throws Error unless a has a direction and radius > 0.
  PointOnCylinder(const BodyPoint& P, const BodyPoint& O, const Vec3<>& a_C, double radius);

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  BodyPoint point_of_force(const Positions<>& where) const override { return shown_contact(O_, P_, where); }
  bool is_catastatic() const override { return true; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    using std::hypot;
    const Vec3<Scalar> d = P_.position(now.where) - O_.position(now.where);
    out[0] = hypot(u_.direction(now.where).dot(d), w_.direction(now.where).dot(d)) - radius_;
  }

 private:
  BodyPoint P_, O_;
  BodyDirection u_, w_;
  double radius_;
  BodyList touched_;
};

extern template class PositionConstraint<PointOnCylinder>;  // compiled once, with this kind
extern template class TemplatedRows<PointOnCylinder>;

}  // namespace trammel
