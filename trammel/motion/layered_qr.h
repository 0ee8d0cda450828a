#pragma once

#include <cmath>
#include <vector>

#include "trammel/math/vector.h"

namespace trammel {

/// How far a pivot must stand out to count.
struct RankTolerance {
  double relative = 1e-11;  // pivots of the physical rows below this part of the largest are dropped
  double nearly = 1e-4;     // those below this part are kept, and reported as nearly redundant
};

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
/// Everything is sized once; nothing allocates afterwards.
class LayeredQr {
 public:
  LayeredQr(int n, int max_columns);

  /// Factorises Y in place (its contents are used up); its first `physical` columns are the first layer. Where rows
  /// contradict each other, `importance` (one number a column; all alike if there is none) weighs their errors. Pivots up to
  /// `noise` are rounding, however small the others are.
  void factorize(MatX<>& Y, int physical, const RankTolerance& tolerance, const VecX<>* importance = nullptr,
                 double noise = 0);

  /// The least y (in norm) that meets r in the order of the layers, beside h. r is in the order of Y's columns.
  LayeredSolution solve(const VecX<>& r, const VecX<>& h, VecX<>& y);
  /// The same beside nothing: Yᵀy = r.
  LayeredSolution solve(const VecX<>& r, VecX<>& y);

  /// The part of the last y that meets the physical rows alone: what y would be without the control rows.
  void physical_part(VecX<>& y) const;

  /// Multipliers λ with Y λ = y for the last y that solve gave, zero on dropped columns. They are unique only for columns
  /// that no dropped one depends on: see depends().
  void multipliers(VecX<>& lambda);

  /// x ← Qᵀx.
  void rotate(VecX<>& x) const;
  /// Qᵀy of the last y that solve gave.
  const VecX<>& rotated_solution() const { return z_; }
  /// What a change x (as Qᵀx) inside the motions that the physical rows leave free does to a control column: Yᵀ(1 − Q₁Q₁ᵀ)x.
  double control_change(int column, const VecX<>& rotated) const;

  /// A column as it was: of a dropped one, the part that others make up.
  void column(int column, VecX<>& out) const;
  /// |Y| of a column, as it was.
  double column_norm(int column) const { return std::sqrt(own_norm2_[position_[column]]); }

  int rank() const { return physical_rank_ + control_rank_; }
  int physical_rank() const { return physical_rank_; }
  int columns() const { return m_; }
  bool kept(int column) const;
  /// How far a kept column stands out of those kept before it, over the largest physical column: nearness to singular.
  double pivot(int column) const;
  /// The least of these; 1 where no column is kept.
  double weakest_pivot() const;

  /// The coefficients by which a dropped column is the sum of kept ones, in the order of Y's columns (zero on dropped
  /// ones).
  void dependence(int dropped, VecX<>& coefficients);

 private:
  // kept columns stand in rows 0 … rank − 1 of R, at these positions
  int row_of(int position) const { return position < physical_ ? position : position - physical_ + physical_rank_; }
  int position_of(int row) const { return row < physical_rank_ ? row : physical_ + row - physical_rank_; }
  void back_substitute(int rows, VecX<>& x);
  void eliminate(int row, int position, int layer_end);
  int factorize_layer(int first_row, int begin, int end, double floor_of_layer, double floor_of_column);
  bool solve_layer(const VecX<>& r, int first_row, int rank, int begin, int end);
  void least_squares(const VecX<>& r, int first_row, int rank, int begin, int end);
  double remainder(const VecX<>& r, int position, int rows, double& size) const;
  LayeredSolution solve_layers(const VecX<>& r, VecX<>& y);
  void rotate_back(VecX<>& x) const;

  int n_, m_ = 0, physical_ = 0, physical_rank_ = 0, control_rank_ = 0;
  double largest_ = 0, noise_ = 0, consistency_ = 0;
  const VecX<>* importance_ = nullptr;
  MatX<>* Y_ = nullptr;                // the caller's, holding R above and the reflectors below
  std::vector<int> order_, position_;  // order_[position] = column; position_[column] = position
  VecX<> beta_, norm2_, own_norm2_, rhs_;
  VecX<> g_, zeta_, z_;  // Qᵀh; of h + y; of y
  VecX<> solved_;        // scratch of back_substitute
  MatX<> G_;             // scratch of the least squares
};

}  // namespace trammel
