#include "trammel/constraints/bound_expression.h"

#include <algorithm>
#include <cassert>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/constraints/lane_jets.h"
#include "trammel/expression/lane_program.h"

namespace trammel {
namespace {

// Room of evaluations, one per thread and kind of number; it grows to the largest expression met.
template <class Number>
struct Registers {
  std::vector<Number> leaves, values, adjoints;
};

template <class Number>
Registers<Number>& registers_for(const Expression& expression) {
  thread_local Registers<Number> room;
  const std::size_t n = expression.leaves().size(), m = expression.program().registers();
  if (room.leaves.size() < n) room.leaves.resize(n);
  if (room.values.size() < m) room.values.resize(m), room.adjoints.resize(m);
  return room;
}

// One pass forward, and one backward, by the kind of number.
using expression::Program;
template <class Number>
Number run(const Expression& expression, Registers<Number>& room) {
  const Program& program = expression.program();
  const std::span<const Number> leaves = std::span(room.leaves).first(program.leaves.size());
  if constexpr (std::is_same_v<Number, Lanes> || std::is_same_v<Number, LaneJet>)
    return expression::run_in_lanes<Number>(program, leaves, room.values);
  else
    return program.run<Number>(leaves, room.values);
}
void sweep_back(const Program& program, const Registers<Jet>& jets, Registers<double>& out) {
  for (int i = 0; i < program.registers(); ++i) out.values[i] = jets.values[i].x;
  program.sweep_back(out.values, out.adjoints);
}
void sweep_back(const Program& program, const Registers<LaneJet>& jets, Registers<Lanes>& out) {
  expression::sweep_back_in_lanes(program, jets.values, out.adjoints);
}

}  // namespace

Vocabulary vocabulary_of(const Model& model) {
  Vocabulary vocabulary;
  for (int i = 0; i < model.body_count(); ++i) {
    const JointSize size = size_of(model.bodies()[i].type);
    vocabulary.joints.push_back({model.joint_name(i), size.q, size.v});
  }
  for (const Frame& frame : model.frames()) vocabulary.frames.push_back(frame.name);
  return vocabulary;
}

bool BoundExpression::has_time() const { return std::ranges::any_of(leaves_, &BoundLeaf::is_time); }

BoundExpression::BoundExpression(const Model& model, Expression expression, const std::vector<double>& start,
                                 std::span<const std::string> inputs)
    : expression_(std::move(expression)), quantities_({}) {
  std::vector<Quantity> found;
  for (const Leaf& leaf : expression_.leaves()) leaves_.push_back(bind(model, leaf, start, inputs, found));
  quantities_ = Quantities(std::move(found));
  registers_for<double>(expression_);
  registers_for<Jet>(expression_);
}

BoundExpression::BoundLeaf BoundExpression::bind(const Model& model, const Leaf& leaf, const std::vector<double>& start,
                                                 std::span<const std::string> inputs,
                                                 std::vector<Quantity>& found) const {
  switch (leaf.kind) {
    case LeafKind::time:
      return {.is_time = true};
    case LeafKind::start:
    case LeafKind::bare_start: {
      const std::size_t index = leaf.kind == LeafKind::start ? leaf.component : expression_.starts().size();
      if (index >= start.size())
        throw Error(fmt::format("start value {} of '{}', which was not given", index, expression_.text()),
                    "a value for every start(…)");
      return {.constant = start[index]};
    }
    case LeafKind::input: {
      const auto input = std::ranges::find(inputs, leaf.name);
      if (input == inputs.end())
        throw Error(fmt::format("input '{}' of '{}', which was not declared", leaf.name, expression_.text()),
                    allowed_names(leaf.name, inputs));
      return {.input = static_cast<int>(input - inputs.begin())};
    }
    case LeafKind::coordinate: {
      const Body& body = model.bodies()[model.joint(leaf.name)];
      if (!rates_are_velocities(body.type))
        throw Error(fmt::format("coordinate {} of joint '{}', which turns by a quaternion", leaf.component, leaf.name),
                    "coordinates whose rate is a velocity; for others use a frame's coordinates");
      found.push_back(Quantity::coordinate(model, body.q + leaf.component));
      break;
    }
    case LeafKind::speed:
      found.push_back(Quantity::speed(model, model.bodies()[model.joint(leaf.name)].v + leaf.component));
      break;
    case LeafKind::frame_position:
      found.push_back(Quantity::point(BodyPoint(model.frame(leaf.name)), Vec3<>::Unit(leaf.component)));
      break;
    case LeafKind::frame_velocity:
      found.push_back(Quantity::point_velocity(BodyPoint(model.frame(leaf.name)), Vec3<>::Unit(leaf.component)));
      break;
    case LeafKind::frame_angular_velocity:
      found.push_back(Quantity::angular_velocity(BodyPoint(model.frame(leaf.name)), Vec3<>::Unit(leaf.component)));
      break;
    case LeafKind::frame_axis: {
      const Frame& frame = model.frame(leaf.name);
      found.push_back(Quantity::direction(BodyPoint(frame), frame.X_BF.R.col(leaf.component / 3),
                                          Vec3<>::Unit(leaf.component % 3)));
      break;
    }
  }
  return {.quantity = static_cast<int>(found.size()) - 1};
}

// Of a leaf that does not move: an input or a constant.
double BoundExpression::still_value(const BoundLeaf& leaf, std::span<const double> inputs) {
  if (leaf.input < 0) return leaf.constant;
  assert(static_cast<std::size_t>(leaf.input) < inputs.size());
  return inputs[leaf.input];
}

template <class Scalar, class Moment>
Scalar BoundExpression::value_at(const Moment& now) const {
  Registers<Scalar>& room = registers_for<Scalar>(expression_);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const BoundLeaf& leaf = leaves_[i];
    room.leaves[i] = leaf.quantity >= 0 ? quantities_[leaf.quantity].value(now)
                     : leaf.is_time     ? Scalar(now.t)
                                        : Scalar(still_value(leaf, now.inputs));
  }
  return run(expression_, room);
}

