#include "trammel/constraints/rolling.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/constraints/checks.h"
#include "trammel/constraints/lane_jets.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {
namespace {

// s: the velocity of the wheel's material at K relative to the plane's.
template <class Scalar>
Vec3<Scalar> slip_velocity(const Vec3<Scalar>& d, const Vec3<Scalar>& ddot, const Vec3<Scalar>& w_B,
                           const Vec3<Scalar>& w_C, const Vec3<Scalar>& rho) {
  return ddot - cross(w_C, d) + cross<Scalar>(w_B - w_C, rho);
}

// The wrench, about the body's origin, of the force f at the place p_WK.
template <class Scalar>
Vec6<Scalar> wrench_at(const Positions<Scalar>& where, int body, const Vec3<Scalar>& K, const Vec3<Scalar>& f) {
  const Vec3<Scalar> arm = body == world ? K : Vec3<Scalar>(K - where.bodies[body].X_WB.p);
  return spatial<Scalar>(cross(arm, f), f);
}

double checked_ground(const Ground& ground) {
  if (ground.shape == Ground::Shape::plane) return 0;
  return checked_positive(ground.radius, ground.shape == Ground::Shape::sphere
                                             ? "radius in m of a sphere to roll on"
                                             : "radius in m of a cylinder to roll on");
}

// 1 or −1 as x is, and a constant: of each lane by itself.
double sign_of(double x) { return std::copysign(1.0, x); }
Jet sign_of(const Jet& x) { return sign_of(x.x); }
Lanes sign_of(const Lanes& x) {
  return Lanes::each([&](int lane) { return sign_of(x[lane]); });
}
LaneJet sign_of(const LaneJet& x) { return sign_of(x.x); }

}  // namespace

Rolling::Rolling(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const Ground& ground)
    : shape_(ground.shape),
      S_(S),
      O_(ground.O),
      a_{S.body, checked_direction(a_B, "the axis of a wheel")},
      n_{ground.O.body,
         checked_direction(ground.direction_C, shape_ == Ground::Shape::plane ? "the normal of the plane under a wheel"
                                                                              : "the axis of a cylinder to roll on")},
      rim_(rim),
      tyre_(tyre),
      ground_(checked_ground(ground)),
      side_(ground.side == Ground::Side::inside ? -1 : 1),
      touched_{S.body, ground.O.body} {
  if (shape_ == Ground::Shape::cylinder && rim > 0)
    throw Error("a disc that rolls on a cylinder", "a sphere on cylinders; discs on planes and spheres");
  if (shape_ != Ground::Shape::plane && side_ < 0 && !(rim + tyre < ground_))
    throw Error(fmt::format("a radius of {:g} m inside one of {:g} m", rim + tyre, ground_), "a smaller one");
  const Mat3<> frame = frame_with_z(n_.d_B);
  for (int i = 0; i < 2; ++i) across_[i] = {O_.body, frame.col(i)};
}

template <class Scalar>
Rolling::Touch<Scalar> Rolling::touch(const Vec3<Scalar>& d, const Vec3<Scalar>& a, const Vec3<Scalar>& k) const {
  const Scalar R(rim_), r(tyre_), side(side_);
  Touch<Scalar> out;
  if (shape_ == Ground::Shape::plane) {
    out.n = k;
    out.rho = k * -r;
    if (rim_ != 0) out.rho -= (k - a * k.dot(a)) / cross(k, a).norm() * R;
    out.height = k.dot(d + out.rho);
    return out;
  }
  Vec3<Scalar> c = d, to_rim = Vec3<Scalar>::Zero();
  if (shape_ == Ground::Shape::cylinder) c -= k * k.dot(d);
  if (rim_ != 0) {
    const Vec3<Scalar> p = d - a * a.dot(d);
    to_rim = p / p.norm() * -(side * R);
    c += to_rim;
  }
  const Scalar distance = c.norm();
  out.n = c / distance * side;
  out.rho = to_rim - out.n * r;
  out.height = side * (distance - Scalar(ground_)) - r;
  return out;
}

template <class Scalar>
std::array<Vec3<Scalar>, 2> Rolling::across(const Vec3<Scalar>& n, const std::array<Vec3<Scalar>, 3>& fixed) const {
  if (shape_ == Ground::Shape::plane) return {fixed[0], fixed[1]};
  if (shape_ == Ground::Shape::cylinder) return {fixed[2], cross(fixed[2], n)};
  const Scalar x = fixed[0].dot(n), y = fixed[1].dot(n), z = fixed[2].dot(n);
  const Scalar sign = sign_of(z), f = Scalar(-1) / (sign + z), xy = x * y * f;
  return {fixed[0] * (Scalar(1) + sign * x * x * f) + fixed[1] * (sign * xy) - fixed[2] * (sign * x),
          fixed[0] * xy + fixed[1] * (sign + y * y * f) - fixed[2] * y};
}

