#include "trammel/system/forces.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/scenario/plan.h"
#include "trammel/scenario/run.h"

namespace trammel::scenario {
namespace {

// The user's name, or one made of what it is; numbered if several would have it.
std::string force_name(const Map& map, const std::string& otherwise, const Plan& plan) {
  if (const auto name = map.find("name")) return name->name();
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(plan.forces, [&](const auto& other) { return other.name == name; });
  };
  std::string name = otherwise;
  for (int k = 2; taken(name); ++k) name = fmt::format("{} {}", otherwise, k);
  return name;
}

// What gives the force its value, once the start is known.
using Binding = std::function<BoundExpression(const Start&)>;
Binding bound(const Scope& scope, const Expression& expression) {
  return [&model = scope.model(), inputs = scope.inputs(), expression](const Start& start) {
    return BoundExpression(model, expression, start.values(expression), inputs);
  };
}

void read_joint_force(const Value& item, const Map& map, const Scope& scope, Plan& out) {
  const Value joint = map.required("joint");
  const int velocity = scope.velocity(joint.name(), joint.place());
  const bool is_torque = scope.turns(velocity);
  const char *const right = is_torque ? "torque" : "force", *const wrong = is_torque ? "force" : "torque";
  if (const auto value = map.find(wrong))
    value->refuse(fmt::format("a {} on joint '{}', which {}", wrong, joint.node().text, is_torque ? "turns" : "slides"),
                  fmt::format("{}: …", right));
  const Expression law = scope.expression(map.required(right));
  const Binding value = bound(scope, law);
  const std::string name = force_name(map, fmt::format("{} on {}", right, joint.node().text), out);
  out.forces.push_back({name,
                        [&model = scope.model(), velocity, value](const Start& start) {
                          return std::make_shared<JointForce>(model, velocity, value(start));
                        },
                        item.place(), uses_start(law)});
}

struct ThreeBindings {
  std::array<Binding, 3> parts;
  bool need_start = false;

  std::array<BoundExpression, 3> operator()(const Start& start) const {
    return {parts[0](start), parts[1](start), parts[2](start)};
  }
};

ThreeBindings read_three(const Value& value, const Scope& scope) {
  const std::vector<Value> parts = value.list_of(3, "three expressions: [x, y, z]");
  ThreeBindings out;
  for (int i = 0; i < 3; ++i) {
    const Expression law = scope.expression(parts[i]);
    out.parts[i] = bound(scope, law);
    out.need_start |= uses_start(law);
  }
  return out;
}

// Of the frame `in`, or the world's.
BodyAxes read_axes_of_force(const Map& map, const Scope& scope) {
  const auto in = map.find("in");
  return in ? BodyAxes(scope.frame(*in)) : BodyAxes();
}

void read_point_force(const Value& item, const Map& map, const Scope& scope, Plan& out) {
  const Frame& frame = scope.frame(map.required("point"));
  const ThreeBindings f = read_three(map.required("force"), scope);
  const BodyAxes along = read_axes_of_force(map, scope);
  if (frame.body == world)
    item.refuse(fmt::format("a force on frame '{}', which cannot move", frame.name), "a frame of a body that moves");
  out.forces.push_back({force_name(map, "force on " + frame.name, out),
                        [P = BodyPoint(frame), f, along](const Start& start) {
                          return std::make_shared<PointForce>(P, f(start), along);
                        },
                        item.place(), f.need_start});
}

void read_body_torque(const Value& item, const Map& map, const Scope& scope, Plan& out) {
  const Frame& frame = scope.frame(map.required("body"));
  const ThreeBindings n = read_three(map.required("torque"), scope);
  const BodyAxes along = read_axes_of_force(map, scope);
  if (frame.body == world)
    item.refuse(fmt::format("a torque on '{}', which cannot move", frame.name), "a body that moves");
  out.forces.push_back({force_name(map, "torque on " + frame.name, out),
                        [body = frame.body, n, along](const Start& start) {
                          return std::make_shared<BodyTorque>(body, n(start), along);
                        },
                        item.place(), n.need_start});
}

void read_spring(const Value& item, const Map& map, const Scope& scope, Plan& out) {
  const std::vector<Frame> ends = scope.frames(map.required("spring"), 2, 2, "two frames, as in [a, b]");
  const Frame &P = ends[0], &S = ends[1];
  const auto number = [&](const char* key, Unit unit) {
    const auto value = map.find(key);
    return value ? value->not_negative(scope.constants(), unit) : 0.0;
  };
  const double stiffness = number("stiffness", Unit::any), damping = number("damping", Unit::any),
               length = number("length", Unit::length);
  if (!map.has("stiffness") && !map.has("damping")) map.required("stiffness");
  const auto law = std::make_shared<SpringDamper>(BodyPoint(P), BodyPoint(S), stiffness, damping, length);
  out.forces.push_back({force_name(map, fmt::format("spring {} {}", P.name, S.name), out),
                        [law](const Start&) { return law; }, item.place()});
}

std::string text_of_period(double period) {
  return period > 0 ? fmt::format("every {:g} s", period) : "without `every`";
}

const ForceKind* force_kind_of(const Value& item) {
  for (const ForceKind& kind : force_kinds())
    if (item.is_map() && item.node().find(kind.key) != nullptr) return &kind;
  return nullptr;
}

[[noreturn]] void refuse_kind(const Value& item) {
  std::vector<std::string> forms;
  for (const ForceKind& kind : force_kinds()) forms.insert(forms.end(), kind.forms.begin(), kind.forms.end());
  const std::string allowed = alternatives(forms);
  if (!item.is_map() || item.node().keys.empty()) item.refuse(allowed);
  const Node::Key& first = item.node().keys[0];
  throw Error(first.place, fmt::format("key {} in {}", expression::shown(first.text), item.what()), allowed);
}

}  // namespace

