#pragma once

#include <string>
#include <string_view>

#include "trammel/urdf/urdf.h"

namespace trammel::scenario {

/// Reads a robot in any of the formats that are known, told apart by the root element: <robot> is URDF, <mujoco> is MJCF.
/// The options are those of URDF; MJCF knows the packages alone.
RobotDescription read_robot_file(const std::string& path, const UrdfOptions& options = {});
/// The same from text; `file` stands in messages.
RobotDescription parse_robot(std::string_view text, const std::string& file, const UrdfOptions& options = {});

}  // namespace trammel::scenario
