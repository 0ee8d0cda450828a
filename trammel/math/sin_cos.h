#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace trammel {

template <class Scalar>
struct SinCos {
  Scalar sin, cos;
};

/// Sines and cosines in two separate arrays.
template <class Scalar>
struct SinCosAt {
  const Scalar *sin, *cos;
  SinCos<Scalar> operator[](int i) const { return {sin[i], cos[i]}; }
};

/// Sine and cosine at once, of anything that has both.
template <class Scalar>
[[gnu::always_inline]] inline SinCos<Scalar> sin_cos(const Scalar& angle) {
  return {sin(angle), cos(angle)};
}

/// Sine and cosine of doubles and of SIMD lanes by range reduction and Taylor polynomials: no call, no table and no branch, so
/// that it vectorises and overlaps with other work. Real is the type of the numbers, Bits that of integers of the same size; both
/// may be vectors. With k the nearest integer to 2x/π,
///
///   x = k π/2 + r + e     |r| ≤ π/4, and e what rounding leaves of r
///   sin r = r − r³/3! + … r¹⁷/17!       cos r = 1 − r²/2! + … r¹⁶/16!       to 1e-18
///
/// and the quadrant k mod 4 swaps them and sets their signs. For |x| below largest_reduced, where k times the first two parts of π/2 is
/// exact. Worst error found: 1.07 units in the last place.
namespace reduced {

inline constexpr double largest_reduced = 1e6;

template <class Bits, class Real>
[[gnu::always_inline]] inline SinCos<Real> sin_cos(const Real& x) {
  // π/2 in parts of 33, 33 and 53 bits
  constexpr double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34, half_pi_3 = 0x1.3198a2e037073p-69;
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  constexpr double shift = 0x1.8p52;  // a sum with it is an integer, whose last bits are those of k

  const Real shifted = x * two_over_pi + shift;
  const Real k = shifted - shift;
  const Bits quadrant = std::bit_cast<Bits>(shifted);

  const Real r1 = x - k * half_pi_1;
  const Real r2 = r1 - k * half_pi_2;
  const Real rest = ((r1 - r2) - k * half_pi_2) - k * half_pi_3;
  const Real r = r2 + rest;
  const Real e = (r2 - r) + rest;

  const Real z = r * r;
  const Real odd =
      -1.0 / 6 +
      z * (1.0 / 120 +
           z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                       z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                                                    z * (1.0 / 355687428096000)))))));
  const Real even =
      1.0 / 24 +
      z * (-1.0 / 720 +
           z * (1.0 / 40320 +
                z * (-1.0 / 3628800 + z * (1.0 / 479001600 + z * (-1.0 / 87178291200 + z * (1.0 / 20922789888000))))));
  const Real half = z * 0.5, near_one = 1.0 - half;
  const Real sine = r + (r * z * odd + e * near_one);
  const Real cosine = near_one + (((1.0 - near_one) - half) + (z * z * even - r * e));

  // odd quadrants swap them; the sign of the sine changes in quadrants 2 and 3, that of the cosine in 1 and 2
  const Bits a = std::bit_cast<Bits>(sine), b = std::bit_cast<Bits>(cosine);
  const Bits swap = -(quadrant & 1);
  const Bits change = (a ^ b) & swap;
  const Bits sign_of_sine = (quadrant & 2) << 62, sign_of_cosine = ((quadrant + 1) & 2) << 62;
  return {std::bit_cast<Real>(a ^ change ^ sign_of_sine), std::bit_cast<Real>(b ^ change ^ sign_of_cosine)};
}

}  // namespace reduced

[[gnu::always_inline]] inline SinCos<double> sin_cos(double angle) {
  if (!(std::abs(angle) < reduced::largest_reduced)) return {std::sin(angle), std::cos(angle)};
  return reduced::sin_cos<std::uint64_t>(angle);
}

}  // namespace trammel
