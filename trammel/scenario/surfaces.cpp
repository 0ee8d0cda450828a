#include <fmt/core.h>

#include "trammel/constraints/knife_edge.h"
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

// `direction` is the key of the direction, if the surface has one; z where it is not given.
Seat read_seat(const Map& map, const Scope& scope, const char* point, const char* direction) {
  Frame frame;
  if (const auto of = map.find("of")) frame = scope.frame(*of);
  Vec3<> p = Vec3<>::Zero(), d = Vec3<>::UnitZ();
  if (const auto value = map.find(point)) p = value->vector(scope.constants(), Unit::length);
  if (const auto value = direction == nullptr ? std::nullopt : map.find(direction))
    d = read_axis(*value, scope.constants());
  return {BodyPoint(frame.body, frame.X_BF * p), frame.X_BF.R * d};
}

Map plane_map(const Value& value) { return {value, value.what(), {"through", "normal", "of"}}; }

}  // namespace

Laws read_surface(const Value& on, const BodyPoint& P, const Scope& scope) {
  const std::vector<std::string> kinds{"plane", "line", "cylinder", "sphere"};
  const Map map(on, on.what(), kinds);
  const char* const allowed = "one of plane, line, cylinder, sphere";
  if (on.node().keys.empty()) on.refuse(allowed);
  if (on.node().keys.size() > 1)
    map.refuse_key(on.node().keys[1].text, fmt::format("a second surface in {}", on.what()), allowed);
  const std::string& kind = on.node().keys[0].text;
  const Value value = map.required(kind);
  Seat seat;
  Laws laws;
  if (kind == "plane") {
    seat = read_seat(plane_map(value), scope, "through", "normal");
    laws = one_law<PointOnPlane>(P, seat.O, seat.direction_C);
  } else if (kind == "line") {
    seat = read_seat(Map(value, value.what(), {"through", "along", "of"}), scope, "through", "along");
    laws = one_law<PointOnLine>(P, seat.O, seat.direction_C);
  } else {
    const bool is_sphere = kind == "sphere";
    const std::vector<std::string> keys = is_sphere ? std::vector<std::string>{"center", "radius", "of"}
                                                    : std::vector<std::string>{"through", "along", "radius", "of"};
    const Map round(value, value.what(), keys);
    seat = read_seat(round, scope, is_sphere ? "center" : "through", is_sphere ? nullptr : "along");
    const double radius = round.required("radius").positive(scope.constants(), Unit::length);
    laws = is_sphere ? one_law<PointOnSphere>(P, seat.O, radius)
                     : one_law<PointOnCylinder>(P, seat.O, seat.direction_C, radius);
  }
  laws[0].contact = Contact{P, seat.O.body};
  return laws;
}

Laws read_rolls(const Map& map, const Scope& scope) {
  const Frame frame = scope.frame(map.required("rolls"));
  const BodyPoint S(frame);
  const double radius = map.required("radius").positive(scope.constants(), Unit::length);
  const Value on = map.required("on");
  const Seat plane = read_seat(plane_map(Map(on, on.what(), {"plane"}).required("plane")), scope, "through", "normal");

  const std::vector<std::string> shapes{"disc", "sphere"};
  const auto shape = map.find("shape"), axis = map.find("axis"), tyre = map.find("tyre");
  if (shape && shape->word(shapes) == "sphere") {
    for (const auto& other : {axis, tyre})
      if (other) other->refuse(fmt::format("{}, which is a sphere", other->what()), "axis and tyre of discs");
    return one_law<RollingSphere>(S, radius, plane.O, plane.direction_C);
  }
  const Vec3<> a = frame.X_BF.R * (axis ? read_axis(*axis, scope.constants()) : Vec3<>(Vec3<>::UnitZ()));
  if (!tyre) return one_law<RollingDisc>(S, a, radius, plane.O, plane.direction_C);
  const double round = tyre->positive(scope.constants(), Unit::length);
  if (!(round < radius)) tyre->refuse("less than the radius");
  return one_law<RollingWheel>(S, a, radius - round, round, plane.O, plane.direction_C);
}

Laws read_knife_edge(const Map& map, const Scope& scope) {
  const Frame frame = scope.frame(map.required("knife_edge"));
  const auto axis = map.find("axis");
  const Vec3<> sideways = axis ? read_axis(*axis, scope.constants()) : Vec3<>(Vec3<>::UnitY());
  return one_law<KnifeEdge>(BodyPoint(frame), Vec3<>(frame.X_BF.R * sideways));
}

}  // namespace trammel::scenario
