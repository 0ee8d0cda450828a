#pragma once

#include "trammel/motion/tree_motion.h"

namespace trammel {

/// Columns of Y for the rows of constraint order[index], in the numbering of its group: L⁻¹ of its generalised forces at unit
/// multipliers, weighted. They are zero before. For one state, and for as many as there are lanes.
template <class Scalar, class Coefficients>
void fill_columns(const MotionWorkspace& structure, int index, const Positions<Scalar>& where,
                  const ArticulatedFactor<Scalar>& factor, const RowMatrixOf<Scalar>& wrenches,
                  const Coefficients& coefficients, PassedWrenches<Scalar>& passed, RowMatrixOf<Scalar>& group) {
  const int m = static_cast<int>(structure.blocks[index].phi.size()), first = structure.first_row[index];
  const double* weight = structure.weight.data() + first;
  auto Y = group.middleCols(structure.qr.place(first).column, m);
  const std::vector<int>& rows = structure.direct_rows[index];
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (int k = 0; k < m; ++k) Y(rows[j], k) += coefficients(k, static_cast<int>(j)) * weight[k];
  apply_L_inverse_to_wrenches<Scalar>(where, factor, structure.branches[index], wrenches, weight, passed, Y);
}

}  // namespace trammel
