#pragma once

#include <string_view>

#include "trammel/model/description.h"

namespace trammel::scenario {

/// Adds to a robot what a file of loops beside its URDF says (toolbox-parallel-robots, arXiv 2504.04767):
///
///   closed_loop: [[A, B], …]      two links or joints (their child links) that meet
///   type: [6d, …]                 6d: a weld; 3d: the origins coincide; 6d where there is none. In either case of letters
///   name_mot: [q1, …]             joints that have a motor
///   joint_name: [ankle, …]        joints that are of another type than the URDF says,
///   joint_type: [SPHERICAL, …]    SPHERICAL or FIXED
///
/// A loop is called "A to B", a motor as its joint. Throws Error with line and column.
void add_loops(std::string_view text, const std::string& file, RobotDescription& out);

}  // namespace trammel::scenario
