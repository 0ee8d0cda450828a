#pragma once

#include <limits>

namespace trammel {

/// The distance from 1 to the next double: twice the largest relative rounding of one operation.
inline constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace trammel
