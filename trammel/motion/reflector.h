#pragma once

#include <cmath>

namespace trammel {

/// Householder's reflector of a vector with entry x₀, and squares norm2 of all: it sends it to `length` there. w is the vector
/// with w₀ in place of x₀. The signs of x₀ and length differ, so that nothing cancels.
struct Reflector {
  double w0, beta, length;
};

inline Reflector reflector_of(double x0, double norm2) {
  const double length = -std::copysign(std::sqrt(norm2), x0), w0 = x0 - length;
  return {w0, -1 / (length * w0), length};
}

}  // namespace trammel
