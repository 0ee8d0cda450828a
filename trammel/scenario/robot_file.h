#pragma once

#include <string>

#include "trammel/urdf/urdf.h"

namespace trammel::scenario {

/// Reads a robot in any of the formats that are known, told apart by the root element: <robot> is URDF, <mujoco> is MJCF.
/// The options are those of URDF.
RobotDescription read_robot_file(const std::string& path, const UrdfOptions& options = {});

}  // namespace trammel::scenario
