#pragma once

#include "trammel/motion/group_qr.h"
#include "trammel/motion/rank_tolerance.h"

namespace trammel {

/// Whether the rows of each layer were consistent.
struct LayeredSolution {
  bool physical_contradict = false;  // the physical rows contradict each other: least squares among them
  bool control_contradict = false;   // the same of the control rows, given the physical ones
};

/// Householder QR with column pivoting of Y = L⁻¹Aᵀ (n × m), whose columns are the rows of the constraints: the physical
/// ones first, then the control ones. Pivots are taken among the physical columns until the others are combinations of these,
/// up to rounding; then among the control columns:
///
///   Y P = Q [ R_pp  R_pd  R_pc  R_pe ]      p: physical, kept (rank ρ_p)     d: physical, dropped
///           [  0     0    R_cc  R_ce ]      c: control, kept (rank ρ_c)      e: control, dropped
///
/// pivot_thresholds.h has the thresholds for both layers.
///
/// solve(r, h) finds the least y with Yᵀ(h + y) = r, layer by layer. With g = Qᵀh, the components ζ of Qᵀ(h + y) in the range
/// of Y follow from Rᵀζ = r: first ζ_p from the physical rows (least squares if they contradict each other), then, with ζ_p
/// fixed, ζ_c from the control rows. y = Q [ζ − g; 0].
///
/// The column of a constraint is zero outside the branch of its bodies. Columns that share no row of Y with others are
/// factorised by themselves (column_groups.h, group_qr.h): the cost of many separate loops is linear in their number. Thresholds
/// are those of the whole matrix.
///
/// Everything is sized once; nothing allocates afterwards.
class LayeredQr {
 public:
  /// For any matrix of that size.
  LayeredQr(int n, int columns);
  /// For one whose columns touch nothing outside their footprints.
  explicit LayeredQr(const std::vector<Footprint>& footprints);

  /// Weights of the least squares among rows that contradict each other, one to a column; 1 unless it is called.
  void set_importance(const VecX<>& importance) { importance_ = importance; }

  /// Factorises Y; its first `physical` columns are the first layer. Pivots up to `noise` are rounding, whatever the largest is.
  void factorize(const MatX<>& Y, int physical, const RankTolerance& tolerance, double noise = 0);
  /// The same for columns that were written into the groups themselves.
  void factorize(int physical, const RankTolerance& tolerance, double noise);
  /// From the next factorisation on, no group takes more physical columns than it has taken of `other`, a matrix of the same pattern.
  void limit_rank(const LayeredQr& other);
  /// As many as are independent again.
  void free_rank();
  std::vector<GroupQr>& groups() { return groups_; }
  const std::vector<GroupQr>& groups() const { return groups_; }
  /// The group of a column, and its number there.
  struct Place {
    int group, column;
  };
  Place place(int column) const { return place_[column]; }

  /// Augments the matrix by the column h in the next factorisation, which then computes Qᵀh too.
  void carry(const VecX<>& h);

  /// The least y (in norm) with Yᵀ(h + y) = r, layer by layer. r is in the order of Y's columns.
  LayeredSolution solve(const VecX<>& r, const VecX<>& h, VecX<>& y);
  /// The same with the h that was carried through the factorisation.
  LayeredSolution solve_carried(const VecX<>& r, VecX<>& y);
  /// The same with h = 0: Yᵀy = r.
  LayeredSolution solve(const VecX<>& r, VecX<>& y);

  /// The same for the physical rows alone, as if there were no control rows.
  LayeredSolution solve_physical(const VecX<>& r, const VecX<>& h, VecX<>& y);
  /// The same with h = 0.
  LayeredSolution solve_physical(const VecX<>& r, VecX<>& y);

  /// From now on, a row need not hold where h = 0: a kept one adds nothing to y, a dropped one need not agree.
  void disregard(int column) { groups_[place_[column].group].disregard(local(column)); }

  /// The part of the last y that meets the physical rows alone: what y would be without the control rows.
  void physical_part(VecX<>& y);

  /// Multipliers λ with Y λ = y for the last y that solve gave, zero on dropped columns. They are unique only for columns
  /// that no dropped one depends on: see dependence().
  void multipliers(VecX<>& lambda);

  /// Room for what follows, of vectors of n entries.
  void make_room_for_changes(int n, int count) { rotated_.setZero(n, padded_to_packs(count)); }
  /// What changes of y, the columns of X, inside the motions that the physical rows leave free do to the control columns, a row of H to
  /// each: H = Y₂ᵀ(1 − Q₁Q₁ᵀ)X.
  void control_changes(const MatX<>& X, MatX<>& H);
  /// The same of the last y that solve gave, and |y|.
  double control_changes(VecX<>& r) const;

  /// A column of Y, from Q and R; of a dropped one, its projection on the kept ones.
  void column(int column, VecX<>& out);
  /// The norm of a column of Y; not a number before the first factorisation.
  double column_norm(int column) const { return at(column).norm(local(column)); }

  int rank() const { return rank_; }
  int physical_rank() const;
  int columns() const { return static_cast<int>(place_.size()); }
  bool kept(int column) const { return at(column).kept(local(column)); }
  /// Whether the right-hand side of a dropped row agreed with those of the kept rows that it follows from, in the last solve of
  /// its layer: a layer contradicts itself if and only if one does not. Residuals do not tell, since least squares distribute an
  /// error over all rows.
  bool agrees(int dropped) const { return at(dropped).agrees(local(dropped)); }
  /// The pivot of a kept column over the norm of the largest physical column: small where Y is nearly rank-deficient.
  double pivot(int column) const { return at(column).pivot(local(column)) / largest_; }
  /// That norm.
  double largest() const { return largest_; }
  /// The smallest of these, and the smallest of the physical columns; infinite where none is kept.
  double smallest_pivot() const { return smallest_; }
  double smallest_physical_pivot() const { return smallest_physical_; }

  /// The smallest pivot of the kept columns, or of the physical ones alone, over what `per` has one over of each column; infinite where none
  /// is kept.
  double smallest_part(const VecX<>& per, bool physical_alone) const;

  /// The coefficients of the kept columns whose linear combination a dropped column is, in the order of Y's columns (zero on
  /// dropped ones). Of a kept column: those of the columns taken before it whose combination is nearest to it.
  void dependence(int column, VecX<>& coefficients);

 private:
  LayeredSolution solve_loaded(VecX<>& y);
  LayeredSolution solve_loaded_physical(VecX<>& y);
  bool solve_layer(int layer);
  const GroupQr& at(int column) const { return groups_[place_[column].group]; }
  int local(int column) const { return place_[column].column; }

  std::vector<GroupQr> groups_;
  std::vector<Place> place_;
  RowMatX rotated_;  // scratch: QᵀX, in whole packs
  int rank_ = 0;
  double largest_ = 0, smallest_ = 0, smallest_physical_ = 0, consistency_ = 0;
  VecX<> importance_;  // of each column; empty where all weigh alike
};

}  // namespace trammel
