#pragma once

#include "trammel/motion/equation.h"

namespace trammel {

/// Completes a motion whose v̇ and Qc are known: its residual, its rank, and the status that follows from them. A row
/// is contradicted when what is left of it, over the row's length, is above 1e-9 of the accelerations around it (or of
/// 1 rad/s² or m/s², where nothing moves).
void conclude(const MatX<>& A, const VecX<>& b, int rank, Motion& out);

/// The answer where there is none: `singular`, or `not_a_number` if the equation holds one.
Motion no_motion(const Equation& equation);

/// Whether all that the equation holds is finite.
bool is_finite(const Equation& equation);

/// What each row must be multiplied by to have length one. Ranks then do not depend on units. What is left by rounding of
/// a row of zeros (below 1e-13 of the longest) stays as short as it is.
VecX<> unit_lengths(const MatX<>& A);

}  // namespace trammel
