#pragma once

#include <filesystem>

#include "trammel/model/description.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// The keys of the scenario that describe the robot.
const std::vector<std::string>& robot_keys();

/// All robots and bodies of the scenario as one description, so that frames and joints may reach from one to the other:
///
///   robot: arm.urdf     robot: {file: arm.urdf, base: floating}
///   robots: [{file: arm.urdf, name: left, base: fixed, at: {xyz: [0, 0.4, 0]}}, …]
///
/// With a name, it stands with a dot before all names of that robot: left.q1. A base that is not fixed is carried by a joint
/// "base". Files are looked for in the folder.
RobotDescription read_robots(const Map& scenario, const std::filesystem::path& folder, const Constants& constants);

}  // namespace trammel::scenario
