#pragma once

/// All that the library offers to its users. What is installed is this header and those that it reaches; other headers of the repository
/// are not for users, and change without notice. docs/architecture.md says how the parts belong together.

// a robot: from a URDF file, or as data
#include "trammel/base/error.h"
#include "trammel/base/version.h"
#include "trammel/mjcf/mjcf.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
#include "trammel/model/leave_out.h"
#include "trammel/urdf/urdf.h"

// trees: kinematics and dynamics
#include "trammel/dynamics/coriolis.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/forward_dynamics_batch.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"

// what must hold: the kinds of constraints; constraint.h and contract.h for kinds of one's own
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/axis_on_path.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/constraint.h"
#include "trammel/constraints/contract.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/expression_constraint.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/point_on_sphere.h"
#include "trammel/constraints/rolling.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"

// the system: the robot with all that acts, holds and drives
#include "trammel/system/forces.h"
#include "trammel/system/friction_law.h"
#include "trammel/system/matrix_system.h"
#include "trammel/system/system.h"

// its motion and forces at a state: Problem, Data, torques, the ledger, powers, the diagnosis; many states at once; other formulations
#include "trammel/formulations/formulations.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/power_balance.h"
#include "trammel/motion/row_strength.h"
#include "trammel/motion/solve_batch.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/torques.h"

// a start on the constraints, and runs
#include "trammel/assembly/assemble.h"
#include "trammel/assembly/structure.h"
#include "trammel/simulate/simulate.h"
#include "trammel/simulate/simulate_batch.h"
#include "trammel/simulate/simulator.h"

// all of that from a file, and what can be said of it
#include "trammel/scenario/scenario.h"
#include "trammel/study/check.h"
#include "trammel/study/summary.h"
#include "trammel/study/torque_study.h"

// results as files
#include "trammel/report/csv.h"
#include "trammel/report/figures.h"
#include "trammel/report/json.h"
#include "trammel/report/results.h"

// many runs of one file, and the table of what came of them
#include "trammel/sweep/run_sweep.h"
#include "trammel/sweep/sweep_page.h"
