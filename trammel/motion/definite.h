#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// Whether a symmetric matrix is positive definite by a margin that rounding does not reach: its least eigenvalue stands
/// 10 n eps above zero, as a part of the largest. (The D of Eigen's LDLT does not tell: it takes its pivots by diagonals
/// that are not brought up to date, and of a singular M may be left with 1e-12 where eigenvalues have 1e-16.) One with an
/// entry that is not a number is not.
bool is_definite(const MatX<>& M);

}  // namespace trammel
