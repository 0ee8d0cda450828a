#pragma once

#include "trammel/math/pose.h"
#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// The pose that the element's <origin> gives, the identity without one. xyz is in m; rpy are angles about the fixed x,
/// then y, then z axis in rad; quat_xyzw (URDF 1.2) a quaternion of unit length to 1e-3, instead of rpy.
Pose<> read_origin(const Element& element);

}  // namespace trammel::urdf
