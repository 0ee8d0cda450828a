#pragma once

#include <string>

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

/// Of constraint i of Problem::asked(), at the state that was last placed.
Opening opening_of(const Data& data, int i);
Opening opening_rate_of(const Data& data, int i);

}  // namespace trammel
