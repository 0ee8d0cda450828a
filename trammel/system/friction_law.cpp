#include "trammel/system/friction_law.h"

#include <fmt/core.h>

namespace trammel {

FrictionLaw::FrictionLaw(const Constraint& law, BoundExpression force, const BodyPoint& contact, int other_body,
                         double creep_speed)
    : SlidingFriction(law, contact, other_body, creep_speed), force_(std::move(force)) {
  if (force_.quantities().size() > 0)
    throw Error(fmt::format("the friction law '{}', which looks at the robot", force_.expression().text()),
                "a law of normal and speed, of the time and of inputs");
}

std::vector<std::string> FrictionLaw::input_names(std::vector<std::string> of_system) {
  of_system.insert(of_system.end(), {"normal", "speed"});
  return of_system;
}

double FrictionLaw::size(const Movement<double>& now, double normal, double speed) const {
  thread_local std::vector<double> inputs;
  inputs.assign(now.inputs.begin(), now.inputs.end());
  inputs.insert(inputs.end(), {normal, speed});
  return force_.value(Movement<double>{now.kin, now.q, now.v, now.t, inputs});
}

}  // namespace trammel
