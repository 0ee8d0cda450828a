#include "trammel/constraints/knife_edge.h"

#include "trammel/constraints/templated_rows.h"

namespace trammel {

KnifeEdge::KnifeEdge(const BodyPoint& P, const Vec3<>& sideways_B)
    : P_(P), sideways_{P.body, sideways_B.normalized()}, touched_{P.body} {
  if (!(sideways_B.norm() > 1e-9)) throw Error("a knife edge whose sideways direction is zero", "a direction");
}

template <class Scalar>
void KnifeEdge::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Vec3<Scalar> e = sideways_.direction<Scalar>(now.kin), v = P_.velocity(now.kin);
  out.phi[0] = 0.0;
  out.rate[0] = e.dot(v);
  out.b[0] = -e.dot(P_.bias_acceleration(now.kin)) - cross(angular_velocity(now.kin, P_.body), e).dot(v);
  out.wrench(0, 0) = P_.template wrench<Scalar>(now.kin, e);
}

template class VelocityConstraint<KnifeEdge>;
TRAMMEL_COMPILE_ROWS(KnifeEdge, VelocityConstraint<KnifeEdge>);

}  // namespace trammel
