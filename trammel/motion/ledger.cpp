#include "trammel/motion/ledger.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/motion/constraint_forces.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/row_dependence.h"
#include "trammel/motion/stages.h"

namespace trammel {
namespace {

// Aᵀλ of constraint i of a row set, and the wrenches on its bodies.
void add_up(const Data& data, const RowSet& set, std::size_t i, ConstraintForce& force) {
  const Model& model = data.problem.system().model;
  force.generalised = force.working;
  const auto on_body = [&](int body, const Vec6<>& F) {
    force.wrenches.push_back({body, F});
    add_generalised_force(model, data.tree.kin, body, F, force.generalised);
  };
  const auto on_velocity = [&](int c, double along) { force.generalised[c] += along; };
  for_each_force(data, set, i, force.multipliers, on_body, on_velocity);
}

// Rows that take part in a dependence have no multiplier of their own; constraints across which one runs share their force.
void mark_undetermined(Data& data, const RowSet& set, std::vector<ConstraintForce>& ledger) {
  const Problem& problem = data.problem;
  const auto named = [&](const std::string& name) { return std::ranges::find(ledger, name, &ConstraintForce::name); };
  for (const Dependence& dependence : dependences(data, set)) {
    std::vector<int> group = dependence.others;
    group.push_back(dependence.row);
    for (const int row : group) {
      const RowInfo& here = problem.rows()[row];
      ConstraintForce& force = *named(problem.system().constraints[here.constraint].name);
      force.determined[here.row] = false;
      for (const int other : group) {
        const std::string& name = problem.system().constraints[problem.rows()[other].constraint].name;
        if (name != force.name && std::ranges::find(force.shares_with, name) == force.shares_with.end())
          force.shares_with.push_back(name);
      }
    }
  }
}

}  // namespace

Vec6<> ConstraintForce::BodyWrench::in(const Frame& frame, const Positions<>& where) const {
  const Pose<> X_WF = frame.body == world ? frame.X_BF : where.bodies[frame.body].X_WB * frame.X_BF;
  const Vec6<> F = force_from<double>(wrench, where.bodies[body].X_WB.p - X_WF.p);
  return spatial<double>(X_WF.R.transpose() * F.head<3>(), X_WF.R.transpose() * F.tail<3>());
}

std::vector<ConstraintForce> force_ledger(Data& data, RowSolution& rows) {
  assert(data.has_solution(rows));
  const System& system = data.problem.system();
  const RowSet& set = *rows.set;
  // the stabilising part by itself, and then again the whole
  least_step(data.stabilising.head(set.rows), data, rows, data.column);
  row_multipliers(data, rows);
  const VecX<> stabilising = rows.lambda;
  stabilise(data, rows);
  solve_rows(data, rows);
  split_forces(data, rows, false);

  // in the order of the system, of those that the set has
  std::vector<std::size_t> order(set.constraints.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return set.constraints[i]; });
  std::vector<ConstraintForce> ledger;
  for (const std::size_t i : order) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    const int first = set.first_row[i], m = constraint.law->rows();
    ConstraintForce& force = ledger.emplace_back();
    force.name = constraint.name;
    force.layer = constraint.layer;
    force.multipliers = rows.lambda.segment(first, m);
    force.stabilising = stabilising.segment(first, m);
    force.determined.assign(m, true);
    force.uniqueness = data.forces->split.of_constraint(static_cast<int>(i));
    force.at_point = wrench_at_point(data, set, static_cast<int>(i), rows.lambda);
    force.working = VecX<>::Zero(system.model.nv());
    if (constraint.working)
      constraint.working->add_to(system.model, data.movement(), data.blocks[i], force.multipliers, force.working);
    add_up(data, set, i, force);
    force.power = force.generalised.dot(data.at.v);
  }
  mark_undetermined(data, set, ledger);
  return ledger;
}

std::vector<JointReaction> reaction_ledger(Data& data) {
  const Model& model = data.problem.system().model;
  const std::span<const Vec6<>> reactions = joint_reactions(data);
  std::vector<JointReaction> out;
  for (int i = 0; i < model.body_count(); ++i) {
    const Pose<>& X_WB = data.tree.kin.bodies[i].X_WB;
    const Mat3<> R_LW = (X_WB.R * model.frame(model.link_name(i)).X_BF.R).transpose();
    const WrenchAtPoint here{i, X_WB.p, reactions[i].tail<3>(), reactions[i].head<3>()};
    out.push_back({model.joint_name(i), here, data.forces->split.of_joint(i), R_LW * here.force, R_LW * here.moment});
  }
  return out;
}

LayerSplit split_layers(Data& data) {
  const System& system = data.problem.system();
  const Model& model = system.model;
  RowSolution& rows = data.asked;
  const RowSet& set = *rows.set;
  const int n = model.nv();
  LayerSplit out{VecX<>::Zero(n), VecX<>::Zero(n), VecX<>::Zero(n), VecX<>::Zero(n)};
  VecX<> whole(n);
  data.qr->solve(rows.r, rows.h, data.column);
  apply_L<double>(model, data.tree.kin, data.tree.factor, data.column, data.tree.vectors, whole);
  row_multipliers(data, rows);
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    ConstraintForce force;
    force.multipliers = rows.lambda.segment(set.first_row[i], constraint.law->rows());
    force.working = VecX<>::Zero(n);
    add_up(data, set, i, force);
    (constraint.layer == Layer::physical ? out.physical_rows : out.control_rows) += force.generalised;
  }
  data.qr->physical_part(data.column);
  apply_L<double>(model, data.tree.kin, data.tree.factor, data.column, data.tree.vectors, out.without_control);
  out.control_increment = whole - out.without_control;
  return out;
}

}  // namespace trammel
