#include "trammel/scenario/geometry.h"

namespace trammel::scenario {

Pose<> read_pose(const Value& value, const Constants& constants) {
  const Map map(value, value.what(), {"xyz", "rpy"});
  Pose<> pose;
  if (const auto xyz = map.find("xyz")) pose.p = xyz->vector(constants, Unit::length);
  if (const auto rpy = map.find("rpy")) pose.R = rotation_from_rpy(rpy->vector(constants, Unit::angle));
  return pose;
}

Vec3<> read_axis(const Value& value, const Constants& constants) {
  const char* const allowed = "x, y, z, -x, -y, -z or three numbers with a direction";
  if (value.is_list()) {
    const Vec3<> axis = value.vector(constants, Unit::none);
    if (!(axis.norm() > 1e-9) || !std::isfinite(axis.norm())) value.refuse("no direction as " + value.what(), allowed);
    return axis.normalized();
  }
  std::string_view name = value.text(allowed);
  const double sign = name.starts_with('-') ? -1 : 1;
  if (sign < 0) name.remove_prefix(1);
  if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') value.refuse(allowed);
  return sign * Vec3<>::Unit(name[0] - 'x');
}

}  // namespace trammel::scenario
