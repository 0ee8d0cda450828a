#include "trammel/motion/force_stage.h"

#include "trammel/motion/tree_motion.h"

namespace trammel {

bool split_forces(Data& data, RowSolution& rows, bool with_reactions) {
  ForceStage& stage = *data.forces;
  row_multipliers(data, rows);
  stage.split.factorize(data, *rows.set);
  if (!with_reactions && !stage.split.redundant()) return false;
  data.column = rows.h + rows.y;
  apply_L_inverse_transpose<double>(data.problem.system().model, data.tree.kin, data.tree.factor, data.column,
                                    data.tree.vectors, stage.vdot);
  // friction depends on λ, and loads the joints that the split looks at
  constexpr int most = 100;
  for (int round = 0; round < most; ++round) {
    stage.reactions.compute(data, *rows.set, stage.vdot, rows.lambda);
    if (!stage.split.redundant()) return true;
    stage.lambda_before = rows.lambda;
    stage.split.apply(data, *rows.set, stage.reactions.all(), rows.lambda);
    if (!rows.set->has_working_forces) return true;
    const int m = rows.set->rows;
    if ((rows.lambda - stage.lambda_before).head(m).norm() <= 1e-14 * rows.lambda.head(m).norm()) return true;
  }
  stage.reactions.compute(data, *rows.set, stage.vdot, rows.lambda);
  return true;
}

}  // namespace trammel
