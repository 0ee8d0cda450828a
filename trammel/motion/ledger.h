#pragma once

#include "trammel/motion/tree_motion.h"

namespace trammel {

/// The force of one named constraint: its multipliers times its rows.
struct ConstraintForce {
  struct BodyWrench {
    int body;
    Vec6<> wrench;  // [n; f] that the constraint puts on the body, about its origin, along the world's axes; N·m and N
  };

  std::string name;
  Layer layer = Layer::physical;
  VecX<> multipliers;                    // λ of each row, N for a row in metres, N·m for one in radians
  std::vector<bool> determined;          // whether λ of the row has but one value
  std::vector<std::string> shares_with;  // constraints with which it shares its force in an undetermined way
  VecX<> generalised;                    // Aᵀλ
  std::vector<BodyWrench> wrenches;
  double power = 0;  // of the force on the motion, W

  /// Whether the force of the constraint as a whole has but one value, although single rows may not.
  bool is_determined() const { return shares_with.empty(); }
};

/// The forces of all constraints of a system, in its order, for the motion that solve_motion has just put into `work`.
/// Their generalised forces add up to Qc, and their powers to its power, whether determined or not: of undetermined ones one
/// possible split is given.
std::vector<ConstraintForce> force_ledger(const System& system, const VecX<>& v, MotionWorkspace& work);

}  // namespace trammel
