#include "trammel/motion/stages.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/core.h>

#include "trammel/dynamics/energy.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/matrix_stage.h"
#include "trammel/motion/position_stage.h"
#include "trammel/motion/torques.h"

namespace trammel {
namespace {

// By matrices: A and its errors at the placed state.
void evaluate_matrix_rows(Data& data) {
  MatrixRows& rows = data.matrices->rows;
  evaluate_rows(data.problem.matrices(), data.at.q, data.at.v, data.at.t, rows);
  data.phi = rows.phi;
  data.rate = rows.rate;
  data.b = rows.b;
  data.stamps.held_rows = data.stamps.rows = data.stamps.position;
}

void place_coordinates(const State& at, Data& data) {
  data.at = at;
  ++data.stamps.position;
}

bool factorize_matrices(const State& at, Data& data) {
  MatrixStage& stage = *data.matrices;
  place_coordinates(at, data);
  evaluate_matrix_rows(data);
  data.problem.matrices().mass(at.q, at.t, stage.M);
  stage.factor.emplace(stage.M, stage.rows.A, stage.rows.physical, data.problem.options().rank);
  data.stamps.factor = data.stamps.position;
  return stage.factor->regular();
}

void solve_matrices(Data& data) {
  MatrixStage& stage = *data.matrices;
  assert(data.stamps.factor >= 0 && data.has_rows(data.problem.held()));
  data.problem.matrices().forces(data.at.q, data.at.v, data.at.t, stage.Q);
  const Baumgarte& gains = data.problem.options().baumgarte;
  data.stabilising = -gains.alpha * data.rate - gains.beta * data.phi;
  data.motion = stage.factor->solve(stage.Q, data.b + data.stabilising);
  data.asked.lambda = stage.factor->multipliers();
  data.stamps.solution = data.stamps.position;
  data.stamps.multipliers = data.stamps.reactions = -1;
  data.stamps.solved_held = true;
}

// ½ k (q − q₀)² of the joints' springs.
double joint_spring_energy(const Model& model, const VecX<>& q) {
  double out = 0;
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k) {
      const Coordinate& c = model.coordinates()[body.v + k];
      const double stretch = q[body.q + k] - c.rest;
      if (c.stiffness > 0) out += 0.5 * c.stiffness * stretch * stretch;
    }
  return out;
}

// The rows at position level have a factor of their own.
void least_position_step_of_matrices(const VecX<>& change, const Data& data, VecX<>& step) {
  const MatrixStage& stage = *data.matrices;
  MatX<> A = stage.rows.A;
  for (int row = 0; row < A.rows(); ++row)
    if (data.problem.rows()[row].level == Level::velocity) A.row(row).setZero();
  step = DenseFactor(stage.factor->mass(), A, stage.rows.physical, data.problem.options().rank).least_step(change);
}

void least_position_step_of_tree(const VecX<>& change, Data& data, VecX<>& step) {
  PositionStage& stage = *data.positions;
  RowSolution& held = data.held();
  int physical = 0;
  for (std::size_t i = 0; i < data.problem.position_rows().size(); ++i) {
    const int row = data.problem.position_rows()[i];
    data.qr->column(row, data.column);
    stage.Y.col(static_cast<int>(i)) = data.column;
    stage.change[static_cast<int>(i)] = change[row] * held.set->weight[row];
    if (row < held.set->physical_rows) ++physical;
  }
  stage.qr.factorize(stage.Y, physical, data.problem.options().rank, rounding_of_rows(data));
  stage.qr.solve(stage.change, held.y);
  apply_L_inverse_transpose<double>(data.problem.system().model, data.tree.kin, data.tree.factor, held.y,
                                    data.tree.vectors, step);
}

std::string why_no_motion_of_matrices(const Data& data) {
  if (!data.at.q.allFinite() || !data.at.v.allFinite()) return "not a finite number: the state\n";
  Data anew(data.problem);
  if (!factorize(data.at, anew)) return "a mass matrix that is singular, and constraints that do not make up for it\n";
  return "not a finite number: M, Q or a constraint\n";
}

// data.motion is that of the state, if a stage came so far.
void stamp_motion(Data& data) {
  if (data.has_solution(data.held())) data.stamps.motion = data.stamps.position;
}

Diagnosis diagnose_here(const Problem& problem, const Data& data) {
  Data here(problem);
  here.inputs = data.inputs;
  return diagnose(here, data.at.q + data.turns, data.at.v, data.at.t);
}

}  // namespace

bool factorize(const State& at, Data& data) {
  return data.matrices ? factorize_matrices(at, data) : factorize_motion(at.q, at.v, at.t, data);
}

void evaluate_rows(const State& at, Data& data) {
  if (!data.matrices) return evaluate_rows(at.q, at.v, at.t, data.problem.held(), data);
  place_coordinates(at, data);
  evaluate_matrix_rows(data);
}

