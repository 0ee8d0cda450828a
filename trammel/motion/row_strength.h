#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/motion/data.h"

namespace trammel {

/// Where the forces of constraints are singular. With the columns y of Y = L⁻¹Aᵀ, one to a row, and their pivots (layered_qr.h),
///
///   g = max |y| over the start and random states            the usual size of a row; 100 times the median about the start at most
///   weak, and kept in the QR:   pivot < ∛ε g                it vanishes, or almost follows from rows that were taken before it
///   weak, and dropped:          |y|   < ∛ε g                it vanishes
///
/// An arm that is stretched out has such rows, a rod in line with the crank that it holds, x y = 0 at the origin. The multiplier of a weak
/// row is what the others leave over, divided by the pivot: rounding, or without bound. It makes singular its own constraint and
/// those with which it almost depends.
///
/// Not weak are rows that vanish in every posture near the start, such as those out of the plane of a planar loop, and dropped rows
/// of ordinary size: they are redundant, as two welds side by side are, whose forces have sizes as others have.
///
/// Made once for a run; one for each thread. Of a problem that is given by its matrices nothing is known: no row of it is weak.
class RowStrength {
 public:
  /// Random postures, eight far from the start and eight near it: within half a turn, and the extent that the mechanism has there,
  /// and within 0.03 of these; with random velocities, at moments of the run. A row counts where it is finite; postures where M
  /// is singular do not.
  /// `least_extent`: of the mechanism (Data::least_extent).
  RowStrength(const Problem& problem, const State& start, double duration, double least_extent = 0.1);

  /// Marks the constraints whose forces are singular at the state of the factors, and no others; `singular` has an entry for each
  /// of the system's. Returns whether there are any. Allocates nothing.
  bool mark_singular(Data& data, std::vector<bool>& singular);

  /// One line each: "'c' is singular WHEN: its gradient vanishes (2e-17 of its usual size); its force is not determined".
  std::vector<std::string> singular_texts(Data& data, std::string_view when);

  static constexpr double weak_part = 6.1e-6;  // ∛ε
  /// Whether some row is weak at the state of the factors.
  bool any_weak(const Data& data) const;

  /// Of a row's usual size g, what its pivot has, or the row itself where it was dropped; 1 where it has no usual size.
  double part_left(const LayeredQr& qr, int row) const;
  /// The smallest of these among the kept ones of the first `rows` rows: of all, or of the physical ones.
  double smallest_part(const LayeredQr& qr, int rows) const;
  /// None of them is below this, which takes two multiplications.
  double bound_of_parts(const LayeredQr& qr, int rows) const;
  /// The row that has the smallest.
  int weakest_row(const Data& data, int rows) const;

 private:
  void find_partners(Data& data, int row);

  std::vector<double> usual_;     // g of every row that is asked for; 0 where the row vanishes all about the start
  VecX<> per_usual_;              // 1/g, infinite there
  double per_largest_usual_ = 0;  // one over the largest g; 0 where there is none
  VecX<> coefficients_;           // scratch: of a row's combination
  std::vector<int> partners_;     // scratch: the rows with which a row almost depends
};

}  // namespace trammel
