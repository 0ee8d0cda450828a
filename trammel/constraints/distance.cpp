#include "trammel/constraints/distance.h"

#include <fmt/core.h>

#include "trammel/constraints/templated_rows.h"

namespace trammel {

Distance::Distance(const BodyPoint& P, const BodyPoint& S, double length)
    : P_(P), S_(S), length_(length), touched_{P.body, S.body} {
  if (!(length > 0) || !std::isfinite(length))
    throw Error(fmt::format("distance {:g} m", length), "above 0; for 0 let the points coincide");
}

template <class Scalar>
void Distance::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> d = S_.position(where) - P_.position(where);
  const Vec3<Scalar> ddot = S_.velocity(now.kin) - P_.velocity(now.kin);
  const Vec3<Scalar> abias = S_.bias_acceleration(now.kin) - P_.bias_acceleration(now.kin);
  const Scalar length = d.norm();
  const Vec3<Scalar> n = d / length;
  const Scalar phidot = n.dot(ddot);
  out.phi[0] = length - length_;
  out.rate[0] = phidot;
  out.b[0] = -n.dot(abias) - (ddot.squaredNorm() - phidot * phidot) / length;
  touched_.put<Scalar>(0, 0, -P_.wrench(where, n), out);
  touched_.put<Scalar>(1, 0, S_.wrench(where, n), out);
}

template class PositionConstraint<Distance>;
TRAMMEL_COMPILE_ROWS(Distance);

}  // namespace trammel
