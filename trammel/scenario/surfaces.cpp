#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/point_on_sphere.h"
#include "trammel/constraints/rolling.h"
#include "trammel/scenario/geometry.h"
#include "trammel/scenario/law.h"

// Points and wheels on planes, lines, cylinders and spheres, which stand in the world or on a frame.

namespace trammel::scenario {
namespace {

// A point and a direction of a surface, on the body that carries it.
struct Seat {
  BodyPoint O;
  Vec3<> direction_C;
};

// The origin and the z axis where they are not given.
Seat read_seat(const SurfaceKind& kind, const Map& map, const Scope& scope) {
  Frame frame;
  if (const auto of = map.find("of")) frame = scope.frame(*of);
  Vec3<> p = Vec3<>::Zero(), d = Vec3<>::UnitZ();
  if (const auto value = map.find(kind.point)) p = value->vector(scope.constants(), Unit::length);
  if (const auto value = kind.direction == nullptr ? std::nullopt : map.find(kind.direction))
    d = read_axis(*value, scope.constants());
  return {BodyPoint(frame.body, frame.X_BF * p), frame.X_BF.R * d};
}

constexpr SurfaceKind plane{"plane", "through", "normal", false,
                            [](const BodyPoint& P, const BodyPoint& O, const Vec3<>& normal_C, double) {
                              return one_law<PointOnPlane>(P, O, normal_C);
                            }};
constexpr SurfaceKind surfaces[] = {
    plane,
    {"line", "through", "along", false,
     [](const BodyPoint& P, const BodyPoint& O, const Vec3<>& along_C, double) {
       return one_law<PointOnLine>(P, O, along_C);
     }},
    {"cylinder", "through", "along", true,
     [](const BodyPoint& P, const BodyPoint& O, const Vec3<>& along_C, double radius) {
       return one_law<PointOnCylinder>(P, O, along_C, radius);
     }},
    {"sphere", "center", nullptr, true, [](const BodyPoint& P, const BodyPoint& O, const Vec3<>&, double radius) {
       return one_law<PointOnSphere>(P, O, radius);
     }}};

}  // namespace

std::vector<std::string> SurfaceKind::keys() const {
  std::vector<std::string> out{point};
  if (direction != nullptr) out.emplace_back(direction);
  if (has_radius) out.emplace_back("radius");
  out.emplace_back("of");
  return out;
}

std::span<const SurfaceKind> surface_kinds() { return surfaces; }

Laws read_surface(const Value& on, const BodyPoint& P, const Scope& scope) {
  std::vector<std::string> names;
  for (const SurfaceKind& kind : surfaces) names.emplace_back(kind.key);
  const Map map(on, on.what(), names);
  const std::string allowed = allowed_names("", names);
  if (on.node().keys.empty()) on.refuse(allowed);
  if (on.node().keys.size() > 1)
    map.refuse_key(on.node().keys[1].text, fmt::format("a second surface in {}", on.what()), allowed);
  const SurfaceKind& kind = *std::ranges::find(surfaces, on.node().keys[0].text, &SurfaceKind::key);
  const Value value = map.required(kind.key);
  const Map given(value, value.what(), kind.keys());
  const Seat seat = read_seat(kind, given, scope);
  const double radius = kind.has_radius ? given.required("radius").positive(scope.constants(), Unit::length) : 0;
  Laws laws = kind.make(P, seat.O, seat.direction_C, radius);
  laws[0].contact = Contact{P, seat.O.body};
  return laws;
}

Laws read_rolls(const Value& value, const Map& map, const Scope& scope) {
  const Frame& frame = scope.frame(value);
  const BodyPoint S(frame);
  const double radius = map.required("radius").positive(scope.constants(), Unit::length);
  const Value on = map.required("on"), ground = Map(on, on.what(), {plane.key}).required(plane.key);
  const Seat seat = read_seat(plane, Map(ground, ground.what(), plane.keys()), scope);

  const std::vector<std::string> shapes{"disc", "sphere"};
  const auto shape = map.find("shape"), axis = map.find("axis"), tyre = map.find("tyre");
  if (shape && shape->word(shapes) == "sphere") {
    for (const auto& other : {axis, tyre})
      if (other) other->refuse(fmt::format("{}, which is a sphere", other->what()), "axis and tyre of discs");
    return one_law<RollingSphere>(S, radius, seat.O, seat.direction_C);
  }
  const Vec3<> a = frame.X_BF.R * (axis ? read_axis(*axis, scope.constants()) : Vec3<>(Vec3<>::UnitZ()));
  if (!tyre) return one_law<RollingDisc>(S, a, radius, seat.O, seat.direction_C);
  const double round = tyre->positive(scope.constants(), Unit::length);
  if (!(round < radius)) tyre->refuse("less than the radius");
  return one_law<RollingWheel>(S, a, radius - round, round, seat.O, seat.direction_C);
}

}  // namespace trammel::scenario
