#pragma once

#include "trammel/motion/group_qr.h"
#include "trammel/motion/rank_tolerance.h"

namespace trammel {

/// What a right-hand side met.
struct LayeredSolution {
  bool physical_contradict = false;  // the physical rows could not all be met: least squares among them
  bool control_contradict = false;   // the same of the control rows, given the physical ones
};

/// Householder QR with column pivoting of Y = L⁻¹Aᵀ (n × m), whose columns are the rows of the constraints: the physical
/// ones first, then the control ones. Pivots are taken among the physical columns until what is left of them is rounding;
/// then among the control columns:
///
///   Y P = Q [ R_pp  R_pd  R_pc  R_pe ]      p: physical, kept (rank ρ_p)     d: physical, dropped
///           [  0     0    R_cc  R_ce ]      c: control, kept (rank ρ_c)      e: control, dropped
///
/// A control row inside the span of the physical rows carries noise of eps/σ, σ the smallest kept physical pivot over the
/// largest: control pivots below max(tolerance, 10 eps/σ) of the row's own norm are dropped.
///
/// solve(r, h) finds the least y with Yᵀ(h + y) = r, layer by layer. With g = Qᵀh, the parts ζ of h + y that the rows
/// speak of are Rᵀζ = r: ζ_p from the physical rows (least squares among them if they contradict each other); that is
/// frozen; then ζ_c from the control rows. y = Q [ζ − g; 0].
///
/// A constraint is felt along its branch only. Columns that share no row of Y with others are factorised by themselves
/// (column_groups.h, group_qr.h): what many loops side by side cost grows with their number. What is small, and what agrees,
/// is decided among all.
///
/// Everything is sized once; nothing allocates afterwards.
class LayeredQr {
 public:
  /// For any matrix of that size.
  LayeredQr(int n, int columns);
  /// For one whose columns touch nothing outside their footprints.
  explicit LayeredQr(const std::vector<Footprint>& footprints);

  /// Weighs the errors of rows that contradict each other, one number a column; all weigh alike unless it is called.
  void set_importance(const VecX<>& importance) { importance_ = importance; }

  /// Factorises Y; its first `physical` columns are the first layer. Pivots up to `noise` are rounding, however small the others
  /// are.
  void factorize(const MatX<>& Y, int physical, const RankTolerance& tolerance, double noise = 0);
  /// The same for columns that were written into the groups themselves.
  void factorize(int physical, const RankTolerance& tolerance, double noise);
  std::vector<GroupQr>& groups() { return groups_; }
  const std::vector<GroupQr>& groups() const { return groups_; }
  /// Where a column stands.
  struct Place {
    int group, column;
  };
  Place place(int column) const { return place_[column]; }

  /// Takes h along in the next factorisation: Qᵀh comes with it.
  void carry(const VecX<>& h);

  /// The least y (in norm) that meets r in the order of the layers, beside h. r is in the order of Y's columns.
  LayeredSolution solve(const VecX<>& r, const VecX<>& h, VecX<>& y);
  /// The same beside the h that the factorisation took along.
  LayeredSolution solve_carried(const VecX<>& r, VecX<>& y);
  /// The same beside nothing: Yᵀy = r.
  LayeredSolution solve(const VecX<>& r, VecX<>& y);

  /// The least y that meets the physical rows of r alone, beside h: as if there were no control rows.
  LayeredSolution solve_physical(const VecX<>& r, const VecX<>& h, VecX<>& y);
  /// The same beside nothing.
  LayeredSolution solve_physical(const VecX<>& r, VecX<>& y);

  /// The part of the last y that meets the physical rows alone: what y would be without the control rows.
  void physical_part(VecX<>& y);

  /// Multipliers λ with Y λ = y for the last y that solve gave, zero on dropped columns. They are unique only for columns
  /// that no dropped one depends on: see dependence().
  void multipliers(VecX<>& lambda);

  /// x ← Qᵀx.
  void rotate(VecX<>& x);
  /// Qᵀy of the last y that solve gave.
  void rotated_solution(VecX<>& out) const;
  /// What a change x (as Qᵀx) inside the motions that the physical rows leave free does to a control column: Yᵀ(1 − Q₁Q₁ᵀ)x.
  double control_change(int column, const VecX<>& rotated) const {
    return at(column).control_change(local(column), rotated);
  }

  /// A column as it was: of a dropped one, the part that others make up.
  void column(int column, VecX<>& out);
  /// |Y| of a column, as it was; not a number before the first factorisation.
  double column_norm(int column) const { return at(column).norm(local(column)); }

  int rank() const { return rank_; }
  int physical_rank() const;
  int columns() const { return static_cast<int>(place_.size()); }
  bool kept(int column) const { return at(column).kept(local(column)); }
  /// Whether a dropped row agreed with the kept ones that it follows from, in the last solve of its layer: the layer's rows
  /// contradict each other if and only if one does not. Residuals do not tell, since least squares spread an error over all.
  bool agrees(int dropped) const { return at(dropped).agrees(local(dropped)); }
  /// How far a kept column stands out of those kept before it, over the largest physical column: nearness to singular.
  double pivot(int column) const { return at(column).pivot(local(column)) / largest_; }
  /// The smallest of these, and the smallest of the physical columns; infinite where none is kept.
  double smallest_pivot() const { return smallest_; }
  double smallest_physical_pivot() const { return smallest_physical_; }

  /// The coefficients by which a dropped column is the sum of kept ones, in the order of Y's columns (zero on dropped
  /// ones).
  void dependence(int dropped, VecX<>& coefficients);

 private:
  LayeredSolution solve_loaded(VecX<>& y);
  LayeredSolution solve_loaded_physical(VecX<>& y);
  bool solve_layer(int layer);
  const GroupQr& at(int column) const { return groups_[place_[column].group]; }
  int local(int column) const { return place_[column].column; }

  std::vector<GroupQr> groups_;
  std::vector<Place> place_;
  int rank_ = 0;
  double largest_ = 0, smallest_ = 0, smallest_physical_ = 0, consistency_ = 0;
  VecX<> importance_;  // of each column; empty where all weigh alike
};

}  // namespace trammel
