#pragma once

#include "trammel/system/system.h"

namespace trammel {

/// Throws Error unless two systems differ in numbers alone: the same joints on the same bodies, constraints with the same rows on the
/// same bodies, the same motors, forces and inputs, each by name and in the same order.
void check_same_structure(const System& one, const System& other);

}  // namespace trammel
