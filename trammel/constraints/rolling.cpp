#include "trammel/constraints/rolling.h"

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

}  // namespace

Rolling::Rolling(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const BodyPoint& O, const Vec3<>& n_C)
    : S_(S),
      O_(O),
      a_{S.body, checked_direction(a_B, "the axis of a wheel")},
      n_{O.body, checked_direction(n_C, "the normal of the plane under a wheel")},
      rim_(rim),
      tyre_(tyre),
      touched_{S.body, O.body} {
  const Mat3<> frame = frame_with_z(n_.d_B);
  for (int i = 0; i < 2; ++i) across_[i] = {O.body, frame.col(i)};
}

template <class Scalar>
Vec3<Scalar> Rolling::to_contact(const Vec3<Scalar>& n, const Vec3<Scalar>& a) const {
  if (rim_ == 0) return n * Scalar(-tyre_);
  const Vec3<Scalar> m = (n - a * n.dot(a)) / cross(n, a).norm();
  return m * Scalar(-rim_) - n * Scalar(tyre_);
}

template <class Scalar>
Scalar Rolling::height(const Placement<Scalar>& now) const {
  const Vec3<Scalar> n = n_.direction(now.where), rho = to_contact(n, a_.direction(now.where));
  return n.dot(S_.position(now.where) - O_.position(now.where) + rho);
}

template <class Scalar>
void Rolling::slip(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> d = S_.position(where) - O_.position(where), ddot = S_.velocity(now.kin) - O_.velocity(now.kin);
  const Vec3<Scalar> rho = to_contact(n_.direction(where), a_.direction(where));
  const Vec3<Scalar> s =
      slip_velocity(d, ddot, angular_velocity(now.kin, S_.body), angular_velocity(now.kin, O_.body), rho);
  for (int i = 0; i < 2; ++i) out[1 + i] = across_[i].direction(where).dot(s);
}

void Rolling::phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const { out[0] = height(now); }
void Rolling::phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const { out[0] = height(now); }
void Rolling::psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const { slip<double>(now, out); }
void Rolling::psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const { slip<Jet>(now, out); }

Vec3<> Rolling::contact(const Positions<>& where) const {
  return S_.position(where) + to_contact(n_.direction(where), a_.direction(where));
}

BodyPoint Rolling::point_of_force(const Positions<>& where) const {
  return shown_contact(O_,
                       S_.body == world ? BodyPoint(world, contact(where))
                                        : BodyPoint(S_.body, where.bodies[S_.body].X_WB.inverse() * contact(where)),
                       where);
}

template <class Scalar>
void Rolling::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  using Vectors = Vec3<JetOf<Scalar>>;
  const Vectors d = position_jets(now.kin, S_) - position_jets(now.kin, O_);
  const Vectors n = direction_jets(now.kin, n_), rho = to_contact(n, direction_jets(now.kin, a_));
  const Vectors s =
      slip_velocity(d, rates(d), angular_velocity_jets(now.kin, S_.body), angular_velocity_jets(now.kin, O_.body), rho);
  const Vectors e[] = {n, direction_jets(now.kin, across_[0]), direction_jets(now.kin, across_[1])};
  write_position_row<JetOf<Scalar>>(n.dot(d + rho), 0, out);
  for (int k = 1; k < 3; ++k) write_velocity_row<JetOf<Scalar>>(e[k].dot(s), k, out);

  // every row acts at K, on both bodies
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> K = S_.position(where) + values(rho);
  for (int k = 0; k < 3; ++k) {
    touched_.put<Scalar>(0, k, wrench_at<Scalar>(where, S_.body, K, values(e[k])), out);
    touched_.put<Scalar>(1, k, -wrench_at<Scalar>(where, O_.body, K, values(e[k])), out);
  }
}

TRAMMEL_COMPILE_ROWS(Rolling, Constraint);

RollingDisc::RollingDisc(const BodyPoint& S, const Vec3<>& a_B, double radius, const BodyPoint& O, const Vec3<>& n_C)
    : Rolling(S, a_B, checked_positive(radius, "radius in m of a disc"), 0, O, n_C) {}

RollingWheel::RollingWheel(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const BodyPoint& O,
                           const Vec3<>& n_C)
    : Rolling(S, a_B, checked_positive(rim, "radius in m of a wheel's rim"),
              checked_positive(tyre, "radius in m of a tyre"), O, n_C) {}

RollingSphere::RollingSphere(const BodyPoint& S, double radius, const BodyPoint& O, const Vec3<>& n_C)
    : Rolling(S, Vec3<>::UnitZ(), 0, checked_positive(radius, "radius in m of a sphere"), O, n_C) {}

}  // namespace trammel
