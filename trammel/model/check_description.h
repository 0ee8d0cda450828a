#pragma once

#include "trammel/base/faults.h"
#include "trammel/model/description.h"

namespace trammel {

/// Lengths and coordinates beyond it are refused (m, rad): their squares would not stay finite.
inline constexpr double largest_length = 1e100;

/// Throws Error for everything in the description that no robot can have, whatever its shape: a name twice, a link
/// that does not exist, a negative mass, a negative moment of inertia, an axis without direction, limits in the wrong
/// order, a coupling in a circle. Whether the links form a tree is found out when they are put in order (build_model).
void check_description(const RobotDescription& description);

/// The same of what each link, joint and frame says for itself, whatever the others are.
void check_parts(const RobotDescription& description, Faults& faults);

/// "0.1, 0.2, 0.25": the principal moments, kg·m².
std::string moments_text(const Symmetric3<>& inertia);

/// Throws the Error of a link whose inertia no body can have.
[[noreturn]] void refuse_inertia(const Link& link);

}  // namespace trammel
