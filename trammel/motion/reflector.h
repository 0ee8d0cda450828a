#pragma once

#include <cmath>

namespace trammel {

/// Householder's reflector 1 − β w wᵀ of a vector with pivot entry x₀ and squared norm norm2: it maps the vector to `length` at
/// the pivot entry, and zero elsewhere.
///
///   length = ∓√norm2,   w: the vector with w₀ = x₀ − length in place of x₀,   β = 2/|w|² = 1/(norm2 + |x₀ length|)
///
/// `length` has the opposite sign of x₀, so that x₀ − length does not cancel.
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
