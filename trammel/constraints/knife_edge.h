#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// A blade or a wheel at point P that can move along itself but not sideways: no velocity along the direction e of P's body.
/// One row at velocity level,
///
///   ψ = e · v_P                         m/s
///   ψ̇ = e · v̇_P + (ω × e) · v_P
///
/// so the row is the force e at P and b = −e · abias_P − (ω × e) · v_P. λ > 0 pushes P along e.
class KnifeEdge final : public TemplatedRows<KnifeEdge, VelocityConstraint<KnifeEdge>> {
 public:
  KnifeEdge(const BodyPoint& P, const Vec3<>& sideways_B);  // in P's body; throws Error unless it has a direction

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  BodyPoint point_of_force(const Positions<>&) const override { return P_; }
  bool is_catastatic() const override { return true; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    out[0] = sideways_.direction<Scalar>(now.kin).dot(P_.velocity(now.kin));
  }

 private:
  BodyPoint P_;
  BodyDirection sideways_;
  BodyList touched_;
};

extern template class VelocityConstraint<KnifeEdge>;  // compiled once, with this kind
extern template class TemplatedRows<KnifeEdge, VelocityConstraint<KnifeEdge>>;

}  // namespace trammel
