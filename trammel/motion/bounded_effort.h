#pragma once

#include "trammel/motion/layered_qr.h"

namespace trammel {

/// The least x (in norm) with G x = r and lower ≤ x ≤ upper. Where the bounds, or G itself, do
/// not let G x = r, the x within them that comes nearest to it.
///
/// By an active set: the x_j at a bound are fixed, the others are the least solution of the remaining equations, and an x_j is
/// released when its multiplier has the wrong sign. In degenerate cases, where more variables than necessary reach their bounds at
/// once, it may end at an x with G x = r whose norm is not the least. Sized once; nothing allocates afterwards.
class BoundedEffort {
 public:
  BoundedEffort(int variables, int rows);

  /// G has `rows` rows; lower ≤ upper, both may be infinite.
  void solve(const MatX<>& G, const VecX<>& r, const VecX<>& lower, const VecX<>& upper, VecX<>& x);

  /// Whether x_j ended at one of its bounds.
  bool at_bound(int j) const { return fixed_[j]; }

 private:
  void solve_free(const MatX<>& G, const VecX<>& r, const VecX<>& x);
  bool move_to_bound(const VecX<>& lower, const VecX<>& upper, VecX<>& x);
  int worth_releasing(const MatX<>& G, const VecX<>& r, const VecX<>& x, const VecX<>& upper);

  std::vector<bool> fixed_;
  MatX<> Y_;  // Gᵀ of the free variables, zero elsewhere
  VecX<> rest_, wanted_, lambda_;
  LayeredQr qr_;
};

}  // namespace trammel
