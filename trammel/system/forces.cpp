#include "trammel/system/forces.h"

#include <fmt/core.h>

#include "trammel/dynamics/frame_motion.h"

namespace trammel {
namespace {

double checked_not_negative(double x, const char* what) {
  if (!(x >= 0) || !std::isfinite(x)) throw Error(fmt::format("{} {:g} of a spring", what, x), "0 or above");
  return x;
}

void push(const Model& model, const Positions<>& where, const BodyPoint& at, const Vec3<>& f, VecX<>& tau) {
  if (at.body != world) add_generalised_force(model, where, at.body, at.wrench(where, f), tau);
}

}  // namespace

JointForce::JointForce(const Model& model, int velocity, BoundExpression value)
    : velocity_(velocity), value_(std::move(value)) {
  if (velocity < 0 || velocity >= model.nv())
    throw Error(fmt::format("a force on velocity {}", velocity), fmt::format("0 to {}", model.nv() - 1));
}

void PointForce::add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const {
  push(model, now.kin, at_, {f_W_[0].value(now), f_W_[1].value(now), f_W_[2].value(now)}, tau);
}

SpringDamper::SpringDamper(const BodyPoint& P, const BodyPoint& S, double stiffness, double damping, double rest_length)
    : P_(P),
      S_(S),
      stiffness_(checked_not_negative(stiffness, "stiffness")),
      damping_(checked_not_negative(damping, "damping")),
      rest_length_(checked_not_negative(rest_length, "length")) {}

void SpringDamper::add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const {
  const Vec3<> p_PS = S_.position<double>(now.kin) - P_.position<double>(now.kin);
  const double length = p_PS.norm();
  if (length == 0) return;
  const Vec3<> n = p_PS / length;
  const double rate = n.dot(S_.velocity<double>(now.kin) - P_.velocity<double>(now.kin));
  const Vec3<> pull = n * (stiffness_ * (length - rest_length_) + damping_ * rate);
  push(model, now.kin, P_, pull, tau);
  push(model, now.kin, S_, -pull, tau);
}

double SpringDamper::potential_energy(const Placement<double>& now) const {
  const double stretch = (S_.position<double>(now.where) - P_.position<double>(now.where)).norm() - rest_length_;
  return 0.5 * stiffness_ * stretch * stretch;
}

}  // namespace trammel
