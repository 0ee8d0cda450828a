#pragma once

#include "trammel/model/description.h"

namespace trammel {

/// Lengths and coordinates beyond it are refused (m, rad): their squares would not stay finite.
inline constexpr double largest_length = 1e100;

/// Throws Error at the first thing in the description that no robot can have, whatever its shape: a name twice, a link
/// that does not exist, a negative mass, a negative moment of inertia, an axis without direction, limits in the wrong
/// order, a coupling in a circle. Whether the links form a tree is found out when they are put in order (build_model).
void check_description(const RobotDescription& description);

/// Throws the Error of a link whose inertia no body can have.
[[noreturn]] void refuse_inertia(const Link& link);

}  // namespace trammel
