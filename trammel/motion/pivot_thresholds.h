#pragma once

#include <algorithm>
#include <limits>

#include "trammel/math/eps.h"
#include "trammel/motion/rank_tolerance.h"

namespace trammel {

/// The pivot thresholds of the QR of Y (layered_qr.h): which columns are independent, which may be taken in any order, and
/// which right-hand sides agree. A single state (group_qr.h) and SIMD lanes (lane_qr.h) decide by these alone. With
///
///   c      norm of a column of Y before the factorisation; c_max the largest of the physical layer, or of the control layer
///          where there are no physical columns
///   d      norm of what the reflectors so far leave of the column: its pivot |R_kk|, if it is taken next
///   d_min  smallest pivot of the physical layer, ∞ where none was taken
///   ν      what rounding leaves in the columns; rel, nearly: RankTolerance
///
///   physical columns are independent while   d > max(rel c_max, ν)
///   control columns are independent while    d > max(ν, blur c),   blur = max(rel, 10 ε c_max/d_min)
///   a pivot is clear if                      d ≥ max(100 max(rel c_max, ν), 10 nearly c_max)
///   a motion is nearly redundant if          min d < nearly c_max
///   a dropped row agrees if                  |r − what the kept rows make of it| ≤ max(1e-9, 100 rel) · size of its terms
///
/// blur: a control row in the span of the physical rows comes out as rounding of the size ε c_max/d_min times its own norm.
/// Clear pivots may be taken in any order, as rank and verdict do not depend on it. Below, the largest column has to be taken
/// first, so that the smallest pivot tells how near Y is to losing rank.
///
/// Norms are compared by their squares. Scalar: double, or Lanes, each lane with thresholds of its own.
template <class Scalar = double>
struct PivotThresholds {
  Scalar floor2;            // a column is independent if its d² is above this,
  Scalar floor2_of_column;  // and above this part of its c²
  Scalar clear2;            // a pivot is clear from this d² on

  /// Of the physical layer.
  PivotThresholds(const RankTolerance& tolerance, const Scalar& c_max, const Scalar& noise) : floor2_of_column(0.0) {
    using std::max;
    const Scalar floor = max(tolerance.relative * c_max, noise);
    const Scalar clear = max(100 * floor, 10 * tolerance.nearly * c_max);
    floor2 = at_least_normal(floor * floor);
    clear2 = clear * clear;
  }

  /// Goes on to the control layer, given d_min/c_max of the physical one.
  void begin_control_layer(const RankTolerance& tolerance, const Scalar& smallest_pivot, const Scalar& noise) {
    using std::max;
    const Scalar blur = max(Scalar(tolerance.relative), 10 * eps / smallest_pivot);
    floor2 = at_least_normal(noise * noise);
    floor2_of_column = blur * blur;
  }

  /// A column with this c² is independent if its d² is above this.
  Scalar floor2_for(const Scalar& c2) const {
    using std::max;
    return max(floor2, floor2_of_column * c2);
  }
  /// A column with this c² is independent, and its pivot clear, from this d² on.
  Scalar clear2_for(const Scalar& c2) const {
    using std::max;
    return max(clear2, floor2_of_column * c2);
  }

 private:
  // squares that underflow are zeros
  static Scalar at_least_normal(const Scalar& square) {
    using std::max;
    return max(square, Scalar(std::numeric_limits<double>::min()));
  }
};

/// The part of the size of its terms by which a dropped row may miss what the kept rows make of it: as much as the tolerance
/// for pivots lets pass.
inline double consistency_tolerance(const RankTolerance& tolerance) { return std::max(1e-9, 100 * tolerance.relative); }

/// Whether rows with this smallest pivot, over c_max, almost follow from others.
inline bool is_nearly_redundant(double smallest_pivot, const RankTolerance& tolerance) {
  return smallest_pivot < tolerance.nearly;
}

}  // namespace trammel
