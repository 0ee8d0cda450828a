#pragma once

#include <string>
#include <vector>

#include "trammel/math/vector.h"

namespace trammel {

class Problem;
struct Data;

/// How far a constraint is from holding: |φ| over its rows in metres, over those in radians, and over those whose unit is not known. Or
/// the same per second, of φ̇ and ψ. No length stands for an angle.
struct Opening {
  double length = 0;  // m
  double angle = 0;   // rad
  double other = 0;

  /// The larger of each.
  void include(const Opening& more);
  /// "2e-16 m, 3e-15 rad", with so many digits; what is zero is left out unless all is.
  std::string text(int digits) const;
};

/// The worst openings of the constraints of problem.asked() over several states, and their worst rates. Of each constraint and unit the
/// largest sums of squares are kept: roots are taken at the end.
class WorstOpenings {
 public:
  /// None where the problem is given by its matrices.
  explicit WorstOpenings(const Problem& problem);

  /// The state that was last placed.
  void include(const Data& data);

  /// Of each constraint.
  std::vector<Opening> openings() const { return roots_of(&Part::largest_phi2); }
  std::vector<Opening> rates() const { return roots_of(&Part::largest_rate2); }

 private:
  // The rows of one unit that a constraint has.
  struct Part {
    int constraint;
    double Opening::*unit;
    double phi2 = 0, rate2 = 0;                  // sums of squares at the last state,
    double largest_phi2 = 0, largest_rate2 = 0;  // and the largest ones
  };
  std::vector<Opening> roots_of(double Part::*square) const;

  std::vector<Part> parts_;
  std::vector<int> part_of_;  // of each row
  std::size_t constraints_;
};

}  // namespace trammel
