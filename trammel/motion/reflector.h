#pragma once

#include <cmath>

namespace trammel {

/// Householder's reflector 1 − β w wᵀ of a vector with entry x₀, and squares norm2 of all: it sends the vector to `length` at
/// that entry, and zero elsewhere.
///
///   length = ∓√norm2,   w: the vector with w₀ = x₀ − length in place of x₀,   β = 2/|w|² = 1/(norm2 + |x₀ length|)
///
/// The sign is the one that x₀ has not, so that nothing cancels.
template <class Scalar = double>
struct Reflector {
  Scalar w0, beta, length;
};

template <class Scalar>
inline Reflector<Scalar> reflector_of(const Scalar& x0, const Scalar& norm2) {
  using std::abs, std::copysign, std::sqrt;
  const Scalar size = sqrt(norm2), length = -copysign(size, x0);
  return {x0 - length, 1.0 / (norm2 + abs(x0) * size), length};
}

}  // namespace trammel
