#include "trammel/constraints/bound_expression.h"

#include <algorithm>
#include <cassert>

#include <fmt/core.h>

#include "trammel/base/names.h"

namespace trammel {
namespace {

// Scratch of evaluations, one per thread; it grows to the largest expression met.
struct Scratch {
  ExpressionWorkspace work;
  std::vector<Jet> jets;
  std::vector<double> values, gradient;

  void make_room(const Expression& expression) {
    expression.make_room(work);
    const std::size_t n = expression.leaves().size();
    if (jets.size() < n) jets.resize(n), values.resize(n), gradient.resize(n);
  }
};

Scratch& scratch_for(const Expression& expression) {
  thread_local Scratch scratch;
  scratch.make_room(expression);
  return scratch;
}

// The same by the scalar.
double run(const Expression& expression, Scratch& scratch, double) {
  return expression.value(std::span(scratch.values).first(expression.leaves().size()), scratch.work);
}
Jet run(const Expression& expression, Scratch& scratch, const Jet&) {
  return expression.evaluate(std::span(scratch.jets).first(expression.leaves().size()), scratch.work);
}
std::vector<double>& leaves_of(Scratch& scratch, double) { return scratch.values; }
std::vector<Jet>& leaves_of(Scratch& scratch, const Jet&) { return scratch.jets; }

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

BoundExpression::BoundExpression(const Model& model, Expression expression, const std::vector<double>& start,
                                 std::span<const std::string> inputs)
    : expression_(std::move(expression)), quantities_({}) {
  std::vector<Quantity> found;
  for (const Leaf& leaf : expression_.leaves()) leaves_.push_back(bind(model, leaf, start, inputs, found));
  quantities_ = Quantities(std::move(found));
  scratch_for(expression_);
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
  }
  return {.quantity = static_cast<int>(found.size()) - 1};
}

// Of a leaf that does not move: an input or a constant.
double BoundExpression::still_value(const BoundLeaf& leaf, std::span<const double> inputs) {
  if (leaf.input < 0) return leaf.constant;
  assert(static_cast<std::size_t>(leaf.input) < inputs.size());
  return inputs[leaf.input];
}

template <class Moment, class Scalar>
Scalar BoundExpression::value_at(const Moment& now, const Scalar& t) const {
  Scratch& scratch = scratch_for(expression_);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const BoundLeaf& leaf = leaves_[i];
    leaves_of(scratch, t)[i] = leaf.quantity >= 0 ? quantities_[leaf.quantity].value(now)
                               : leaf.is_time     ? t
                                                  : Scalar(still_value(leaf, now.inputs));
  }
  return run(expression_, scratch, t);
}

template <class Scalar>
Scalar BoundExpression::value(const Placement<Scalar>& now) const {
  return value_at(now, now.t);
}

template <class Scalar>
Scalar BoundExpression::value(const Movement<Scalar>& now) const {
  return value_at(now, now.t);
}

template double BoundExpression::value(const Placement<double>&) const;
template Jet BoundExpression::value(const Placement<Jet>&) const;
template double BoundExpression::value(const Movement<double>&) const;
template Jet BoundExpression::value(const Movement<Jet>&) const;

Jet BoundExpression::bias_jet(const Movement<double>& now, std::span<double> slopes) const {
  Scratch& scratch = scratch_for(expression_);
  const std::size_t n = leaves_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const BoundLeaf& leaf = leaves_[i];
    scratch.jets[i] = leaf.quantity >= 0 ? quantities_[leaf.quantity].bias_jet(now)
                      : leaf.is_time     ? Jet(now.t, 1)
                                         : Jet(still_value(leaf, now.inputs));
    scratch.values[i] = scratch.jets[i].x;
  }
  const Jet value = expression_.evaluate(std::span(scratch.jets).first(n), scratch.work);
  expression_.gradient(std::span(scratch.values).first(n), scratch.work, std::span(scratch.gradient).first(n));
  for (std::size_t i = 0; i < n; ++i)
    if (leaves_[i].quantity >= 0) slopes[leaves_[i].quantity] = scratch.gradient[i];
  return value;
}

}  // namespace trammel
