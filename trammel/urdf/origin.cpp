#include "trammel/urdf/origin.h"

namespace trammel::urdf {

Pose<> read_origin(const Element& element) {
  const std::optional<Element> origin = element.child("origin");
  if (!origin) return {};
  Pose<> pose;
  pose.p = origin->vector("xyz").value_or(Vec3<>::Zero());
  const std::optional<Vec3<>> rpy = origin->vector("rpy");
  const auto xyzw = origin->four_numbers("quat_xyzw");
  if (rpy && xyzw) origin->refuse("quat_xyzw", "either rpy or quat_xyzw", "beside rpy");
  // no rotation leaves the identity untouched to the last bit
  if (rpy && !rpy->isZero(0)) pose.R = rotation_from_rpy(*rpy);
  if (xyzw) {
    const Quaternion<> k((*xyzw)[3], (*xyzw)[0], (*xyzw)[1], (*xyzw)[2]);
    if (!(std::abs(k.norm() - 1) < 1e-3)) origin->refuse("quat_xyzw", "a quaternion of length 1");
    pose.R = rotation_from_quaternion<double>(k.normalized());
  }
  return pose;
}

}  // namespace trammel::urdf
