#include "trammel/scenario/described.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/base/names.h"

namespace trammel::scenario {
namespace {

// Values of a scenario that nobody wrote; complaints stand at the place of what they are made from.
Node text_of(const std::string& text, const Place& place) {
  return {.kind = Node::Kind::text, .place = place, .text = text, .text_place = place};
}

Node map_of(std::vector<std::pair<std::string, Node>> items, const Place& place) {
  Node out{.kind = Node::Kind::map, .place = place};
  for (std::pair<std::string, Node>& item : items) {
    out.keys.push_back({std::move(item.first), place});
    out.items.push_back(std::move(item.second));
  }
  return out;
}

Node list_of(std::vector<Node> items, const Place& place) {
  return {.kind = Node::Kind::list, .place = place, .items = std::move(items)};
}

std::string quoted(const std::string& name, const Place& place) {
  if (name.find('`') != std::string::npos)
    throw Error(place, fmt::format("the name {} in a coupling or motor", expression::shown(name)),
                "a name without backquotes");
  return fmt::format("`{}`", name);
}

std::string number(double value) { return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value); }

// Σ factor·q + constant; of speeds, Σ factor·v.
std::string text_of(const JointSum& sum, const Place& place, bool of_speeds = false) {
  std::string out;
  for (const JointSum::Term& term : sum.terms) {
    const std::string joint = quoted(term.joint, place), q = of_speeds ? fmt::format("v({})", joint) : joint;
    out += fmt::format("{}{}", out.empty() ? "" : " + ", term.factor == 1 ? q : number(term.factor) + "*" + q);
  }
  if (!of_speeds && (sum.constant != 0 || out.empty()))
    out += fmt::format("{}{}", out.empty() ? "" : " + ", number(sum.constant));
  return out;
}

// left = a₀ + a₁·right + …
std::string equation_of(const DescribedConstraint& coupled) {
  const std::string right = text_of(coupled.right, coupled.place);
  std::string out;
  for (std::size_t k = 0; k < coupled.polynomial.size(); ++k) {
    const double a = coupled.polynomial[k];
    if (a == 0) continue;
    const std::string power = k == 0   ? number(a)
                              : k == 1 ? fmt::format("{}*({})", number(a), right)
                                       : fmt::format("{}*({})^{}", number(a), right, k);
    out += (out.empty() ? "" : " + ") + power;
  }
  return fmt::format("{} = {}", text_of(coupled.left, coupled.place), out.empty() ? "0" : out);
}

Node node_of(const DescribedConstraint& constraint) {
  const Place& place = constraint.place;
  const Node name = text_of(constraint.name, place);
  if (constraint.kind == DescribedConstraint::Kind::equation)
    return map_of({{"name", name}, {"equation", text_of(equation_of(constraint), place)}}, place);
  constexpr const char* keys[] = {"coincide", "hinge", "slide", "weld"};  // as Kind has them
  const Node frames = list_of({text_of(constraint.frame, place), text_of(constraint.other_frame, place)}, place);
  return map_of({{"name", name}, {keys[static_cast<int>(constraint.kind)], frames}}, place);
}

std::string within(const std::string& text, const std::array<double, 2>& range) {
  std::string out = text;
  if (std::isfinite(range[0])) out = fmt::format("max({}, {})", out, number(range[0]));
  if (std::isfinite(range[1])) out = fmt::format("min({}, {})", out, number(range[1]));
  return out;
}

std::string force_of(const DescribedMotor& motor) {
  const DescribedMotor::Servo& servo = *motor.servo;
  std::string u =
      fmt::format("{}*{}", number(servo.gain), within(quoted(motor.input(), motor.place), servo.control_range));
  const std::string length = text_of(motor.along, motor.place), rate = text_of(motor.along, motor.place, true);
  if (servo.bias[0] != 0) u += " + " + number(servo.bias[0]);
  if (servo.bias[1] != 0) u += fmt::format(" + {}*({})", number(servo.bias[1]), length);
  if (servo.bias[2] != 0) u += fmt::format(" + {}*({})", number(servo.bias[2]), rate);
  return within(u, servo.force_range);
}

void plan_motor(const DescribedMotor& motor, const Scope& scope, Plan& out) {
  const Place& place = motor.place;
  std::vector<Node> items;
  for (const JointSum::Term& term : motor.along.terms) {
    const bool alone = motor.along.terms.size() == 1;
    const Node joint = text_of(term.joint, place);
    if (!motor.servo) {
      items.push_back(map_of({{"name", text_of(motor.name, place)}, {"joint", joint}}, place));
      if (motor.limit) {
        items.back().keys.push_back({"limit", place});
        items.back().items.push_back(text_of(number(*motor.limit), place));
      }
      continue;
    }
    const std::string name = alone ? motor.name : fmt::format("{} on {}", motor.name, term.joint);
    const bool turns = scope.turns(scope.velocity(term.joint, place));
    const std::string force = fmt::format("{}*({})", number(term.factor), force_of(motor));
    items.push_back(
        map_of({{"name", text_of(name, place)}, {"joint", joint}, {turns ? "torque" : "force", text_of(force, place)}},
               place));
  }
  const Node list = list_of(std::move(items), place);
  const Value value(list, fmt::format("motor '{}'", motor.name));
  motor.servo ? read_forces(value, scope, out) : read_actuators(value, scope, out);
}

}  // namespace

void add_described_inputs(const RobotDescription& robots, std::span<const DescribedStart* const> starts, System& out) {
  for (const DescribedMotor& motor : robots.motors) {
    if (!motor.servo) continue;
    double control = 0;
    for (const DescribedStart* start : starts)
      if (const auto given = start->controls.find(motor.name); given != start->controls.end()) control = given->second;
    at_place(motor.place, [&] { out.add_input(motor.input(), control); });
  }
}

void plan_described(const RobotDescription& robots, const Scope& scope, Plan& out) {
  for (const DescribedConstraint& constraint : robots.constraints) {
    const Node list = list_of({node_of(constraint)}, constraint.place);
    read_constraints(Value(list, "constraints of the robot's file"), Layer::physical, scope, out);
  }
  for (const DescribedMotor& motor : robots.motors) plan_motor(motor, scope, out);
}

std::vector<const DescribedStart*> chosen_starts(const RobotDescription& robots, const std::optional<Value>& initial) {
  std::vector<const DescribedStart*> out;
  for (const DescribedStart& start : robots.starts)
    if (start.usual) out.push_back(&start);
  const Node* from = initial && initial->is_map() ? initial->node().find("from") : nullptr;
  if (from == nullptr) return out;
  const Value given(*from, "from in initial");
  std::vector<std::string> names;
  for (const DescribedStart& start : robots.starts) names.push_back(start.name);
  for (const Value& item : given.is_list() ? given.list() : std::vector{given}) {
    const std::string name = item.name();
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      item.refuse(names.empty() ? "nothing: the robot's file has no start" : allowed_names(name, names));
    out.push_back(&robots.starts[found - names.begin()]);
  }
  return out;
}

}  // namespace trammel::scenario
