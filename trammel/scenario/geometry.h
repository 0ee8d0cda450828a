#pragma once

#include "trammel/math/pose.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// {xyz: [0, 0.4, 0], rpy: [0, 0, 90 deg]}, m and rad; what is missing is zero. rpy as URDF means it.
Pose<> read_pose(const Value& value, const Constants& constants);

/// x, y, z, -x, -y, -z, or [1, 1, 0], which must have a direction. Of unit length.
Vec3<> read_axis(const Value& value, const Constants& constants);

}  // namespace trammel::scenario
