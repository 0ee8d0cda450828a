#pragma once

#include "trammel/motion/reactions.h"
#include "trammel/motion/tree_motion.h"
#include "trammel/motion/uniqueness.h"

namespace trammel {

/// The force of one named constraint: its multipliers times its rows, and what it does by friction.
struct ConstraintForce {
  struct BodyWrench {
    int body;
    Vec6<> wrench;  // [n; f] that the rows put on the body, about its origin, along the world's axes; N·m and N

    /// The same about the origin of a frame and along its axes.
    Vec6<> in(const Frame& frame, const Positions<>& where) const;
  };

  std::string name;
  Layer layer = Layer::physical;
  VecX<> multipliers;                    // λ of each row, N for a row in metres, N·m for one in radians
  VecX<> stabilising;                    // the part of λ that drives an error to zero; the rest holds the constraint
  std::vector<bool> determined;          // whether λ of the row has but one value
  std::vector<std::string> shares_with;  // constraints whose rows depend on its own
  Uniqueness uniqueness{};               // of its wrenches, as a whole
  WrenchAtPoint at_point;                // where it acts: what is drawn, and whose sizes are its peaks
  std::vector<BodyWrench> wrenches;      // of the multipliers
  VecX<> working;                        // C, what it does by friction, generalised
  VecX<> generalised;                    // Aᵀλ + C
  double power = 0;                      // of the force on the motion, W
};

/// The forces of the constraints of a row set, in its order, for the motion that was just solved with it: of data.asked after
/// solve_motion, of data.held() after solve_driven. Their generalised forces add up to Qc, and their powers to its
/// power, whether unique or not: of those that are not, the least is given (force_split.h).
std::vector<ConstraintForce> force_ledger(Data& data, RowSolution& rows);

/// The reaction in one joint: what its guides put on its outer body, at the joint's origin. Motors, springs, dampers and friction along the
/// joint's freedoms are not in it (reactions.h).
struct JointReaction {
  std::string joint;
  WrenchAtPoint at_joint;
  Uniqueness uniqueness{};

  /// Force and moment along the axes of the outer link.
  Vec3<> force_in_joint, moment_in_joint;  // N, N·m
};

/// Those of all joints, by the index of the body, for the motion that was just solved into data.motion (stages.h).
std::vector<JointReaction> reaction_ledger(Data& data);

/// Two ways to say how much of Qc is due to the control rows. They differ, because control rows also change what the
/// physical ones must do.
struct LayerSplit {
  /// By multipliers: Aᵀλ of the rows of each layer, as in the ledger.
  VecX<> physical_rows, control_rows;
  /// By increments: Qc without the control rows, and what they add to it.
  VecX<> without_control, control_increment;
};

/// For the motion that solve_motion has just put into `data`; forces of friction are left out.
LayerSplit split_layers(Data& data);

}  // namespace trammel
