#pragma once

namespace trammel {

/// Relative thresholds for pivots (pivot_thresholds.h).
struct RankTolerance {
  double relative = 1e-11;  // rows whose pivot is below this part of the largest column are dropped
  double nearly = 1e-4;     // those below this part are kept, and reported as nearly redundant

  bool operator==(const RankTolerance&) const = default;
};

}  // namespace trammel
