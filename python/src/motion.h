#pragma once

#include "solver.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/motors.h"

namespace trammel::python {

/// What problem.solve gives: the motion at a state, with all that it takes to ask for its forces later.
struct SolvedMotion {
  std::shared_ptr<Solver> solver;
  State at;
  VecX<> inputs;  // empty for those that the author gave
  Motion motion;
  VecX<> torques;   // of the motors; none where nothing is driven
  std::string why;  // there is no motion; else empty
};

/// At the state and the inputs of a workspace.
SolvedMotion solve(const std::shared_ptr<Solver>& solver, Solver::Workspace& work, double t);

/// Forces of the constraints, by name, and reactions in the joints, of a motion: solved again, since the workspace has gone on.
nb::dict forces(const SolvedMotion& motion);
nb::dict reactions(const SolvedMotion& motion);

}  // namespace trammel::python
