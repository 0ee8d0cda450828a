#pragma once

#include "trammel/math/lanes.h"
#include "trammel/motion/layered_qr.h"

namespace trammel {

/// The QR of as many matrices Y as there are lanes (layered_qr.h), in the order in which the columns of a leader were taken:
/// lanes cannot choose for themselves. A lane agrees with the leader if
///
///   the columns that the leader kept stand out by more than 100 times what counts as rounding, and by 10 times what counts
///   as nearly redundant, so that a choice of their order would not matter;
///   of those that it dropped, nothing but rounding is left;
///   the right-hand sides of these are what the others make of them.
///
/// Its rank and verdict are then the leader's, and its y is right to rounding, as Householder's reflectors need no particular
/// order. What the other lanes hold is of no use. Sized by follow(); nothing allocates afterwards.
class LaneQr {
 public:
  /// Takes the order of one that was factorised, with pivots that are not nearly redundant.
  void follow(const LayeredQr& leader);

  /// The columns of a group, in its own numbering, for the caller to fill; L⁻¹Q stands behind them.
  RowMatrixOf<Lanes>& columns(int group) { return groups_[group].Y; }
  /// Takes h along, as one more column.
  void carry(const VecX<Lanes>& h);
  /// y with Yᵀ(h + y) = r. Returns a number for each lane: it agrees unless that is above zero. `noise` is what rounding leaves
  /// in the columns. Y is used up.
  Lanes solve(const VecX<Lanes>& r, const RankTolerance& tolerance, const Lanes& noise, VecX<Lanes>& y);

 private:
  // One group of columns (column_groups.h). Columns keep their places here; `order` says which is next.
  struct Group {
    std::vector<int> columns, rows;  // by their numbers in the whole matrix
    Elimination leader;
    RowMatrixOf<Lanes> Y;              // what is left of the columns, and of h behind them
    RowMatrixOf<Lanes> R, W;           // row k is that of the k-th kept column; its reflector
    VecX<Lanes> beta, inverse_length;  // of each reflector
    VecX<Lanes> own2;                  // squares of each column, as it was
    VecX<Lanes> zeta, rest, terms, x;  // by reflector; by column: what is left of r, and the size of its terms; scratch
    int first(int layer) const { return layer == 0 ? 0 : static_cast<int>(leader.layers[0].steps.size()); }
  };
  struct Comparison;

  static void eliminate(Group& group, int layer, Comparison& compared);
  static void substitute(Group& group, int layer, Lanes& size);
  static void solution(Group& group, VecX<Lanes>& y);

  std::vector<Group> groups_;
};

}  // namespace trammel
