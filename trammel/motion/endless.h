#pragma once

#include <vector>

#include "trammel/system/system.h"

namespace trammel {

/// Coordinates of joints that turn without limit or spring, and whose turns no constraint counts: the same angle a whole turn later.
std::vector<int> endless_coordinates(const System& system);

}  // namespace trammel
