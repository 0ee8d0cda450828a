#pragma once

#include <cmath>

namespace trammel {

/// Householder's reflector 1 − β w wᵀ of a vector with entry x₀, and squares norm2 of all: it sends the vector to `length` at
/// that entry, and zero elsewhere.
///
///   length = ∓√norm2,   w: the vector with w₀ = x₀ − length in place of x₀,   β = 2/|w|² = 1/(norm2 + |x₀ length|)
///
/// The sign is the one that x₀ has not, so that nothing cancels.
struct Reflector {
  double w0, beta, length;
};

inline Reflector reflector_of(double x0, double norm2) {
  const double size = std::sqrt(norm2), length = -std::copysign(size, x0);
  return {x0 - length, 1 / (norm2 + std::abs(x0) * size), length};
}

}  // namespace trammel
