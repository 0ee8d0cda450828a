#pragma once

#include "trammel/constraints/expression_constraint.h"
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

/// An expression that is to be zero; `value` tells what it is.
Law zero_law(const Scope& scope, const Expression& expression, ExpressionConstraint::Value value,
             const std::optional<Expression>& bare = {});

/// A kind of constraint, by the key that tells it. Its reader gets the value of that key, and a map with its keys at most.
struct ConstraintKind {
  const char* key;
  std::vector<std::string> other_keys;
  Laws (*read)(const Value& value, const Map& map, const Scope& scope);
  bool closure = false;  // whether it is a joint between two frames and nothing else, as in hinge: [a, b]
};
/// All of them: the reader, its messages and `trammel words` go by this table in kinds.cpp.
std::span<const ConstraintKind> constraint_kinds();
/// What any of them may have besides.
std::span<const std::string> keys_of_every_constraint();

// Readers with a file of their own; the others stand beside the table.
Laws read_point(const Value& value, const Map& map, const Scope& scope);        // x, y, z, in; or on
Laws read_orientation(const Value& value, const Map& map, const Scope& scope);  // zyz, rpy, or axis and along
Laws read_rolls(const Value& value, const Map& map, const Scope& scope);        // radius, shape, axis, tyre, on, inside

/// A surface that a point can be on: its keys beside `of`, the frame it stands on.
struct SurfaceKind {
  const char* key;
  const char* point;      // of a place
  const char* direction;  // of an axis or a normal; nullptr for none
  bool has_radius;
  Laws (*make)(const BodyPoint& P, const BodyPoint& O, const Vec3<>& direction_C, double radius);

  std::vector<std::string> keys() const;
};
/// All of them: the table is in surfaces.cpp.
std::span<const SurfaceKind> surface_kinds();

/// A point on one of them.
Laws read_surface(const Value& on, const BodyPoint& P, const Scope& scope);

}  // namespace trammel::scenario
