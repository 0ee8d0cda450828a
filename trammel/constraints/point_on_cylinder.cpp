#include "trammel/constraints/point_on_cylinder.h"

#include "trammel/constraints/checks.h"

namespace trammel {

PointOnCylinder::PointOnCylinder(const BodyPoint& P, const BodyPoint& O, const Vec3<>& a_C, double radius)
    : P_(P), O_(O), radius_(checked_positive(radius, "radius in m of a cylinder")), touched_{P.body, O.body} {
  const Mat3<> frame = frame_with_z(checked_direction(a_C, "the axis of a cylinder"));
  u_ = {O.body, frame.col(0)};
  w_ = {O.body, frame.col(1)};
}

void PointOnCylinder::evaluate(const Movement<double>& now, Rows& out) const {
  const Vec3<Jet> d = position_jets(now.kin, P_) - position_jets(now.kin, O_);
  const Vec3<Jet> u = direction_jets(now.kin, u_), w = direction_jets(now.kin, w_);
  const Jet x = u.dot(d), y = w.dot(d), rho = hypot(x, y);
  write_position_row(rho - radius_, 0, out);
  const Vec3<> e = (values(u) * x.x + values(w) * y.x) / rho.x;
  out.wrenches.setZero();
  out.wrench(touched_[0], 0) += P_.wrench(now.kin, e);
  out.wrench(touched_[1], 0) -= O_.wrench(now.kin, e);
  out.wrench(touched_[1], 0).head<3>() -= cross(values(d), e);  // −e acts at P, not at O
}

template class PositionConstraint<PointOnCylinder>;

}  // namespace trammel
