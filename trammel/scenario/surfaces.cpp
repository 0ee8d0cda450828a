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

namespace {

// A surface as it stands in the file: {plane: {…}}, its seat and radius.
struct GivenSurface {
  const SurfaceKind& kind;
  Seat seat;
  double radius;
};

GivenSurface read_given(const Value& on, std::span<const std::string> names, const Scope& scope) {
  const Map map(on, on.what(), {names.begin(), names.end()});
  const std::string allowed = allowed_names("", names);
  if (on.node().keys.empty()) on.refuse(allowed);
  if (on.node().keys.size() > 1)
    map.refuse_key(on.node().keys[1].text, fmt::format("a second surface in {}", on.what()), allowed);
  const SurfaceKind& kind = *std::ranges::find(surfaces, on.node().keys[0].text, &SurfaceKind::key);
  const Value value = map.required(kind.key);
  const Map given(value, value.what(), kind.keys());
  const Seat seat = read_seat(kind, given, scope);
  return {kind, seat, kind.has_radius ? given.required("radius").positive(scope.constants(), Unit::length) : 0};
}

// What a wheel rolls on or inside: exactly one is given.
Ground read_ground(const Map& map, const Scope& scope) {
  const auto inside = map.find("inside");
  if (inside && map.has("on"))
    map.refuse_key("inside", fmt::format("both 'on' and 'inside' in {}", map.whose()), "one of them");
  if (!inside && !map.has("on"))
    throw Error(map.place(), fmt::format("nothing that {} rolls on", map.whose()), "on: {plane: {}} or inside: {…}");
  const std::vector<std::string> around{"plane", "cylinder", "sphere"}, hollow{"cylinder", "sphere"};
  const GivenSurface given =
      inside ? read_given(*inside, hollow, scope) : read_given(map.required("on"), around, scope);
  const Ground::Side side = inside ? Ground::Side::inside : Ground::Side::outside;
  const std::string_view shape = given.kind.key;
  if (shape == "plane") return Ground::plane(given.seat.O, given.seat.direction_C);
  if (shape == "sphere") return Ground::sphere(given.seat.O, given.radius, side);
  return Ground::cylinder(given.seat.O, given.seat.direction_C, given.radius, side);
}

}  // namespace

Laws read_surface(const Value& on, const BodyPoint& P, const Scope& scope) {
  std::vector<std::string> names;
  for (const SurfaceKind& kind : surfaces) names.emplace_back(kind.key);
  const GivenSurface given = read_given(on, names, scope);
  Laws laws = given.kind.make(P, given.seat.O, given.seat.direction_C, given.radius);
  laws[0].contact = Contact{P, given.seat.O.body};
  return laws;
}

Laws read_rolls(const Value& value, const Map& map, const Scope& scope) {
  const Frame& frame = scope.frame(value);
  const BodyPoint S(frame);
  const Value radius_value = map.required("radius");
  const double radius = radius_value.positive(scope.constants(), Unit::length);
  const Ground ground = read_ground(map, scope);
  if (ground.side == Ground::Side::inside && !(radius < ground.radius))
    radius_value.refuse(fmt::format("less than {:g} m, that of what it rolls inside", ground.radius));

  const std::vector<std::string> shapes{"disc", "sphere"};
  const auto shape = map.find("shape"), axis = map.find("axis"), tyre = map.find("tyre");
  if (shape && shape->word(shapes) == "sphere") {
    for (const auto& other : {axis, tyre})
      if (other) other->refuse(fmt::format("{}, which is a sphere", other->what()), "axis and tyre of discs");
    return one_law<RollingSphere>(S, radius, ground);
  }
  if (ground.shape == Ground::Shape::cylinder)
    value.refuse("a disc that rolls on a cylinder", "shape: sphere there; discs on planes and spheres");
  const Vec3<> a = frame.X_BF.R * (axis ? read_axis(*axis, scope.constants()) : Vec3<>(Vec3<>::UnitZ()));
  if (!tyre) return one_law<RollingDisc>(S, a, radius, ground);
  const double round = tyre->positive(scope.constants(), Unit::length);
  if (!(round < radius)) tyre->refuse("less than the radius");
  return one_law<RollingWheel>(S, a, radius - round, round, ground);
}

}  // namespace trammel::scenario
