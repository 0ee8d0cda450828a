#include "trammel/motion/power_balance.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/motion/matrix_stage.h"
#include "trammel/motion/stages.h"

namespace trammel {
namespace {

using Kind = PowerChannel::Kind;

// Lists channels; one whose name is taken says in brackets what it is.
class ChannelList {
 public:
  void add(std::string name, Kind kind, int index) {
    while (std::ranges::find(channels, name, &PowerChannel::name) != channels.end())
      name += " (" + std::string(name_of(kind)) + ")";
    channels.push_back({std::move(name), kind, index});
  }

  std::vector<PowerChannel> channels;
};

// Whether the force of a constraint does no work wherever it holds.
bool is_ideal(const Problem& problem, int constraint) {
  const NamedConstraint& named = problem.system().constraints[constraint];
  return named.law->is_catastatic() && !named.working && problem.baumgarte(constraint) == Baumgarte{};
}

bool has_friction(const Coordinate& c) { return c.damping > 0 || c.friction > 0; }

void add_joints(const Model& model, ChannelList& out) {
  for (int i = 0; i < model.nv(); ++i)
    if (model.coordinates()[i].stiffness > 0) out.add("spring of " + model.velocity_name(i), Kind::joint_spring, i);
  for (int i = 0; i < model.nv(); ++i)
    if (has_friction(model.coordinates()[i])) out.add("friction of " + model.velocity_name(i), Kind::joint_friction, i);
}

void add_constraints(const Problem& problem, ChannelList& out) {
  const std::vector<int>& held = problem.held().constraints;
  bool some_ideal = false;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (is_ideal(problem, held[i]))
      some_ideal = true;
    else
      out.add(problem.system().constraints[held[i]].name, Kind::constraint, static_cast<int>(i));
  if (some_ideal) out.add("ideal constraints", Kind::ideal_constraints, -1);
}

double spring_power(const Model& model, int i, const VecX<>& q, const VecX<>& v) {
  const Body& body = model.bodies()[model.body_of_velocity(i)];
  const Coordinate& c = model.coordinates()[i];
  return -c.stiffness * (q[body.q + i - body.v] - c.rest) * v[i];
}

double friction_power(const Coordinate& c, double v) {
  return -(c.damping + c.friction / std::sqrt(v * v + friction_speed * friction_speed)) * v * v;
}

}  // namespace

std::string_view name_of(PowerChannel::Kind kind) {
  switch (kind) {
    case Kind::motor:
      return "motor";
    case Kind::force:
      return "force";
    case Kind::joint_spring:
      return "joint spring";
    case Kind::joint_friction:
      return "joint friction";
    case Kind::constraint:
      return "constraint";
    default:
      return "ideal constraints";
  }
}

std::vector<PowerChannel> power_channels(const Problem& problem) {
  ChannelList out;
  if (!problem.is_tree()) {
    out.add("forces", Kind::force, 0);
    if (problem.held().rows > 0) out.add("constraints", Kind::constraint, 0);
    return out.channels;
  }
  const System& system = problem.system();
  for (std::size_t j = 0; j < problem.motors().size(); ++j)
    out.add("motor " + problem.motors()[j].name, Kind::motor, static_cast<int>(j));
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    out.add(system.forces[i].name, Kind::force, static_cast<int>(i));
  add_joints(system.model, out);
  add_constraints(problem, out);
  return out.channels;
}

PowerBalance::PowerBalance(const Problem& problem) : channels_(power_channels(problem)), force_(problem.nv()) {
  for (const PowerChannel& channel : channels_)
    if (channel.kind == Kind::constraint || channel.kind == Kind::ideal_constraints) ++of_constraints_;
}

double PowerBalance::constraint_power(int index, const Data& data) {
  const System& system = data.problem.system();
  const RowSolution& held = data.held();
  const NamedConstraint& constraint = system.constraints[held.set->constraints[index]];
  const Constraint& law = *constraint.law;
  const Rows& block = data.blocks[index];
  const auto lambda = held.lambda.segment(held.set->first_row[index], law.rows());
  force_.setZero();
  if (constraint.working) constraint.working->add_to(system.model, data.movement(), block, lambda, force_);
  for (std::size_t s = 0; s < law.bodies().size(); ++s) {
    if (law.bodies()[s] == world) continue;
    const Vec6<> F = block.wrenches_on(static_cast<int>(s)).lazyProduct(lambda);
    add_generalised_force(system.model, data.tree.kin, law.bodies()[s], F, force_);
  }
  for (std::size_t j = 0; j < law.velocities().size(); ++j)
    force_[law.velocities()[j]] += block.coefficients.col(static_cast<int>(j)).dot(lambda);
  return force_.dot(data.at.v);
}

VecX<> PowerBalance::evaluate(Data& data) {
  VecX<> out(static_cast<int>(channels_.size()));
  evaluate(data, {out.data(), channels_.size()});
  return out;
}

void PowerBalance::evaluate(Data& data, std::span<double> out) {
  const VecX<>& v = data.at.v;
  assert(data.has_motion() && out.size() == channels_.size());
  double constraints = of_constraints_ > 0 ? data.motion.Qc.dot(v) : 0;
  if (data.matrices) {
    out[0] = data.matrices->Q.dot(v);
    if (of_constraints_ > 0) out[1] = constraints;
    return;
  }
  if (of_constraints_ > 1) held_multipliers(data);
  const System& system = data.problem.system();
  double* next = out.data();
  if (data.motors)
    for (std::size_t j = 0; j < system.actuators.size(); ++j)
      *next++ = data.motors->torques.u[static_cast<int>(j)] * v[system.actuators[j].velocity];
  next = std::copy_n(data.force_powers.data(), data.force_powers.size(), next);
  for (std::size_t i = next - out.data(); i < out.size(); ++i) {
    const auto& [name, kind, index] = channels_[i];
    if (kind == Kind::joint_spring) {
      out[i] = spring_power(system.model, index, data.at.q, v);
    } else if (kind == Kind::joint_friction) {
      out[i] = friction_power(system.model.coordinates()[index], v[index]);
    } else {
      // the last of the constraints' channels takes what the others leave
      out[i] = i + 1 == out.size() ? constraints : constraint_power(index, data);
      constraints -= out[i];
    }
  }
}

}  // namespace trammel
