#include <fmt/core.h>

#include "trammel/constraints/coincident.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/expression_constraint.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/scenario/geometry.h"
#include "trammel/scenario/law.h"

// The table of the kinds of constraints, with the readers of those that are short: constraints between frames, and
// equations.

namespace trammel::scenario {
namespace {

std::pair<Frame, Frame> read_two_frames(const Value& value, const Scope& scope) {
  const std::vector<Frame> both = scope.frames(value, 2, 2, "two frames, as in [a, b]");
  return {both[0], both[1]};
}

// x, xy, xyz … as unit vectors.
Eigen::Matrix<double, 3, Eigen::Dynamic> read_axes(const std::optional<Value>& value) {
  const std::string axes = value ? value->text("axes such as xy") : "xyz";
  Eigen::Matrix<double, 3, Eigen::Dynamic> out(3, 0);
  for (const char axis : axes) {
    const bool known = axis >= 'x' && axis <= 'z';
    if (!known || std::ranges::count(axes, axis) > 1) value->refuse("some of x, y, z, each once, as in xy");
    out.conservativeResize(3, out.cols() + 1);
    out.col(out.cols() - 1) = Vec3<>::Unit(axis - 'x');
  }
  if (out.cols() == 0) value->refuse("some of x, y, z, each once, as in xy");
  return out;
}

// A kind that is a joint between two frames.
template <class Kind>
ConstraintKind closure(const char* key) {
  const auto read = [](const Value& value, const Map&, const Scope& scope) {
    const auto [F, M] = read_two_frames(value, scope);
    return one_law<Kind>(F, M);
  };
  return {key, {}, read, true};
}

Laws read_equation(const Value& value, const Map&, const Scope& scope) {
  return {zero_law(scope, scope.equation(value), ExpressionConstraint::Value::any)};
}

Laws read_coincide(const Value& value, const Map& map, const Scope& scope) {
  constexpr std::size_t any_number = 1000;
  const std::vector<Frame> frames = scope.frames(value, 2, any_number, "two frames or more, as in [a, b]");
  const auto axes = read_axes(map.find("axes"));
  Laws laws;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    Laws law = one_law<Coincident>(BodyPoint(frames[0]), BodyPoint(frames[i]), world, axes);
    if (frames.size() > 2) law[0].suffix = " " + frames[i].name;
    laws.push_back(std::move(law[0]));
  }
  return laws;
}

Laws read_distance(const Value& value, const Map& map, const Scope& scope) {
  const auto [P, S] = read_two_frames(value, scope);
  const Value given = map.required("length");
  const Expression length = scope.target(given, Unit::length);
  if (length.is_constant())
    return one_law<Distance>(BodyPoint(P), BodyPoint(S), given.positive(scope.constants(), Unit::length));
  if (length.has_speeds()) given.refuse("a length without velocities; for those use an equation");
  length.check_differentiable();
  std::string squares;
  for (int i = 0; i < 3; ++i)
    squares += fmt::format("{}({} - {})^2", i == 0 ? "" : " + ", Scope::term(P, i), Scope::term(S, i));
  return {zero_law(scope, scope.composed(fmt::format("sqrt({}) - ({})", squares, length.text())),
                   ExpressionConstraint::Value::length)};
}

Laws read_knife_edge(const Value& value, const Map& map, const Scope& scope) {
  const Frame& frame = scope.frame(value);
  const auto axis = map.find("axis");
  const Vec3<> sideways = axis ? read_axis(*axis, scope.constants()) : Vec3<>(Vec3<>::UnitY());
  return one_law<KnifeEdge>(BodyPoint(frame), Vec3<>(frame.X_BF.R * sideways));
}

// Two joints, by their coordinates: first − ratio·second = offset, which may change with the time.
Laws coupling(const std::array<int, 2>& q, double ratio, const Map& map, const Scope& scope, Unit unit) {
  const auto value = map.find("offset");
  const Expression offset = value ? scope.path(*value, unit) : Expression();
  return {{.needs_start = uses_start(offset), .make = [&model = scope.model(), q, ratio, offset](const Start& start) {
             const std::vector<JointCoupling::Term> terms{{q[0], 1}, {q[1], -ratio}};
             if (offset.is_constant()) return std::make_shared<JointCoupling>(model, terms, start.value(offset));
             return std::make_shared<JointCoupling>(model, terms, start.path(offset));
           }}};
}

// Those of two different joints, or of two coordinates of one.
std::array<int, 2> read_two_joints(const Value& value, const char* allowed, const Scope& scope) {
  const std::vector<Value> names = value.list_of(2, allowed);
  const std::array<int, 2> q{scope.coordinate(names[0].name(), names[0].place()),
                             scope.coordinate(names[1].name(), names[1].place())};
  for (int i = 0; i < 2; ++i)
    if (scope.unit_of_coordinate(q[i]) == Unit::none)
      names[i].refuse(fmt::format("'{}', a coordinate of a quaternion", names[i].node().text),
                      "an angle or a displacement");
  if (q[0] == q[1])
    names[1].refuse(fmt::format("'{}' for the second time", names[1].node().text), "two different joints");
  return q;
}

Laws read_gear(const Value& value, const Map& map, const Scope& scope) {
  const std::array<int, 2> q = read_two_joints(value, "two joints, as in [motor, arm]", scope);
  const Value ratio = map.required("ratio");
  const double number = ratio.number(scope.constants(), Unit::none);
  if (number == 0) ratio.refuse("how far the first joint goes when the second goes by 1: not 0");
  return coupling(q, number, map, scope, scope.unit_of_coordinate(q[0]));
}

Laws read_rack(const Value& value, const Map& map, const Scope& scope) {
  const std::array<int, 2> q =
      read_two_joints(value, "a joint that slides and one that turns, as in [rack, pinion]", scope);
  const std::vector<Value> names = value.list();
  if (scope.unit_of_coordinate(q[0]) != Unit::length)
    names[0].refuse(fmt::format("'{}', which turns", names[0].node().text),
                    "a joint that slides first, then the pinion's");
  if (scope.unit_of_coordinate(q[1]) != Unit::angle)
    names[1].refuse(fmt::format("'{}', which slides", names[1].node().text), "the joint of the pinion, which turns");
  return coupling(q, map.required("radius").positive(scope.constants(), Unit::length), map, scope, Unit::length);
}

}  // namespace

std::span<const ConstraintKind> constraint_kinds() {
  static const std::vector<ConstraintKind> kinds{
      {"point", {"x", "y", "z", "in", "on"}, read_point},
      {"coincide", {"axes"}, read_coincide},
      closure<HingeClosure>("hinge"),
      closure<SlideClosure>("slide"),
      closure<Weld>("weld"),
      {"distance", {"length"}, read_distance},
      {"equation", {}, read_equation},
      {"orientation", {"zyz", "rpy", "axis", "along"}, read_orientation},
      {"rolls", {"radius", "shape", "axis", "tyre", "on", "inside"}, read_rolls},
      {"knife_edge", {"axis"}, read_knife_edge},
      {"gear", {"ratio", "offset"}, read_gear},
      {"rack", {"radius", "offset"}, read_rack}};
  return kinds;
}

Law zero_law(const Scope& scope, const Expression& expression, ExpressionConstraint::Value value,
             const std::optional<Expression>& bare) {
  return {.needs_start = uses_start(expression),
          .make = [&model = scope.model(), inputs = scope.inputs(), expression, value, bare](const Start& start) {
            return std::make_shared<ExpressionConstraint>(model, expression, start.values(expression, bare), inputs,
                                                          value);
          }};
}

}  // namespace trammel::scenario
