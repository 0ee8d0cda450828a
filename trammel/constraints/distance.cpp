#include "trammel/constraints/distance.h"

#include <fmt/core.h>

namespace trammel {

Distance::Distance(const BodyPoint& P, const BodyPoint& S, double length)
    : P_(P), S_(S), length_(length), touched_{P.body, S.body} {
  if (!(length > 0) || !std::isfinite(length))
    throw Error(fmt::format("distance {:g} m", length), "above 0; for 0 let the points coincide");
}

void Distance::evaluate(const Movement<double>& now, Rows& out) const {
  const Vec3<> d = S_.position<double>(now.kin) - P_.position<double>(now.kin);
  const Vec3<> ddot = S_.velocity<double>(now.kin) - P_.velocity<double>(now.kin);
  const Vec3<> abias = S_.bias_acceleration(now.kin) - P_.bias_acceleration(now.kin);
  const double length = d.norm();
  const Vec3<> n = d / length;
  const double phidot = n.dot(ddot);
  out.phi[0] = length - length_;
  out.rate[0] = phidot;
  out.b[0] = -n.dot(abias) - (ddot.squaredNorm() - phidot * phidot) / length;
  out.wrenches.setZero();
  out.wrench(touched_[0], 0) -= P_.wrench(now.kin, n);
  out.wrench(touched_[1], 0) += S_.wrench(now.kin, n);
}

template class PositionConstraint<Distance>;

}  // namespace trammel
