#include "trammel/motion/power_balance.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trammel/motion/constraint_forces.h"
#include "trammel/motion/matrix_stage.h"
#include "trammel/motion/power_of.h"
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
  return -(c.damping + c.friction / std::sqrt(v * v + c.friction_speed * c.friction_speed)) * v * v;
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

PowerBalance::PowerBalance(const Problem& problem) : channels_(power_channels(problem)), C_(problem.nv()) {
  for (const auto& [name, kind, index] : channels_) {
    if (kind == Kind::joint_spring) springs_.push_back(index);
    if (kind == Kind::joint_friction) frictions_.push_back(index);
    if (kind == Kind::constraint || kind == Kind::ideal_constraints) constraints_.push_back(index);
  }
  all_by_constraints_ = problem.is_tree() && channels_.size() == 1 && constraints_.size() == 1;
}

// λᵀA v + C·v, by the wrenches on the bodies and the velocities of these.
double PowerBalance::constraint_power(int index, const Data& data) {
  const System& system = data.problem.system();
  const RowSolution& held = data.held();
  const NamedConstraint& constraint = system.constraints[held.set->constraints[index]];
  const auto lambda = held.lambda.segment(held.set->first_row[index], data.blocks[index].phi.size());
  double out = 0;
  for_each_force(
      data, *held.set, index, lambda, [&](int body, const Vec6<>& F) { out += F.dot(data.tree.kin.motion[body].V); },
      [&](int c, double along) { out += along * data.at.v[c]; });
  if (!constraint.working) return out;
  C_.setZero();
  constraint.working->add_to(system.model, data.movement(), data.blocks[index], lambda, C_);
  return out + power_of(C_, data.at.v);
}

VecX<> PowerBalance::evaluate(Data& data) {
  VecX<> out(static_cast<int>(channels_.size()));
  evaluate(data, {out.data(), channels_.size()});
  return out;
}

void PowerBalance::evaluate(Data& data, std::span<double> out) {
  const VecX<>& v = data.at.v;
  assert(data.has_motion() && out.size() == channels_.size());
  double* next = out.data();
  if (all_by_constraints_) {
    *next = power_of(data.motion.Qc, v);
    return;
  }
  if (data.matrices) {
    *next++ = power_of(data.matrices->Q, v);
  } else {
    const System& system = data.problem.system();
    if (data.motors)
      for (std::size_t j = 0; j < system.actuators.size(); ++j)
        *next++ = data.motors->torques.u[static_cast<int>(j)] * v[system.actuators[j].velocity];
    const double* const powers = data.force_powers.data();
    next = std::copy(powers, powers + data.force_powers.size(), next);
    for (const int i : springs_) *next++ = spring_power(system.model, i, data.at.q, v);
    for (const int i : frictions_) *next++ = friction_power(system.model.coordinates()[i], v[i]);
  }
  if (constraints_.empty()) return;
  // the last of the constraints' channels takes what the others leave; only where there are others λ is asked for
  double left = power_of(data.motion.Qc, v);
  if (constraints_.size() > 1) held_multipliers(data);
  for (std::size_t i = 0; i + 1 < constraints_.size(); ++i) {
    *next = constraint_power(constraints_[i], data);
    left -= *next++;
  }
  *next = left;
}

}  // namespace trammel