std::span<const ForceKind> force_kinds() {
  static const std::vector<ForceKind> kinds{
      {"joint", {"torque", "force"}, {"{joint, torque}", "{joint, force}"}, read_joint_force},
      {"point", {"force", "in"}, {"{point, force}"}, read_point_force},
      {"body", {"torque", "in"}, {"{body, torque}"}, read_body_torque},
      {"spring", {"stiffness", "damping", "length"}, {"{spring, stiffness, damping, length}"}, read_spring}};
  return kinds;
}

void read_forces(const Value& value, const Scope& scope, Plan& out) {
  for (const Value& item : value.list("a list of forces")) {
    const ForceKind* kind = force_kind_of(item);
    if (kind == nullptr) refuse_kind(item);
    std::vector<std::string> keys{kind->key};
    keys.insert(keys.end(), kind->other_keys.begin(), kind->other_keys.end());
    keys.emplace_back("name");
    kind->read(item, Map(item, item.what(), keys), scope, out);
  }
}

void read_changing_gravity(const Value& value, const std::array<bool, 3>& changes, const Scope& scope, Plan& out) {
  const std::vector<Value> parts = value.list_of(3, "three numbers: [x, y, z]");
  ThreeBindings g;
  for (int i = 0; i < 3; ++i) {
    const Expression law = changes[i] ? scope.expression(parts[i]) : Expression();
    if (moves_with_robot(law)) parts[i].refuse("an expression of t, of constants and inputs");
    g.parts[i] = bound(scope, law);
    g.need_start |= uses_start(law);
  }
  out.forces.push_back(
      {"gravity",
       [&model = scope.model(), g](const Start& start) { return std::make_shared<ChangingGravity>(model, g(start)); },
       value.place(), g.need_start});
}

void read_actuators(const Value& value, const Scope& scope, Plan& out) {
  const std::vector<Value> items = value.list("a list of {joint, limit, weight, every}");
  for (const Value& item : items) {
    const Map map(item, item.what(), {"joint", "limit", "weight", "every", "name"});
    const Value joint = map.required("joint");
    Actuator actuator;
    actuator.name = joint.name();
    actuator.velocity = scope.velocity(actuator.name, joint.place());
    for (const auto& [other, place] : out.actuators)
      if (other.velocity == actuator.velocity)
        joint.refuse(fmt::format("a second actuator of joint '{}'", actuator.name), "each joint once");
    if (const auto name = map.find("name")) actuator.name = name->name();
    if (const auto limit = map.find("limit")) actuator.limit = limit->positive(scope.constants());
    if (const auto weight = map.find("weight")) actuator.weight = weight->positive(scope.constants(), Unit::none);
    const auto every = map.find("every");
    const double period = every ? read_step(*every, scope.constants(), scope.duration()) : 0;
    if (!out.actuators.empty() && period != out.motors_every)
      (every ? *every : item)
          .refuse(fmt::format("motor '{}' {}, beside '{}' {}", actuator.name, text_of_period(period),
                              out.actuators.back().first.name, text_of_period(out.motors_every)),
                  "the same `every` for all, or none: their torques are computed together");
    out.motors_every = period;
    out.actuators.emplace_back(actuator, item.place());
  }
}

void put_forces_and_actuators(const Plan& plan, const Start& start, System& out) {
  for (const Plan::PlannedForce& planned : plan.forces)
    at_place(planned.place, [&] { out.apply(planned.name, planned.make(start)); });
  for (const auto& [actuator, place] : plan.actuators) at_place(place, [&, &given = actuator] { out.drive(given); });
}

}  // namespace trammel::scenario
