#include <fmt/core.h>

#include "trammel/constraints/point_on_path.h"
#include "trammel/scenario/law.h"

// A point that is led along some axes.

namespace trammel::scenario {
namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

struct Target {
  std::optional<Expression> expression;  // none: the axis is free
  std::optional<Expression> bare;        // what `start` means in it
};
using Targets = std::array<Target, 3>;

// All axes as one law, on paths.
Law path_law(const BodyPoint& P, const Targets& targets, const std::optional<Frame>& in) {
  Law law;
  PointOnPath::Axes axes{};
  bool stands = true;
  for (int i = 0; i < 3; ++i) {
    axes[i] = targets[i].expression.has_value();
    law.needs_start |= axes[i] && uses_start(*targets[i].expression);
    stands &= !axes[i] || !uses_time(*targets[i].expression);
  }
  law.make = [P, targets, in, axes, stands](const Start& start) {
    std::array<ScalarPath, 3> paths;
    for (int i = 0; i < 3; ++i)
      paths[i] = axes[i] ? start.path(*targets[i].expression, targets[i].bare) : [](const Jet&) { return Jet(0); };
    const VectorPath path = [paths](const Jet& t) { return Vec3<Jet>(paths[0](t), paths[1](t), paths[2](t)); };
    const Frame frame = in.value_or(Frame{"world", world, {}});
    return stands ? std::make_shared<PointOnPath>(P, at(path, 0.0), frame, axes)
                  : std::make_shared<PointOnPath>(P, path, frame, axes);
  };
  return law;
}

// An axis whose target depends on the robot.
Law moving_law(const Scope& scope, const Frame& frame, int axis, const Target& target) {
  const std::string text = fmt::format("{} - ({})", Scope::term(frame, axis), target.expression->text());
  Law law = zero_law(scope, scope.composed(text, true), ExpressionConstraint::Value::length, target.bare);
  law.suffix = fmt::format(" {}", axis_names[axis]);
  return law;
}

}  // namespace

Laws read_point(const Value& value, const Map& map, const Scope& scope) {
  const Frame& frame = scope.frame(value);
  const BodyPoint P(frame);
  if (const auto on = map.find("on")) {
    for (const char* key : {"x", "y", "z", "in"})
      if (map.has(key)) map.refuse_key(key, fmt::format("both 'on' and '{}' in {}", key, map.whose()), "one of them");
    return read_surface(*on, P, scope);
  }

  std::optional<Frame> in;
  if (const auto given = map.find("in")) in = scope.frame(*given);
  Targets targets;
  bool any = false, all_of_time = true;
  for (int i = 0; i < 3; ++i) {
    const auto given = map.find(axis_names[i]);
    if (!given) continue;
    any = true;
    const Expression expression = in ? scope.path(*given, Unit::length) : scope.target(*given, Unit::length, true);
    if (expression.has_speeds()) given->refuse("an expression without velocities; for those use an equation");
    expression.check_differentiable();
    all_of_time = all_of_time && !moves_with_robot(expression);
    targets[i] = {expression, in ? std::optional<Expression>() : scope.composed(Scope::term(frame, i))};
  }
  if (!any) throw Error(map.place(), fmt::format("nothing to lead the point of {}", map.whose()), "x, y, z, or on");
  if (all_of_time) return {path_law(P, targets, in)};
  Laws laws;
  for (int i = 0; i < 3; ++i)
    if (targets[i].expression) laws.push_back(moving_law(scope, frame, i, targets[i]));
  if (laws.size() == 1) laws[0].suffix.clear();
  return laws;
}

}  // namespace trammel::scenario
