#pragma once

#include <string>

#include "trammel/model/description.h"

namespace trammel::scenario {

/// Reads a robot in any of the formats that are known, told apart by the root element: <robot> is URDF, <mujoco> is MJCF.
RobotDescription read_robot_file(const std::string& path);

}  // namespace trammel::scenario
