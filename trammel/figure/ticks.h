#pragma once

#include <string>
#include <vector>

namespace trammel {

/// Round values from low to high (finite, low < high), at most count + 1: multiples of 1, 2 or 5 times a power of ten. Where
/// neighbouring multiples are no different numbers, low and high themselves.
std::vector<double> ticks(double low, double high, int count);

/// Texts of ticks that increase: as many digits as tell neighbours apart, four at least.
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

}  // namespace trammel
