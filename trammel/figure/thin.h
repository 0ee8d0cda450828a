#pragma once

#include <vector>

#include "trammel/math/vector.h"

namespace trammel {

/// The points of a curve to draw, in order: all, or of each of `pieces` pieces the first, the lowest, the highest and the last that is not a
/// number. No peak is lost, and no gap.
std::vector<int> drawn_points(const VecX<>& y, int pieces);

}  // namespace trammel
