#include "trammel/system/working_force.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/dynamics/frame_motion.h"

namespace trammel {

SlidingFriction::SlidingFriction(const Constraint& law, const BodyPoint& contact, int other_body, double creep_speed)
    : creep_speed_(creep_speed), contact_(contact), other_body_(other_body) {
  if (!(creep_speed > 0)) throw Error(fmt::format("creep speed {:g} m/s of a friction", creep_speed), "above 0");
  const auto found = std::ranges::find(law.bodies(), contact.body);
  if (contact.body == world || found == law.bodies().end())
    throw Error(fmt::format("friction on body {}, on which the constraint does not press", contact.body),
                "a moving body of the constraint");
  slot_ = static_cast<int>(found - law.bodies().begin());
}

Vec3<> SlidingFriction::slip(const Movement<double>& now) const {
  Vec3<> out = contact_.velocity<double>(now.kin);
  if (other_body_ != world) out -= beneath(now).velocity<double>(now.kin);
  return out;
}

BodyPoint SlidingFriction::beneath(const Movement<double>& now) const {
  BodyPoint out{other_body_, contact_.position<double>(now.kin)};
  if (other_body_ != world) out.p_BP = now.kin.bodies[other_body_].X_WB.inverse() * out.p_BP;
  return out;
}

template <class Act>
void SlidingFriction::rub(const Movement<double>& now, const Rows& rows, const Eigen::Ref<const VecX<>>& lambda,
                          const Act& act) const {
  const Vec3<> pressing = rows.wrenches_on(slot_).bottomRows<3>() * lambda, u = slip(now);
  const Vec3<> f =
      u * (-size(now, pressing.norm(), u.norm()) / std::sqrt(u.squaredNorm() + creep_speed_ * creep_speed_));
  act(contact_.body, contact_.wrench(now.kin, f));
  if (other_body_ != world) act(other_body_, beneath(now).wrench(now.kin, -f));
}

void SlidingFriction::add_to(const Model& model, const Movement<double>& now, const Rows& rows,
                             const Eigen::Ref<const VecX<>>& lambda, VecX<>& tau) const {
  rub(now, rows, lambda,
      [&](int body, const Vec6<>& wrench) { add_generalised_force(model, now.kin, body, wrench, tau); });
}

void SlidingFriction::add_wrenches(const Movement<double>& now, const Rows& rows,
                                   const Eigen::Ref<const VecX<>>& lambda, std::span<Vec6<>> wrenches) const {
  rub(now, rows, lambda, [&](int body, const Vec6<>& wrench) { wrenches[body] += wrench; });
}

CoulombFriction::CoulombFriction(const Constraint& law, double mu, const BodyPoint& contact, int other_body,
                                 double creep_speed)
    : SlidingFriction(law, contact, other_body, creep_speed), mu_(mu) {
  if (!(mu >= 0) || !std::isfinite(mu)) throw Error(fmt::format("friction {:g}", mu), "0 or above");
}

}  // namespace trammel
