#pragma once

#include "trammel/math/lanes.h"
#include "trammel/motion/layered_qr.h"

namespace trammel {

/// The QR of several matrices Y of the same sparsity pattern at once, one to a SIMD lane (layered_qr.h, lanes.h). Lanes cannot
/// pivot each for itself: all take the column permutation and the reflectors' sparsity from one state, the leader, that was
/// factorised with pivoting. The result of a lane is valid, with the rank and verdict of the leader, if by the same thresholds
/// (pivot_thresholds.h)
///
///   all columns that the leader kept have clear pivots, so that a permutation of its own would keep them too;
///   all columns that it dropped are left with rounding;
///   the right-hand sides of these agree.
///
/// y is then accurate to rounding, since Householder QR is stable for any order of the columns. Lanes that miss a threshold have
/// to be solved by themselves. Sized by follow(); nothing allocates afterwards.
class LaneQr {
 public:
  /// Takes permutation and sparsity from a leader, which must not be nearly redundant.
  void follow(const LayeredQr& leader);

  /// The columns of a group, in its own numbering, for the caller to fill; h comes behind them.
  RowMatrixOf<Lanes>& columns(int group) { return groups_[group].Y; }
  /// Augments the matrices by the column h.
  void carry(const VecX<Lanes>& h);
  /// The least y with Yᵀ(h + y) = r. Returns for each lane by how much a threshold was missed: it is valid unless that is above
  /// zero. `noise` is what rounding leaves in the columns. Overwrites Y.
  Lanes solve(const VecX<Lanes>& r, const RankTolerance& tolerance, const Lanes& noise, VecX<Lanes>& y);

 private:
  // One group of columns (column_groups.h). Columns are not moved here: leader.order is the permutation.
  struct Group {
    std::vector<int> columns, rows;  // by their numbers in the whole matrix
    Elimination leader;
    RowMatrixOf<Lanes> Y;              // the remaining columns, and h behind them
    RowMatrixOf<Lanes> R, W;           // row k of R; row k of W is w of the k-th reflector
    VecX<Lanes> beta, inverse_length;  // of each reflector
    VecX<Lanes> own2;                  // squared norm of each column before
    VecX<Lanes> zeta, rest, terms, x;  // ζ by reflector; r − Rᵀζ and the size of its terms by column; scratch
    int first(int layer) const { return layer == 0 ? 0 : static_cast<int>(leader.layers[0].steps.size()); }
  };
  struct Comparison;

  static void eliminate(Group& group, int layer, Comparison& compared);
  static void substitute(Group& group, int layer, Lanes& size);
  static void solution(Group& group, VecX<Lanes>& y);

  std::vector<Group> groups_;
};

}  // namespace trammel
