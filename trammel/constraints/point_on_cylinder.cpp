#include "trammel/constraints/point_on_cylinder.h"

#include "trammel/constraints/checks.h"
#include "trammel/constraints/lane_jets.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

PointOnCylinder::PointOnCylinder(const BodyPoint& P, const BodyPoint& O, const Vec3<>& a_C, double radius)
    : P_(P), O_(O), radius_(checked_positive(radius, "radius in m of a cylinder")), touched_{P.body, O.body} {
  const Mat3<> frame = frame_with_z(checked_direction(a_C, "the axis of a cylinder"));
  u_ = {O.body, frame.col(0)};
  w_ = {O.body, frame.col(1)};
}

template <class Scalar>
void PointOnCylinder::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  using AJet = JetOf<Scalar>;
  const Vec3<AJet> d = position_jets(now.kin, P_) - position_jets(now.kin, O_);
  const Vec3<AJet> u = direction_jets(now.kin, u_), w = direction_jets(now.kin, w_);
  const AJet x = u.dot(d), y = w.dot(d), rho = hypot(x, y);
  write_position_row<AJet>(rho - radius_, 0, out);
  const Vec3<Scalar> e = (values(u) * x.x + values(w) * y.x) / rho.x;
  Vec6<Scalar> reaction = -O_.wrench<Scalar>(now.kin, e);
  reaction.template head<3>() -= cross(values(d), e);  // −e acts at P, not at O
  touched_.put<Scalar>(0, 0, P_.wrench<Scalar>(now.kin, e), out);
  touched_.put<Scalar>(1, 0, reaction, out);
}

template class PositionConstraint<PointOnCylinder>;
TRAMMEL_COMPILE_ROWS(PointOnCylinder);

}  // namespace trammel
