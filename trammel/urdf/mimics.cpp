#include "trammel/urdf/mimics.h"

#include <unordered_map>

#include <fmt/core.h>

#include "trammel/base/listed.h"
#include "trammel/base/names.h"

namespace trammel::urdf {
namespace {

// "'index_q1' (did you mean 'left_index_q1'?)"
std::string with_hint(const std::string& name, const RobotDescription& robot) {
  std::vector<std::string> names;
  for (const Joint& joint : robot.joints) names.push_back(joint.name);
  const std::string nearest = nearest_name(name, names);
  return fmt::format("'{}'{}", name, nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest));
}

}  // namespace

void leave_out_mimics(RobotDescription& robot) {
  std::unordered_map<std::string, JointType> types;
  for (const Joint& joint : robot.joints) types.emplace(joint.name, joint.type);
  const auto is_fixed = [&](const std::string& joint) {
    return types.contains(joint) && types.at(joint) == JointType::fixed;
  };
  std::vector<Named> fixed, following_fixed, following_none;
  std::string missing;
  std::erase_if(robot.couplings, [&](const Coupling& c) {
    const bool none = !types.contains(c.source);
    if (!none && !is_fixed(c.joint) && !is_fixed(c.source)) return false;
    if (none && missing.empty()) missing = c.source;
    std::vector<Named>& list = none ? following_none : is_fixed(c.joint) ? fixed : following_fixed;
    list.push_back({c.place, c.joint});
    return true;
  });
  const auto warn = [&](const std::vector<Named>& list, const std::string& why) {
    if (list.empty()) return;
    const std::string text = fmt::format("the mimic of {} is not used: {}", listed("joint", list), why);
    robot.warnings.push_back({list.front().place, text});
  };
  warn(fixed, "a fixed joint does not move");
  warn(following_fixed, "what it follows is fixed");
  warn(following_none, "there is no joint " + with_hint(missing, robot));
}

}  // namespace trammel::urdf
