#pragma once

#include <algorithm>

#include "trammel/math/lanes.h"
#include "trammel/math/vector.h"

namespace trammel {

/// Columns first … first + count − 1 of a matrix, one to a SIMD lane; lanes beyond `count` repeat the last column.
inline void gather(const MatX<>& columns, int first, int count, VecX<Lanes>& out) {
  const double* column[lane_count];
  for (int lane = 0; lane < lane_count; ++lane) column[lane] = columns.col(first + std::min(lane, count - 1)).data();
  // a whole register at once: writing it lane by lane goes through memory
  for (Eigen::Index k = 0; k < columns.rows(); ++k) out[k] = Lanes::each([&](int lane) { return column[lane][k]; });
}

/// Column i ← one lane.
inline void scatter(const VecX<Lanes>& from, int lane, MatX<>& columns, int i) {
  double* out = columns.col(i).data();
  for (Eigen::Index k = 0; k < columns.rows(); ++k) out[k] = from[k][lane];
}

}  // namespace trammel
