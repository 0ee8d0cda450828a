#include "trammel/motion/ledger.h"

#include <algorithm>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/motion/row_dependence.h"

namespace trammel {
namespace {

// Aᵀλ of one constraint, and the wrenches on its bodies.
void add_up(const System& system, const MotionWorkspace& work, int index, ConstraintForce& force) {
  const Constraint& law = *system.constraints[work.order[index]].law;
  const Rows& block = work.blocks[index];
  force.generalised = force.working;
  for (std::size_t s = 0; s < law.bodies().size(); ++s) {
    if (law.bodies()[s] == world) continue;
    const Vec6<> F = block.wrenches_on(static_cast<int>(s)) * force.multipliers;
    force.wrenches.push_back({law.bodies()[s], F});
    add_generalised_force(system.model, work.tree.kin, law.bodies()[s], F, force.generalised);
  }
  for (std::size_t j = 0; j < law.velocities().size(); ++j)
    force.generalised[law.velocities()[j]] += block.coefficients.col(static_cast<int>(j)).dot(force.multipliers);
}

// Rows that take part in a dependence have no multiplier of their own; constraints across which one runs share their force.
void mark_undetermined(const System& system, MotionWorkspace& work, std::vector<ConstraintForce>& ledger) {
  for (const Dependence& dependence : dependences(work)) {
    std::vector<int> group = dependence.others;
    group.push_back(dependence.row);
    for (const int row : group) {
      const RowPlace here = place_of_row(system, work, row);
      ConstraintForce& force = ledger[here.constraint];
      force.determined[here.row] = false;
      for (const int other : group) {
        const std::string& name = system.constraints[place_of_row(system, work, other).constraint].name;
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

std::vector<ConstraintForce> force_ledger(const System& system, const VecX<>& q, const VecX<>& v, double t,
                                          MotionWorkspace& work) {
  // the stabilising part by itself, and then again the whole
  const VecX<> asked = work.stabilising.cwiseProduct(work.weight);
  work.qr.solve(asked, work.column);
  row_multipliers(work);
  const VecX<> stabilising = work.lambda;
  work.qr.solve(work.r, work.h, work.column);
  row_multipliers(work);

  std::vector<ConstraintForce> ledger(system.constraints.size());
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    const int first = work.first_row[i], m = constraint.law->rows();
    ConstraintForce& force = ledger[work.order[i]];
    force.name = constraint.name;
    force.layer = constraint.layer;
    force.multipliers = work.lambda.segment(first, m);
    force.stabilising = stabilising.segment(first, m);
    force.determined.assign(m, true);
    force.working = VecX<>::Zero(system.model.nv());
    if (constraint.working)
      constraint.working->add_to(system.model, {work.tree.kin, q, v, t}, work.blocks[i], force.multipliers,
                                 force.working);
    add_up(system, work, static_cast<int>(i), force);
    force.power = force.generalised.dot(v);
  }
  mark_undetermined(system, work, ledger);
  return ledger;
}

LayerSplit split_layers(const System& system, MotionWorkspace& work) {
  const Model& model = system.model;
  const int n = model.nv();
  LayerSplit out{VecX<>::Zero(n), VecX<>::Zero(n), VecX<>::Zero(n), VecX<>::Zero(n)};
  VecX<> whole(n);
  work.qr.solve(work.r, work.h, work.column);
  apply_L<double>(model, work.tree.kin, work.tree.factor, work.column, work.tree.vectors, whole);
  row_multipliers(work);
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    ConstraintForce force;
    force.multipliers = work.lambda.segment(work.first_row[i], constraint.law->rows());
    force.working = VecX<>::Zero(n);
    add_up(system, work, static_cast<int>(i), force);
    (constraint.layer == Layer::physical ? out.physical_rows : out.control_rows) += force.generalised;
  }
  work.qr.physical_part(work.column);
  apply_L<double>(model, work.tree.kin, work.tree.factor, work.column, work.tree.vectors, out.without_control);
  out.control_increment = whole - out.without_control;
  return out;
}

}  // namespace trammel
