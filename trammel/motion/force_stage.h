#pragma once

#include "trammel/motion/force_split.h"

namespace trammel {

/// The forces behind a motion: the split of λ where it is not unique, and the reactions in the joints.
struct ForceStage {
  explicit ForceStage(const Problem& problem)
      : split(problem), reactions(problem.system().model), vdot(VecX<>::Zero(problem.nv())) {}

  ForceSplit split;
  Reactions reactions;
  VecX<> vdot, lambda_before;
};

/// λ of the rows of a set for what was last solved, into rows.lambda: the least where it is not unique. With the reactions in the joints,
/// unless they are not wanted and λ does not depend on them; returns whether they were computed.
bool split_forces(Data& data, RowSolution& rows, bool with_reactions);

}  // namespace trammel
