#pragma once

#include "trammel/dynamics/branch.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/problem.h"

namespace trammel {

/// Columns of Y for the rows of constraint set.constraints[index], in the numbering of its group: L⁻¹ of its generalised forces at unit
/// multipliers, weighted. The columns have to be zero before. Scalar: double, or Lanes.
template <class Scalar, class Coefficients>
void fill_columns(const RowSet& set, int index, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                  const RowMatrixOf<Scalar>& wrenches, const Coefficients& coefficients, PassedWrenches<Scalar>& passed,
                  RowMatrixOf<Scalar>& group) {
  const int m = static_cast<int>(coefficients.rows()), first = set.first_row[index];
  const double* weight = set.weight.data() + first;
  auto Y = group.middleCols(set.qr->place(first).column, m);
  const std::vector<int>& rows = set.direct_rows[index];
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (int k = 0; k < m; ++k) Y(rows[j], k) += coefficients(k, static_cast<int>(j)) * weight[k];
  apply_L_inverse_to_wrenches<Scalar>(where, factor, (*set.branches)[index], wrenches, weight, passed, Y);
}

}  // namespace trammel
