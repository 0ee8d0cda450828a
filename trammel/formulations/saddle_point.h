#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// The least of ½ xᵀM x − fᵀx on C x = d, by its multipliers λ:
///
///   [ M  −Cᵀ ] [ x ]   [ f ]
///   [ C   0  ] [ λ ] = [ d ]
///
/// The matrix is scaled first so that no row stands out: its unknowns differ in unit. With independent rows C it is
/// solved by elimination; with rows that follow from others, λ is the least of those possible.
struct SaddlePoint {
  VecX<> x, lambda;
  bool determined = false;  // x is the only one; otherwise nothing else is written
};
SaddlePoint saddle_point(const MatX<>& M, const VecX<>& f, const MatX<>& C, const VecX<>& d, int rank_of_C);

}  // namespace trammel
