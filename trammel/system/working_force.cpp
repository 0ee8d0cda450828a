#include "trammel/system/working_force.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/dynamics/frame_motion.h"

namespace trammel {

CoulombFriction::CoulombFriction(const Constraint& law, double mu, const BodyPoint& contact, int other_body,
                                 double creep_speed)
    : mu_(mu), creep_speed_(creep_speed), contact_(contact), other_body_(other_body) {
  if (!(mu >= 0) || !std::isfinite(mu)) throw Error(fmt::format("friction {:g}", mu), "0 or above");
  if (!(creep_speed > 0)) throw Error(fmt::format("creep speed {:g} m/s of a friction", creep_speed), "above 0");
  const auto found = std::ranges::find(law.bodies(), contact.body);
  if (contact.body == world || found == law.bodies().end())
    throw Error(fmt::format("friction on body {}, on which the constraint does not press", contact.body),
                "a moving body of the constraint");
  slot_ = static_cast<int>(found - law.bodies().begin());
}

template <class Act>
void CoulombFriction::rub(const Movement<double>& now, const Rows& rows, const Eigen::Ref<const VecX<>>& lambda,
                          const Act& act) const {
  const Vec3<> pressing = rows.wrenches_on(slot_).bottomRows<3>() * lambda;
  Vec3<> slip = contact_.velocity<double>(now.kin);
  BodyPoint beneath{other_body_, contact_.position<double>(now.kin)};
  if (other_body_ != world) {
    beneath.p_BP = now.kin.bodies[other_body_].X_WB.inverse() * beneath.p_BP;
    slip -= beneath.velocity<double>(now.kin);
  }
  const Vec3<> f = slip * (-mu_ * pressing.norm() / std::sqrt(slip.squaredNorm() + creep_speed_ * creep_speed_));
  act(contact_.body, contact_.wrench(now.kin, f));
  if (other_body_ != world) act(other_body_, beneath.wrench(now.kin, -f));
}

void CoulombFriction::add_to(const Model& model, const Movement<double>& now, const Rows& rows,
                             const Eigen::Ref<const VecX<>>& lambda, VecX<>& tau) const {
  rub(now, rows, lambda,
      [&](int body, const Vec6<>& wrench) { add_generalised_force(model, now.kin, body, wrench, tau); });
}

void CoulombFriction::add_wrenches(const Movement<double>& now, const Rows& rows,
                                   const Eigen::Ref<const VecX<>>& lambda, std::span<Vec6<>> wrenches) const {
  rub(now, rows, lambda, [&](int body, const Vec6<>& wrench) { wrenches[body] += wrench; });
}

}  // namespace trammel