template <class Scalar>
Scalar BoundExpression::value(const Placement<Scalar>& now) const {
  return value_at<Scalar>(now);
}

template <class Scalar>
Scalar BoundExpression::value(const Movement<Scalar>& now) const {
  return value_at<Scalar>(now);
}

template <class Scalar>
JetOf<Scalar> BoundExpression::bias_jet(const Movement<Scalar>& now,
                                        std::span<std::type_identity_t<Scalar>> slopes) const {
  using AJet = JetOf<Scalar>;
  Registers<AJet>& room = registers_for<AJet>(expression_);
  Registers<Scalar>& slope_registers = registers_for<Scalar>(expression_);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const BoundLeaf& leaf = leaves_[i];
    room.leaves[i] = leaf.quantity >= 0 ? quantities_[leaf.quantity].bias_jet(now)
                     : leaf.is_time     ? AJet(Jet(now.t, 1))
                                        : AJet(still_value(leaf, now.inputs));
  }
  const AJet value = run(expression_, room);
  sweep_back(expression_.program(), room, slope_registers);
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (leaves_[i].quantity >= 0) slopes[leaves_[i].quantity] = slope_registers.adjoints[i];
  return value;
}

template double BoundExpression::value(const Placement<double>&) const;
template Jet BoundExpression::value(const Placement<Jet>&) const;
template double BoundExpression::value(const Movement<double>&) const;
template Jet BoundExpression::value(const Movement<Jet>&) const;
template Lanes BoundExpression::value(const Movement<Lanes>&) const;
template Jet BoundExpression::bias_jet(const Movement<double>&, std::span<double>) const;
template LaneJet BoundExpression::bias_jet(const Movement<Lanes>&, std::span<Lanes>) const;

}  // namespace trammel
