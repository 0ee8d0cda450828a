#include "trammel/model/leave_out.h"

#include <fmt/core.h>

#include "trammel/base/names.h"

namespace trammel {

std::vector<std::string> names_to_leave_out(const RobotDescription& robot) {
  std::vector<std::string> names;
  for (const DescribedConstraint& constraint : robot.constraints) names.push_back(constraint.name);
  for (const Coupling& coupling : robot.couplings) names.push_back(coupling.joint);
  for (const DescribedMotor& motor : robot.motors) names.push_back(motor.name);
  for (const DescribedStart& start : robot.starts) names.push_back(start.name);
  return names;
}

void leave_out(const std::string& name, const Place& place, RobotDescription& out) {
  const std::vector<std::string> names = names_to_leave_out(out);
  std::size_t gone = 0;
  gone += std::erase_if(out.constraints, [&](const auto& constraint) { return constraint.name == name; });
  gone += std::erase_if(out.couplings, [&](const auto& coupling) { return coupling.joint == name; });
  gone += std::erase_if(out.motors, [&](const auto& motor) { return motor.name == name; });
  gone += std::erase_if(out.starts, [&](const auto& start) { return start.name == name; });
  if (gone > 0) return;
  throw Error(place, fmt::format("'{}' to be left out, which the robot's file does not have", name),
              names.empty() ? "nothing: it has no constraint, coupling, motor or start" : allowed_names(name, names));
}

}  // namespace trammel
