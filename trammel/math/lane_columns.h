#pragma once

#include "trammel/math/lanes.h"
#include "trammel/math/vector.h"

namespace trammel {

/// Columns first … first + count − 1 of a matrix, side by side; lanes without a column of their own repeat the last one's.
inline void gather(const MatX<>& columns, int first, int count, VecX<Lanes>& out) {
  const double* column[lane_count];
  for (int lane = 0; lane < lane_count; ++lane) column[lane] = columns.col(first + std::min(lane, count - 1)).data();
  // all lanes of a number at once: a register that is written lane by lane has to come back from memory
  for (Eigen::Index k = 0; k < columns.rows(); ++k) out[k] = Lanes::each([&](int lane) { return column[lane][k]; });
}

/// Column i becomes what a lane holds.
inline void scatter(const VecX<Lanes>& from, int lane, MatX<>& columns, int i) {
  double* out = columns.col(i).data();
  for (Eigen::Index k = 0; k < columns.rows(); ++k) out[k] = from[k][lane];
}

}  // namespace trammel
