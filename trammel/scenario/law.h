#pragma once

#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// Where a constraint presses, for friction.
struct Contact {
  BodyPoint at;
  int other_body = world;
};

/// A constraint that was read, to be made when the start is known. One item of the scenario may give several: then each has
/// something of its own behind its name.
struct Law {
  std::string suffix{};  // " x", " tip2"
  bool needs_start = false;
  std::function<std::shared_ptr<const Constraint>(const Start&)> make{};
  std::optional<Contact> contact{};  // where friction can act
};
using Laws = std::vector<Law>;

/// One that does not depend on the start.
template <class Kind, class... Arguments>
Laws one_law(Arguments... arguments) {
  return {{.make = [arguments...](const Start&) { return std::make_shared<Kind>(arguments...); }}};
}

/// An expression that is to be zero.
Law zero_law(const Scope& scope, const Expression& expression, const std::optional<Expression>& bare = {});

/// A kind of constraint, by the key that tells it. The readers get a map with these keys at most.
struct ConstraintKind {
  const char* key;
  std::vector<std::string> other_keys;
  Laws (*read)(const Map& map, const Scope& scope);
};
std::span<const ConstraintKind> constraint_kinds();

Laws read_point(const Map& map, const Scope& scope);        // x, y, z, in; or on
Laws read_coincide(const Map& map, const Scope& scope);     // axes
Laws read_hinge(const Map& map, const Scope& scope);        //
Laws read_weld(const Map& map, const Scope& scope);         //
Laws read_distance(const Map& map, const Scope& scope);     // length
Laws read_equation(const Map& map, const Scope& scope);     //
Laws read_orientation(const Map& map, const Scope& scope);  // zyz, rpy, or axis and along
Laws read_rolls(const Map& map, const Scope& scope);        // radius, shape, axis, tyre, on
Laws read_knife_edge(const Map& map, const Scope& scope);   // axis

/// A point on a plane, a line, a cylinder or a sphere.
Laws read_surface(const Value& on, const BodyPoint& P, const Scope& scope);

}  // namespace trammel::scenario
