#pragma once

#include <numbers>
#include <optional>
#include <string>

#include "trammel/system/system.h"

namespace trammel {

/// A constraint at a false solution, or nearer to one than to where it holds: what its rows align is turned by a right angle or more
/// (Constraint::misalignment).
struct Misaligned {
  int constraint;  // by its index in the system
  double angle;    // rad

  /// "180° (3.142 rad)".
  std::string text() const;
};

/// Whether rows that hold mean what the constraint is for, by the size of its misalignment. One that is not a number does not.
inline bool is_aligned(double angle) { return angle < std::numbers::pi / 2; }

/// Of the constraints that are misaligned there, the one that is turned furthest.
std::optional<Misaligned> find_misaligned(const System& system, const Placement<double>& now);

}  // namespace trammel
