#pragma once

namespace trammel {

/// How far a pivot must stand out to count.
struct RankTolerance {
  double relative = 1e-11;  // pivots of the physical rows below this part of the largest are dropped
  double nearly = 1e-4;     // those below this part are kept, and reported as nearly redundant

  bool operator==(const RankTolerance&) const = default;
};

}  // namespace trammel
