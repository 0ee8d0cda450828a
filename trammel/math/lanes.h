#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "trammel/math/sin_cos.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace trammel {

/// Numbers that go through an algorithm side by side, one state to a lane: a template that is instantiated for Lanes does for
/// lane_count states what it does for one with doubles, in the widest registers that the processor it is compiled for has.
#if defined(__AVX512F__)
inline constexpr int lane_count = 8;
#elif defined(__AVX__)
inline constexpr int lane_count = 4;
#else
inline constexpr int lane_count = 2;
#endif

struct Lanes {
  using Real = double __attribute__((vector_size(8 * lane_count)));
  using Bits = std::uint64_t __attribute__((vector_size(8 * lane_count)));
  Real v;

  Lanes() = default;
  [[gnu::always_inline]] Lanes(Real lanes) : v(lanes) {}
  [[gnu::always_inline]] Lanes(double all) : v(Real{} + all) {}
  [[gnu::always_inline]] static Lanes at(const double* p) {
    Lanes out;
    std::memcpy(&out.v, p, sizeof out.v);
    return out;
  }
  [[gnu::always_inline]] void store(double* p) const { std::memcpy(p, &v, sizeof v); }
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) { return -a.v; }
  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) { return a.v + b.v; }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) { return a.v - b.v; }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) { return a.v * b.v; }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) { return a.v / b.v; }
  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) { return *this = *this * b; }

  /// Whether it holds in every lane.
  [[gnu::always_inline]] friend bool operator>(const Lanes& a, const Lanes& b) {
    const auto holds = a.v > b.v;  // all bits of a lane, or none
    auto all = holds[0];
    for (int i = 1; i < lane_count; ++i) all &= holds[i];
    return all != 0;
  }

  [[gnu::always_inline]] friend Lanes sqrt(const Lanes& a) {
#if defined(__AVX512F__)
    return Real(_mm512_sqrt_pd(a.v));
#elif defined(__AVX__)
    return Real(_mm256_sqrt_pd(a.v));
#else
    Lanes out;
    for (int i = 0; i < lane_count; ++i) out.v[i] = std::sqrt(a.v[i]);
    return out;
#endif
  }

  [[gnu::always_inline]] friend SinCos<Lanes> sin_cos(const Lanes& angle) {
    constexpr double largest = reduced::largest_reduced;
    if (Lanes(largest) > angle && angle > Lanes(-largest)) {
      const SinCos<Real> both = reduced::sin_cos<Bits>(angle.v);
      return {both.sin, both.cos};
    }
    SinCos<Lanes> out;
    for (int i = 0; i < lane_count; ++i) {
      const SinCos<double> one = sin_cos(angle.v[i]);
      out.sin.set(i, one.sin), out.cos.set(i, one.cos);
    }
    return out;
  }
};

/// The sines and cosines of a vector.
template <class Scalar>
struct Turns {
  explicit Turns(Eigen::Index size) : sin(size), cos(size) {}
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> sin, cos;

  /// From the i-th on.
  SinCosAt<Scalar> at(Eigen::Index i) const { return {sin.data() + i, cos.data() + i}; }

  void set(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& angles) {
    const Eigen::Index n = angles.size();
    Eigen::Index i = 0;
    if constexpr (std::is_same_v<Scalar, double>) {
      // lane_count at once; the last ones overlap those before them
      for (; i < n && n >= lane_count; i += lane_count) {
        const Eigen::Index at = std::min<Eigen::Index>(i, n - lane_count);
        const SinCos<Lanes> both = sin_cos(Lanes::at(angles.data() + at));
        both.sin.store(sin.data() + at), both.cos.store(cos.data() + at);
      }
    }
    for (; i < n; ++i) {
      const SinCos<Scalar> one = sin_cos(angles[i]);
      sin[i] = one.sin, cos[i] = one.cos;
    }
  }
};

}  // namespace trammel

namespace Eigen {
template <>
struct NumTraits<trammel::Lanes> : GenericNumTraits<double> {
  using Real = trammel::Lanes;
  using NonInteger = trammel::Lanes;
  using Nested = trammel::Lanes;
  using Literal = trammel::Lanes;
};
}  // namespace Eigen