void solve(Data& data) {
  if (data.matrices)
    solve_matrices(data);
  else if (data.motors)
    solve_driven_factorized(data, data.motion);
  else
    solve_factorized(data, data.asked, data.motion);
  stamp_motion(data);
}

void solve(double t, const VecX<>& q, const VecX<>& v, Data& data) {
  if (data.motors)
    solve_driven(q, v, t, data, data.motion);
  else if (!data.matrices)
    solve_motion(q, v, t, data, data.motion);
  else if (factorize_matrices({t, q, v}, data))
    solve_matrices(data);
  else
    data.motion.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
  stamp_motion(data);
}

Eigen::Ref<const VecX<>> held_multipliers(Data& data) {
  assert(data.has_motion());
  RowSolution& held = data.held();
  if (!data.matrices && data.stamps.multipliers != data.stamps.position) {
    if (split_forces(data, held, false)) data.stamps.reactions = data.stamps.position;
    data.stamps.multipliers = data.stamps.position;
  }
  return held.lambda.head(held.set->rows);
}

std::span<const Vec6<>> joint_reactions(Data& data) {
  assert(data.matrices || data.has_solution(data.held()));
  if (data.matrices) return {};
  if (data.stamps.reactions != data.stamps.position) {
    split_forces(data, data.held(), true);
    data.stamps.multipliers = data.stamps.reactions = data.stamps.position;
  }
  return data.forces->reactions.all();
}

void least_step(const VecX<>& change, Data& data, VecX<>& step) {
  if (data.matrices)
    step = data.matrices->factor->least_step(change);
  else
    least_step(change, data, data.held(), step);
}

void least_position_step(const VecX<>& change, Data& data, VecX<>& step) {
  if (!data.positions) return least_step(change, data, step);
  if (data.matrices) return least_position_step_of_matrices(change, data, step);
  least_position_step_of_tree(change, data, step);
}

double extent(const Data& data) {
  if (data.matrices) return 1;
  double square = data.least_extent * data.least_extent;
  for (const BodyPosition<>& body : data.tree.kin.bodies) square = std::max(square, body.X_WB.p.squaredNorm());
  return std::sqrt(square);
}

double power(const VecX<>& v, const Data& data) {
  assert(data.has_motion() || !has_motion(data.motion.status));
  if (data.matrices) return (data.matrices->Q + data.motion.Qc).dot(v);
  // tau holds passive and applied forces, and what the constraints do by friction, which Qc has as well
  return (data.tau + data.motion.Qc - data.held().C).dot(v);
}

double kinetic_energy(const VecX<>& v, const Data& data) {
  if (data.matrices) return 0.5 * v.dot(data.matrices->M * v);
  return kinetic_energy<double>(data.problem.system().model, v, data.tree.kin);
}

double energy(const VecX<>& v, const Data& data) {
  if (data.matrices) return kinetic_energy(v, data);
  return kinetic_energy(v, data) + potential_energy<double>(data.problem.system().model, data.at.q, data.tree.kin) +
         force_potential(data);
}

double spring_energy(const Data& data) {
  return data.matrices ? 0 : force_potential(data) + joint_spring_energy(data.problem.system().model, data.at.q);
}

EnergyParts energy_parts(const VecX<>& v, const Data& data) {
  if (data.matrices) {
    const double T = kinetic_energy(v, data);
    return {T, 0, T};
  }
  const Model& model = data.problem.system().model;
  const double springs = joint_spring_energy(model, data.at.q);
  if (data.stamps.factor == data.stamps.position) {
    const BodyEnergies bodies = body_energies(model, v, data.tree.kin, data.tree.inertias);
    return {bodies.kinetic, bodies.weight + springs, bodies.kinetic + bodies.terms + springs};
  }
  const double T = kinetic_energy<double>(model, v, data.tree.kin);
  return {T, potential_energy<double>(model, data.at.q, data.tree.kin),
          T + model.moving_mass() * model.gravity().norm() * extent(data) + springs};
}

std::string why_no_motion(const Data& data) {
  if (data.matrices) return why_no_motion_of_matrices(data);
  const Diagnosis asked = diagnose_here(data.problem, data);
  if (!data.motors || !has_motion(asked.status)) return asked.text();
  System plant = data.problem.system();
  plant.actuators.clear();
  std::erase_if(plant.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
  return diagnose_here(compile(std::move(plant), data.problem.options()), data).text();
}

std::string weakest_row(const Data& data, double below) {
  if (data.matrices) return {};
  const Diagnosis asked = diagnose_here(data.problem, data);
  return asked.weakest_row.empty() || !(asked.weakest_pivot < below)
             ? std::string()
             : fmt::format("{} ({:.1g} of the strongest)", asked.weakest_row, asked.weakest_pivot);
}

}  // namespace trammel
