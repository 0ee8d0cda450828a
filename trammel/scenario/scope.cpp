#include "trammel/scenario/scope.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "trammel/scenario/tables.h"

namespace trammel::scenario {

Scope::Scope(const System& system, Constants constants, double duration)
    : model_(&system.model), vocabulary_(vocabulary_of(system)), duration_(duration) {
  vocabulary_.constants = std::move(constants);
  vocabulary_.definitions = std::make_shared<Definitions>();
  lead_targets();
}

void Scope::lead_targets() {
  target_ = vocabulary_;
  target_.is_path = true;
  target_with_start_ = target_;
  target_with_start_.bare_start = true;
}

void Scope::add_tables(std::map<std::string, Table, std::less<>> tables) {
  vocabulary_.tables = std::move(tables);
  lead_targets();
}

const Frame& Scope::frame(const Value& value) const {
  const std::string& name = value.text("the name of a frame");
  return at_place(value.place(), [&]() -> const Frame& { return model_->frame(name); });
}

std::vector<Frame> Scope::frames(const Value& value, std::size_t fewest, std::size_t most,
                                 const std::string& allowed) const {
  const std::vector<Value> names = value.list(allowed);
  if (names.size() < fewest || names.size() > most) value.refuse(allowed);
  std::vector<Frame> out;
  for (const Value& name : names) {
    const Frame& found = frame(name);
    if (std::ranges::find(out, found.name, &Frame::name) != out.end())
      name.refuse(fmt::format("'{}' for the second time in {}", found.name, value.what()), "different frames");
    out.push_back(found);
  }
  return out;
}

int Scope::index(const std::string& name, const Place& place, bool of_velocity) const {
  // base[2], unless a joint has just that name
  std::string joint = name;
  int k = -1;
  const std::size_t bracket = name.find('[');
  const auto has_name = [&](const Vocabulary::Joint& known) { return known.name == name; };
  if (bracket != std::string::npos && name.ends_with(']') && std::ranges::none_of(vocabulary_.joints, has_name)) {
    const char *begin = name.data() + bracket + 1, *end = name.data() + name.size() - 1;
    const auto [stop, problem] = std::from_chars(begin, end, k);
    if (problem != std::errc() || stop != end || k < 0)
      throw Error(place, fmt::format("{}", expression::shown(name)), "an index such as base[2]");
    joint.resize(bracket);
  }
  const int body = at_place(place, [&] { return model_->joint(joint); });
  const Body& found = model_->bodies()[body];
  const JointSize size = size_of(found.type);
  const int count = of_velocity ? size.v : size.q;
  if (k >= count || (k < 0 && count > 1))
    throw Error(
        place,
        fmt::format("'{}' of joint '{}' with {} {}", name, joint, count, of_velocity ? "velocities" : "coordinates"),
        fmt::format("{}[0] to {}[{}]", joint, joint, count - 1));
  return (of_velocity ? found.v : found.q) + std::max(k, 0);
}

int Scope::velocity(const std::string& name, const Place& place) const { return index(name, place, true); }
int Scope::coordinate(const std::string& name, const Place& place) const { return index(name, place, false); }

namespace {

const Body& body_with_coordinate(const Model& model, int index) {
  int body = model.body_count() - 1;
  while (model.bodies()[body].q > index || model.bodies()[body].nv == 0) --body;
  return model.bodies()[body];
}

}  // namespace

Unit Scope::unit_of_coordinate(int index) const {
  const Body& body = body_with_coordinate(*model_, index);
  const int k = index - body.q;
  if (!rates_are_velocities(body.type)) return k < 3 && body.type == JointType::floating ? Unit::length : Unit::none;
  return is_angular(body.type, k) ? Unit::angle : Unit::length;
}

bool Scope::turns(int velocity) const { return model_->turns(velocity); }

void Scope::define(const std::string& name, Expression meaning) {
  vocabulary_.definitions->all.emplace(name, std::make_shared<const Expression>(std::move(meaning)));
}

Scope Scope::with_own_definitions() const {
  Scope out = *this;
  out.vocabulary_.definitions = std::make_shared<Definitions>(*vocabulary_.definitions);
  out.lead_targets();
  return out;
}

Scope Scope::with_inputs(std::vector<std::string> names) const {
  Scope out = *this;
  out.vocabulary_.inputs = std::move(names);
  out.lead_targets();
  return out;
}

Expression Scope::composed_expression(const std::string& text) const { return parse_expression(text, vocabulary_); }

Expression Scope::expression(const Value& value) const {
  return reaching(parse_expression(value.text("an expression"), vocabulary_, value.node().text_place));
}

// Tables at the time must reach over the run.
Expression Scope::reaching(Expression expression) const {
  if (duration_ > 0) check_reach(expression, duration_);
  return expression;
}

Expression Scope::equation(const Value& value) const {
  Expression equation = reaching(parse_equation(value.text("an equation"), vocabulary_, value.node().text_place));
  if (!moves_with_robot(equation))
    value.refuse("an equation with a coordinate, a velocity or a place of a frame in it");
  return equation;
}

Expression Scope::target(const Value& value, Unit unit, bool bare_start) const {
  const std::string& text = value.text("an expression");
  Expression target = parse_expression(text, bare_start ? target_with_start_ : target_, value.node().text_place);
  (void)reaching(target);
  value.check_unit(unit);
  return target;
}

Expression Scope::path(const Value& value, Unit unit, bool bare_start) const {
  Expression path = target(value, unit, bare_start);
  if (moves_with_robot(path)) value.refuse("an expression of t");
  path.check_differentiable();
  return path;
}

Expression Scope::composed(const std::string& text, bool bare_start) const {
  return parse_expression(text, bare_start ? target_with_start_ : target_);
}

std::string Scope::term(const Frame& frame, int axis) { return fmt::format("`{}`.{}", frame.name, "xyz"[axis]); }

bool uses_start(const Expression& expression) {
  return std::ranges::any_of(expression.leaves(), [](const Leaf& leaf) {
    return leaf.kind == LeafKind::start || leaf.kind == LeafKind::bare_start;
  });
}

bool uses_time(const Expression& expression) {
  return std::ranges::any_of(expression.leaves(), [](const Leaf& leaf) { return leaf.kind == LeafKind::time; });
}

bool moves_with_robot(const Expression& expression) {
  return expression.has_speeds() || std::ranges::any_of(expression.leaves(), [](const Leaf& leaf) {
           return leaf.kind == LeafKind::coordinate || leaf.kind == LeafKind::frame_position ||
                  leaf.kind == LeafKind::frame_axis;
         });
}

Start::Start(const Model& model, const State& state) : model_(&model), state_(state), kin_(model) {
  kinematics<double>(model, state_.q, state_.v, kin_);
}

double Start::value(const Expression& expression) const {
  return BoundExpression(*model_, expression).value(Movement<double>{kin_, state_.q, state_.v, state_.t});
}

std::vector<double> Start::values(const Expression& expression, const std::optional<Expression>& bare) const {
  std::vector<double> out;
  for (const Expression& inside : expression.starts()) out.push_back(value(inside));
  if (bare) out.push_back(value(*bare));
  return out;
}

ScalarPath Start::path(const Expression& expression, const std::optional<Expression>& bare) const {
  const std::vector<double> start = values(expression, bare);
  std::vector<Jet> leaves;
  std::vector<std::size_t> times;
  for (const Leaf& leaf : expression.leaves()) {
    if (leaf.kind == LeafKind::time) times.push_back(leaves.size());
    leaves.emplace_back(leaf.kind == LeafKind::time         ? 0.0
                        : leaf.kind == LeafKind::bare_start ? start.back()
                                                            : start[leaf.component]);
  }
  const bool of_time_alone = leaves.size() == 1 && times.size() == 1;
  return [expression, leaves, times, of_time_alone](const Jet& t) {
    thread_local ExpressionWorkspace work;
    thread_local std::vector<Jet> now;
    expression.make_room(work);
    if (of_time_alone) return expression.evaluate({&t, 1}, work);
    now = leaves;
    for (const std::size_t i : times) now[i] = t;
    return expression.evaluate(now, work);
  };
}

}  // namespace trammel::scenario
