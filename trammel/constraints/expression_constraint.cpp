#include "trammel/constraints/expression_constraint.h"

#include <fmt/core.h>

namespace trammel {
namespace {

// Scratch of evaluations, one per thread; it grows to the largest expression met.
struct Scratch {
  ExpressionWorkspace work;
  std::vector<Jet> jets;
  std::vector<double> values, gradient;

  explicit Scratch(const Expression& law) { make_room(law); }
  void make_room(const Expression& law) {
    law.make_room(work);
    const std::size_t n = law.leaves().size();
    if (jets.size() < n) jets.resize(n), values.resize(n), gradient.resize(n);
  }
};

Scratch& scratch_for(const Expression& law) {
  thread_local Scratch scratch(law);
  scratch.make_room(law);
  return scratch;
}

int slot_in(std::vector<int>& list, int item) {
  const auto found = std::ranges::find(list, item);
  if (found == list.end()) list.push_back(item);
  return static_cast<int>(std::ranges::find(list, item) - list.begin());
}

bool is_velocity(LeafKind kind) { return kind == LeafKind::speed || kind == LeafKind::frame_velocity; }

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

ExpressionConstraint::ExpressionConstraint(const Model& model, Expression law, const std::vector<double>& start)
    : law_(std::move(law)) {
  law_.check_differentiable();
  for (const Leaf& leaf : law_.leaves()) sources_.push_back(resolve(model, leaf, start));
}

ExpressionConstraint::Source ExpressionConstraint::resolve(const Model& model, const Leaf& leaf,
                                                           const std::vector<double>& start) {
  Source source;
  source.kind = leaf.kind;
  switch (leaf.kind) {
    case LeafKind::time:
      break;
    case LeafKind::start:
    case LeafKind::bare_start: {
      const std::size_t index = leaf.kind == LeafKind::start ? leaf.component : law_.starts().size();
      if (index >= start.size())
        throw Error(fmt::format("start value {} of '{}', which was not given", index, law_.text()),
                    "a value for every start(…)");
      source.constant = start[index];
      break;
    }
    case LeafKind::coordinate:
    case LeafKind::speed: {
      const Body& body = model.bodies()[model.joint(leaf.name)];
      if (leaf.kind == LeafKind::coordinate && !rates_are_velocities(body.type))
        throw Error(fmt::format("coordinate {} of joint '{}', which turns by a quaternion", leaf.component, leaf.name),
                    "coordinates whose rate is a velocity; for others use a frame's coordinates");
      source.q = body.q + leaf.component;
      source.v = body.v + leaf.component;
      source.slot = slot_in(velocities_, source.v);
      break;
    }
    case LeafKind::frame_position:
    case LeafKind::frame_velocity:
      source.point = BodyPoint(model.frame(leaf.name));
      source.axis = leaf.component;
      source.slot = slot_in(bodies_, source.point.body);
      break;
  }
  return source;
}

template <class Scalar>
Scalar ExpressionConstraint::position_leaf(const Source& source, const Placement<Scalar>& now) const {
  switch (source.kind) {
    case LeafKind::time:
      return now.t;
    case LeafKind::coordinate:
      return now.q[source.q];
    case LeafKind::frame_position:
      return source.point.position(now.where)[source.axis];
    default:
      return Scalar(source.constant);
  }
}

template <class Scalar>
Scalar ExpressionConstraint::leaf(const Source& source, const Movement<Scalar>& now) const {
  if (source.kind == LeafKind::speed) return now.v[source.v];
  if (source.kind == LeafKind::frame_velocity) return source.point.velocity(now.kin)[source.axis];
  return position_leaf(source, now.placement());
}

// A leaf with its rate and, where the row is at position level, its acceleration at v̇ = 0.
Jet ExpressionConstraint::moving_leaf(const Source& source, const Movement<double>& now) const {
  const auto along = [&](const Vec3<>& vector) { return vector[source.axis]; };
  switch (source.kind) {
    case LeafKind::time:
      return {now.t, 1, 0};
    case LeafKind::coordinate:
      return {now.q[source.q], now.v[source.v], 0};
    case LeafKind::speed:
      return {now.v[source.v], 0, 0};
    case LeafKind::frame_position:
      return {along(source.point.position<double>(now.kin)), along(source.point.velocity<double>(now.kin)),
              along(source.point.bias_acceleration(now.kin))};
    case LeafKind::frame_velocity:
      return {along(source.point.velocity<double>(now.kin)), along(source.point.bias_acceleration(now.kin)), 0};
    default:
      return source.constant;
  }
}

void ExpressionConstraint::evaluate(const Movement<double>& now, Rows& out) const {
  Scratch& scratch = scratch_for(law_);
  const std::size_t n = sources_.size();
  for (std::size_t i = 0; i < n; ++i) {
    scratch.jets[i] = moving_leaf(sources_[i], now);
    scratch.values[i] = scratch.jets[i].x;
  }
  const Jet law = law_.evaluate(std::span(scratch.jets).first(n), scratch.work);
  law_.gradient(std::span(scratch.values).first(n), scratch.work, std::span(scratch.gradient).first(n));

  const bool at_velocity = law_.has_speeds();
  out.phi[0] = at_velocity ? 0 : law.x;
  out.rate[0] = at_velocity ? law.x : law.dx;
  out.b[0] = at_velocity ? -law.dx : -law.ddx;
  out.wrenches.setZero();
  out.coefficients.setZero();
  for (std::size_t i = 0; i < n; ++i) {
    const Source& source = sources_[i];
    const double g = scratch.gradient[i];
    if (at_velocity != is_velocity(source.kind)) continue;
    if (source.kind == LeafKind::coordinate || source.kind == LeafKind::speed)
      out.coefficients(0, source.slot) += g;
    else if (source.kind == LeafKind::frame_position || source.kind == LeafKind::frame_velocity)
      out.wrench(source.slot, 0) += source.point.wrench(now.kin, g * Vec3<>::Unit(source.axis));
  }
}

void ExpressionConstraint::phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const {
  if (law_.has_speeds()) return;
  Scratch& scratch = scratch_for(law_);
  for (std::size_t i = 0; i < sources_.size(); ++i) scratch.values[i] = position_leaf(sources_[i], now);
  out[0] = law_.value(std::span(scratch.values).first(sources_.size()), scratch.work);
}

void ExpressionConstraint::phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  if (law_.has_speeds()) return;
  Scratch& scratch = scratch_for(law_);
  for (std::size_t i = 0; i < sources_.size(); ++i) scratch.jets[i] = position_leaf(sources_[i], now);
  out[0] = law_.evaluate(std::span(scratch.jets).first(sources_.size()), scratch.work);
}

void ExpressionConstraint::psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const {
  if (!law_.has_speeds()) return;
  Scratch& scratch = scratch_for(law_);
  for (std::size_t i = 0; i < sources_.size(); ++i) scratch.values[i] = leaf(sources_[i], now);
  out[0] = law_.value(std::span(scratch.values).first(sources_.size()), scratch.work);
}

void ExpressionConstraint::psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  if (!law_.has_speeds()) return;
  Scratch& scratch = scratch_for(law_);
  for (std::size_t i = 0; i < sources_.size(); ++i) scratch.jets[i] = leaf(sources_[i], now);
  out[0] = law_.evaluate(std::span(scratch.jets).first(sources_.size()), scratch.work);
}

}  // namespace trammel
