#include "trammel/constraints/orientation_on_path.h"

#include <fmt/core.h>

#include "trammel/constraints/axis_on_path.h"
#include "trammel/scenario/geometry.h"
#include "trammel/scenario/law.h"

// A frame whose orientation is led.

namespace trammel::scenario {
namespace {

using Three = std::array<Expression, 3>;

Three three_paths(const Value& value, const Scope& scope, Unit unit, const char* allowed) {
  const std::vector<Value> parts = value.list_of(3, allowed);
  return {scope.path(parts[0], unit), scope.path(parts[1], unit), scope.path(parts[2], unit)};
}

bool need_start(const Three& expressions) { return std::ranges::any_of(expressions, uses_start); }

std::array<ScalarPath, 3> paths_of(const Three& expressions, const Start& start) {
  return {start.path(expressions[0]), start.path(expressions[1]), start.path(expressions[2])};
}

// R = Rz(yaw) Ry(pitch) Rx(roll).
RotationPath rpy_path(const std::array<ScalarPath, 3>& angles) {
  return [angles](const Jet& t) {
    const Jet roll = angles[0](t), pitch = angles[1](t), yaw = angles[2](t);
    const Jet c = cos(pitch), s = sin(pitch);
    Mat3<Jet> Ry = Mat3<Jet>::Identity();
    Ry(0, 0) = Ry(2, 2) = c;
    Ry(0, 2) = s;
    Ry(2, 0) = -s;
    const Mat3<Jet> Rz = turned_about_z<Jet>(Mat3<Jet>::Identity(), yaw);
    return turned_about_x<Jet>(Mat3<Jet>(Rz * Ry), roll);
  };
}

}  // namespace

Laws read_orientation(const Value& value, const Map& map, const Scope& scope) {
  const Frame& frame = scope.frame(value);
  const auto zyz = map.find("zyz"), rpy = map.find("rpy"), axis = map.find("axis"), along = map.find("along");
  const int given = static_cast<int>(zyz.has_value()) + static_cast<int>(rpy.has_value()) +
                    static_cast<int>(axis.has_value() || along.has_value());
  const char* const allowed = "one of zyz, rpy, or axis with along";
  if (given == 0) throw Error(map.place(), fmt::format("no orientation of {}", map.whose()), allowed);
  if (given > 1)
    map.refuse_key(zyz && rpy ? "rpy"
                   : axis     ? "axis"
                              : "along",
                   fmt::format("several orientations of {}", map.whose()), allowed);
  if (zyz || rpy) {
    const Three angles = three_paths(zyz ? *zyz : *rpy, scope, Unit::angle, "three angles, as in [0, pi/6, 0.2*t]");
    const bool is_zyz = zyz.has_value();
    return {{.needs_start = need_start(angles), .make = [frame, angles, is_zyz](const Start& start) {
               const std::array<ScalarPath, 3> paths = paths_of(angles, start);
               return std::make_shared<OrientationOnPath>(
                   frame, is_zyz ? zyz_path(paths[0], paths[1], paths[2]) : rpy_path(paths));
             }}};
  }
  const BodyDirection m{frame.body, frame.X_BF.R * read_axis(map.required("axis"), scope.constants())};
  const Value along_value = map.required("along");
  if (along_value.is_text()) {  // z, -x
    const Vec3<> fixed = read_axis(along_value, scope.constants());
    return {{.make = [m, fixed](const Start&) {
      return std::make_shared<AxisOnPath>(m, [fixed](const Jet&) { return Vec3<Jet>(fixed.cast<Jet>()); });
    }}};
  }
  const Three n = three_paths(along_value, scope, Unit::none, "a direction, as in z or [0, 0, 1]");
  if (std::ranges::all_of(n, &Expression::is_constant)) read_axis(along_value, scope.constants());  // refuses [0, 0, 0]
  return {{.needs_start = need_start(n), .make = [m, n](const Start& start) {
             const std::array<ScalarPath, 3> paths = paths_of(n, start);
             return std::make_shared<AxisOnPath>(
                 m, [paths](const Jet& t) { return Vec3<Jet>(paths[0](t), paths[1](t), paths[2](t)); });
           }}};
}

}  // namespace trammel::scenario
