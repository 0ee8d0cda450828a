#include "trammel/constraints/knife_edge.h"

namespace trammel {

KnifeEdge::KnifeEdge(const BodyPoint& P, const Vec3<>& sideways_B)
    : P_(P), sideways_{P.body, sideways_B.normalized()}, touched_{P.body} {
  if (!(sideways_B.norm() > 1e-9)) throw Error("a knife edge whose sideways direction is zero", "a direction");
}

void KnifeEdge::evaluate(const Movement<double>& now, Rows& out) const {
  const Vec3<> e = sideways_.direction<double>(now.kin), v = P_.velocity<double>(now.kin);
  out.phi[0] = 0;
  out.rate[0] = e.dot(v);
  out.b[0] = -e.dot(P_.bias_acceleration(now.kin)) - cross(angular_velocity(now.kin, P_.body), e).dot(v);
  out.wrench(0, 0) = P_.wrench(now.kin, e);
}

template class VelocityConstraint<KnifeEdge>;

}  // namespace trammel