template <class Scalar>
Scalar Rolling::height(const Placement<Scalar>& now) const {
  const Vec3<Scalar> d = S_.position(now.where) - O_.position(now.where);
  return touch<Scalar>(d, a_.direction(now.where), n_.direction(now.where)).height;
}

template <class Scalar>
void Rolling::slip(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> d = S_.position(where) - O_.position(where), ddot = S_.velocity(now.kin) - O_.velocity(now.kin);
  const std::array<Vec3<Scalar>, 3> fixed{across_[0].direction(where), across_[1].direction(where),
                                          n_.direction(where)};
  const Touch<Scalar> at = touch<Scalar>(d, a_.direction(where), fixed[2]);
  const Vec3<Scalar> s =
      slip_velocity(d, ddot, angular_velocity(now.kin, S_.body), angular_velocity(now.kin, O_.body), at.rho);
  const std::array<Vec3<Scalar>, 2> e = across<Scalar>(at.n, fixed);
  for (int i = 0; i < 2; ++i) out[1 + i] = e[i].dot(s);
}

void Rolling::phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const { out[0] = height(now); }
void Rolling::phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const { out[0] = height(now); }
void Rolling::psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const { slip<double>(now, out); }
void Rolling::psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const { slip<Jet>(now, out); }

Vec3<> Rolling::contact(const Positions<>& where) const {
  const Vec3<> S = S_.position(where);
  return S + touch<double>(S - O_.position(where), a_.direction(where), n_.direction(where)).rho;
}

BodyPoint Rolling::point_of_force(const Positions<>& where) const {
  return shown_contact(O_,
                       S_.body == world ? BodyPoint(world, contact(where))
                                        : BodyPoint(S_.body, where.bodies[S_.body].X_WB.inverse() * contact(where)),
                       where);
}

template <class Scalar>
void Rolling::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  using AnyJet = JetOf<Scalar>;
  using Vectors = Vec3<AnyJet>;
  const Vectors d = position_jets(now.kin, S_) - position_jets(now.kin, O_);
  const std::array<Vectors, 3> fixed{direction_jets(now.kin, across_[0]), direction_jets(now.kin, across_[1]),
                                     direction_jets(now.kin, n_)};
  const Touch<AnyJet> at = touch<AnyJet>(d, direction_jets(now.kin, a_), fixed[2]);
  const Vectors s = slip_velocity(d, rates(d), angular_velocity_jets(now.kin, S_.body),
                                  angular_velocity_jets(now.kin, O_.body), at.rho);
  const std::array<Vectors, 2> across = this->across<AnyJet>(at.n, fixed);
  const Vectors e[] = {at.n, across[0], across[1]};
  write_position_row<AnyJet>(at.height, 0, out);
  for (int k = 1; k < 3; ++k) write_velocity_row<AnyJet>(e[k].dot(s), k, out);

  // every row acts at K, on both bodies
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> K = S_.position(where) + values(at.rho);
  for (int k = 0; k < 3; ++k) {
    touched_.put<Scalar>(0, k, wrench_at<Scalar>(where, S_.body, K, values(e[k])), out);
    touched_.put<Scalar>(1, k, -wrench_at<Scalar>(where, O_.body, K, values(e[k])), out);
  }
}

TRAMMEL_COMPILE_ROWS(Rolling, Constraint);

RollingDisc::RollingDisc(const BodyPoint& S, const Vec3<>& a_B, double radius, const Ground& ground)
    : Rolling(S, a_B, checked_positive(radius, "radius in m of a disc"), 0, ground) {}
RollingDisc::RollingDisc(const BodyPoint& S, const Vec3<>& a_B, double radius, const BodyPoint& O, const Vec3<>& n_C)
    : RollingDisc(S, a_B, radius, Ground::plane(O, n_C)) {}

RollingWheel::RollingWheel(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const Ground& ground)
    : Rolling(S, a_B, checked_positive(rim, "radius in m of a wheel's rim"),
              checked_positive(tyre, "radius in m of a tyre"), ground) {}
RollingWheel::RollingWheel(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const BodyPoint& O,
                           const Vec3<>& n_C)
    : RollingWheel(S, a_B, rim, tyre, Ground::plane(O, n_C)) {}

RollingSphere::RollingSphere(const BodyPoint& S, double radius, const Ground& ground)
    : Rolling(S, Vec3<>::UnitZ(), 0, checked_positive(radius, "radius in m of a sphere"), ground) {}
RollingSphere::RollingSphere(const BodyPoint& S, double radius, const BodyPoint& O, const Vec3<>& n_C)
    : RollingSphere(S, radius, Ground::plane(O, n_C)) {}

}  // namespace trammel
