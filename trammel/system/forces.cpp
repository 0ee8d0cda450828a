#include "trammel/system/forces.h"

#include <fmt/core.h>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/system/templated_force.h"

namespace trammel {
namespace {

double checked_not_negative(double x, const char* what) {
  if (!(x >= 0) || !std::isfinite(x)) throw Error(fmt::format("{} {:g} of a spring", what, x), "0 or above");
  return x;
}

template <class Scalar>
void push(const Model& model, const Positions<Scalar>& where, const BodyPoint& at, const Vec3<Scalar>& f,
          VecX<Scalar>& tau) {
  if (at.body != world) add_generalised_force<Scalar>(model, where, at.body, at.wrench(where, f), tau);
}

void push(const Positions<>& where, const BodyPoint& at, const Vec3<>& f, std::span<Vec6<>> wrenches) {
  if (at.body != world) wrenches[at.body] += at.wrench<double>(where, f);
}

template <class Scalar>
Vec3<Scalar> values_of(const std::array<BoundExpression, 3>& expressions, const Movement<Scalar>& now) {
  return {expressions[0].value(now), expressions[1].value(now), expressions[2].value(now)};
}

}  // namespace

JointForce::JointForce(const Model& model, int velocity, BoundExpression value)
    : velocity_(velocity), value_(std::move(value)) {
  if (velocity < 0 || velocity >= model.nv())
    throw Error(fmt::format("a force on velocity {}", velocity), fmt::format("0 to {}", model.nv() - 1));
}

template <class Scalar>
void JointForce::add(const Model&, const Movement<Scalar>& now, VecX<Scalar>& tau) const {
  tau[velocity_] += value_.value(now);
}

template <class Scalar>
Vec3<Scalar> PointForce::force(const Movement<Scalar>& now) const {
  return along_.in_world<Scalar>(now.kin, values_of(f_F_, now));
}

template <class Scalar>
void PointForce::add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const {
  push<Scalar>(model, now.kin, at_, force(now), tau);
}

void PointForce::add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const {
  push(now.kin, at_, force(now), wrenches);
}

template <class Scalar>
Vec6<Scalar> BodyTorque::wrench(const Movement<Scalar>& now) const {
  return spatial<Scalar>(along_.in_world<Scalar>(now.kin, values_of(n_F_, now)), Vec3<Scalar>::Zero());
}

template <class Scalar>
void BodyTorque::add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const {
  if (body_ != world) add_generalised_force<Scalar>(model, now.kin, body_, wrench(now), tau);
}

void BodyTorque::add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const {
  if (body_ != world) wrenches[body_] += wrench(now);
}

ChangingGravity::ChangingGravity(const Model& model, std::array<BoundExpression, 3> g_W) : g_W_(std::move(g_W)) {
  for (int body = 0; body < model.body_count(); ++body)
    if (const Inertia<>& inertia = model.bodies()[body].inertia; inertia.mass != 0)
      masses_.push_back({BodyPoint(body, inertia.com()), inertia.mass});
}

template <class Scalar>
void ChangingGravity::add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const {
  const Vec3<Scalar> g = values_of(g_W_, now);
  for (const Mass& body : masses_) push<Scalar>(model, now.kin, body.at, g * Scalar(body.mass), tau);
}

void ChangingGravity::add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const {
  const Vec3<> g = values_of(g_W_, now);
  for (const Mass& body : masses_) push(now.kin, body.at, g * body.mass, wrenches);
}

SpringDamper::SpringDamper(const BodyPoint& P, const BodyPoint& S, double stiffness, double damping, double rest_length)
    : P_(P),
      S_(S),
      stiffness_(checked_not_negative(stiffness, "stiffness")),
      damping_(checked_not_negative(damping, "damping")),
      rest_length_(checked_not_negative(rest_length, "length")) {}

template <class Scalar>
Vec3<Scalar> SpringDamper::pull(const Movement<Scalar>& now) const {
  using std::max;
  const Positions<Scalar>& where = now.kin;
  const Vec3<Scalar> p_PS = S_.position(where) - P_.position(where);
  const Scalar length = p_PS.norm();
  // zero where P meets S, and where the square of the length underflows
  const Vec3<Scalar> n = p_PS / max(length, Scalar(1e-150));
  const Scalar rate = n.dot(S_.velocity(now.kin) - P_.velocity(now.kin));
  return n * ((length - rest_length_) * stiffness_ + rate * damping_);
}

template <class Scalar>
void SpringDamper::add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const {
  const Vec3<Scalar> f = pull(now);
  push<Scalar>(model, now.kin, P_, f, tau);
  push<Scalar>(model, now.kin, S_, -f, tau);
}

void SpringDamper::add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const {
  const Vec3<> f = pull(now);
  push(now.kin, P_, f, wrenches);
  push(now.kin, S_, -f, wrenches);
}

double SpringDamper::potential_energy(const Placement<double>& now) const {
  const double stretch = (S_.position<double>(now.where) - P_.position<double>(now.where)).norm() - rest_length_;
  return 0.5 * stiffness_ * stretch * stretch;
}

template class TemplatedForce<JointForce>;
template class TemplatedForce<PointForce>;
template class TemplatedForce<BodyTorque>;
template class TemplatedForce<ChangingGravity>;
template class TemplatedForce<SpringDamper>;

}  // namespace trammel
