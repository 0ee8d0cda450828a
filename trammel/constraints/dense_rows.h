#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel {

/// A, rows × nv, from the wrenches and coefficients of a constraint: A = Σ Wᵀ J + coefficients. For the formulations that
/// want the matrix; the default one never forms it.
void dense_rows(const Model& model, const Positions<>& where, const Constraint& constraint, const Rows& rows,
                Eigen::Ref<MatX<>> A);

}  // namespace trammel
