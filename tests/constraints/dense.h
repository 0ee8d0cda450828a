#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "support/linear_algebra.h"
#include "trammel/constraints/dense_rows.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"

namespace trammel::test {

/// The rows of some constraints at a state, as matrices.
struct DenseRows {
  VecX<> phi, rate, b;
  MatX<> A;
};

DenseRows rows_at(const Model& model, std::initializer_list<const Constraint*> constraints, const VecX<>& q,
                  const VecX<>& v, double t = 0);

/// v̇ and λ under gravity and constraints, by the textbook: λ = (A M⁻¹Aᵀ)⁺ (b − A a), v̇ = a + M⁻¹Aᵀλ.
struct DenseMotion {
  VecX<> vdot, lambda;
};

DenseMotion motion_at(const Model& model, std::initializer_list<const Constraint*> constraints, const VecX<>& q,
                      const VecX<>& v, double t = 0);

}  // namespace trammel::test
