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
  force.generalised = VecX<>::Zero(system.model.nv());
  for (std::size_t s = 0; s < law.bodies().size(); ++s) {
    if (law.bodies()[s] == world) continue;
    const Vec6<> F = block.wrenches.middleCols(law.rows() * static_cast<int>(s), law.rows()) * force.multipliers;
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

std::vector<ConstraintForce> force_ledger(const System& system, const VecX<>& v, MotionWorkspace& work) {
  VecX<> lambda(work.rows);
  work.qr.multipliers(lambda);
  lambda.array() *= work.weight.array();  // the factor's columns were weighted rows

  std::vector<ConstraintForce> ledger(system.constraints.size());
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    ConstraintForce& force = ledger[work.order[i]];
    force.name = constraint.name;
    force.layer = constraint.layer;
    force.multipliers = lambda.segment(work.first_row[i], constraint.law->rows());
    force.determined.assign(constraint.law->rows(), true);
    add_up(system, work, static_cast<int>(i), force);
    force.power = force.generalised.dot(v);
  }
  mark_undetermined(system, work, ledger);
  return ledger;
}

}  // namespace trammel
