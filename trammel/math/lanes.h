#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "trammel/math/sin_cos.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace trammel {

/// LanesOf<n> holds n doubles in SIMD registers, and its arithmetic acts on every lane. Two uses: `Lanes` has as many lanes as
/// the widest register, one state of a system to a lane, so that a template written for doubles solves several states at once;
/// `Pack4` and `Packs` take four neighbouring columns of one row-major matrix at a time. Every operation rounds each lane as
/// it does a double.

/// Doubles in the widest register of the processor that this is compiled for.
#if defined(__AVX512F__)
inline constexpr int lane_count = 8;
#elif defined(__AVX__)
inline constexpr int lane_count = 4;
#else
inline constexpr int lane_count = 2;
#endif

/// The vector types of a register: doubles, and integers of their size.
template <int count>
struct Register;
template <>
struct Register<2> {
  using Real = double __attribute__((vector_size(16)));
  using Bits = std::uint64_t __attribute__((vector_size(16)));
};
template <>
struct Register<4> {
  using Real = double __attribute__((vector_size(32)));
  using Bits = std::uint64_t __attribute__((vector_size(32)));
};
template <>
struct Register<8> {
  using Real = double __attribute__((vector_size(64)));
  using Bits = std::uint64_t __attribute__((vector_size(64)));
};

/// Up to one register of lanes.
template <int count>
struct LanesOf {
  using Real = typename Register<count>::Real;
  using Bits = typename Register<count>::Bits;
  Real v;

  LanesOf() = default;
  [[gnu::always_inline]] LanesOf(const Real& lanes) : v(lanes) {}
  [[gnu::always_inline]] LanesOf(double all)
      : v(all - Real{}) {}  // broadcast; x − 0 is x for every x, so no operation is left
  [[gnu::always_inline]] static LanesOf at(const double* p) {
    LanesOf out;
    std::memcpy(&out.v, p, sizeof out.v);
    return out;
  }
  [[gnu::always_inline]] void store(double* p) const { std::memcpy(p, &v, sizeof v); }
  /// A partial load and store of the first `some` lanes; the other lanes are loaded as zero, and not stored.
  template <int some>
  [[gnu::always_inline]] static LanesOf first_at(const double* p) {
    if constexpr (some == count) return at(p);
    Real out{};
    for (int i = 0; i < some; ++i) out[i] = p[i];
    return out;
  }
  template <int some>
  [[gnu::always_inline]] void store_first(double* p) const {
    if constexpr (some == count) return store(p);
    for (int i = 0; i < some; ++i) p[i] = v[i];
  }
  /// Lane i is number(i).
  template <class Number>
  [[gnu::always_inline]] static LanesOf each(const Number& number) {
    Real out{};
    for (int i = 0; i < count; ++i) out[i] = number(i);
    return out;
  }
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  [[gnu::always_inline]] friend LanesOf operator-(const LanesOf& a) { return -a.v; }
  [[gnu::always_inline]] friend LanesOf operator+(const LanesOf& a, const LanesOf& b) { return a.v + b.v; }
  [[gnu::always_inline]] friend LanesOf operator-(const LanesOf& a, const LanesOf& b) { return a.v - b.v; }
  [[gnu::always_inline]] friend LanesOf operator*(const LanesOf& a, const LanesOf& b) { return a.v * b.v; }
  [[gnu::always_inline]] friend LanesOf operator/(const LanesOf& a, const LanesOf& b) { return a.v / b.v; }
  [[gnu::always_inline]] LanesOf& operator+=(const LanesOf& b) { return *this = *this + b; }
  [[gnu::always_inline]] LanesOf& operator-=(const LanesOf& b) { return *this = *this - b; }
  [[gnu::always_inline]] LanesOf& operator*=(const LanesOf& b) { return *this = *this * b; }

  /// Whether a > b in every lane.
  [[gnu::always_inline]] friend bool operator>(const LanesOf& a, const LanesOf& b) {
    const auto holds = a.v > b.v;  // a mask: all bits of a lane, or none
    auto all = holds[0];
    for (int i = 1; i < count; ++i) all &= holds[i];
    return all != 0;
  }

  [[gnu::always_inline]] friend LanesOf sqrt(const LanesOf& a) {
#if defined(__AVX512F__)
    if constexpr (count == 8) return Real(_mm512_sqrt_pd(a.v));
#endif
#if defined(__AVX__)
    if constexpr (count == 4) return Real(_mm256_sqrt_pd(a.v));
#endif
    LanesOf out;
    for (int i = 0; i < count; ++i) out.v[i] = std::sqrt(a.v[i]);
    return out;
  }

  /// Lane by lane.
  [[gnu::always_inline]] friend LanesOf min(const LanesOf& a, const LanesOf& b) { return a.v < b.v ? a.v : b.v; }
  [[gnu::always_inline]] friend LanesOf max(const LanesOf& a, const LanesOf& b) { return a.v > b.v ? a.v : b.v; }
  [[gnu::always_inline]] friend LanesOf abs(const LanesOf& a) {
    return std::bit_cast<Real>(std::bit_cast<Bits>(a.v) & ~sign_bits());
  }
  [[gnu::always_inline]] friend LanesOf copysign(const LanesOf& a, const LanesOf& sign) {
    return std::bit_cast<Real>((std::bit_cast<Bits>(a.v) & ~sign_bits()) | (std::bit_cast<Bits>(sign.v) & sign_bits()));
  }
  [[gnu::always_inline]] static Bits sign_bits() { return std::bit_cast<Bits>(LanesOf(-0.0).v); }

  [[gnu::always_inline]] friend SinCos<LanesOf> sin_cos(const LanesOf& angle) {
    constexpr double largest = reduced::largest_reduced;
    if (LanesOf(largest) > angle && angle > LanesOf(-largest)) {
      const SinCos<Real> both = reduced::sin_cos<Bits>(angle.v);
      return {both.sin, both.cos};
    }
    SinCos<LanesOf> out;
    for (int i = 0; i < count; ++i) {
      const SinCos<double> one = sin_cos(angle.v[i]);
      out.sin.set(i, one.sin), out.cos.set(i, one.cos);
    }
    return out;
  }
};

/// More lanes than a register has: two halves. (Compilers accept wider vector types, but keep them in memory.)
template <int count>
  requires(count > lane_count)
struct LanesOf<count> {
  using Half = LanesOf<count / 2>;
  Half low, high;

  LanesOf() = default;
  [[gnu::always_inline]] LanesOf(const Half& a, const Half& b) : low(a), high(b) {}
  [[gnu::always_inline]] LanesOf(double all) : low(all), high(all) {}
  [[gnu::always_inline]] static LanesOf at(const double* p) { return {Half::at(p), Half::at(p + count / 2)}; }
  [[gnu::always_inline]] void store(double* p) const { low.store(p), high.store(p + count / 2); }
  template <int some>
  [[gnu::always_inline]] static LanesOf first_at(const double* p) {
    if constexpr (some <= count / 2)
      return {Half::template first_at<some>(p), Half(0.0)};
    else
      return {Half::at(p), Half::template first_at<some - count / 2>(p + count / 2)};
  }
  template <int some>
  [[gnu::always_inline]] void store_first(double* p) const {
    if constexpr (some <= count / 2) {
      low.template store_first<some>(p);
    } else {
      low.store(p);
      high.template store_first<some - count / 2>(p + count / 2);
    }
  }
  template <class Number>
  [[gnu::always_inline]] static LanesOf each(const Number& number) {
    return {Half::each(number), Half::each([&](int i) { return number(count / 2 + i); })};
  }
  double operator[](int lane) const { return lane < count / 2 ? low[lane] : high[lane - count / 2]; }

  [[gnu::always_inline]] friend LanesOf operator+(const LanesOf& a, const LanesOf& b) {
    return {a.low + b.low, a.high + b.high};
  }
  [[gnu::always_inline]] friend LanesOf operator-(const LanesOf& a, const LanesOf& b) {
    return {a.low - b.low, a.high - b.high};
  }
  [[gnu::always_inline]] friend LanesOf operator*(const LanesOf& a, const LanesOf& b) {
    return {a.low * b.low, a.high * b.high};
  }
  [[gnu::always_inline]] LanesOf& operator+=(const LanesOf& b) { return *this = *this + b; }
  [[gnu::always_inline]] LanesOf& operator-=(const LanesOf& b) { return *this = *this - b; }
  [[gnu::always_inline]] LanesOf& operator*=(const LanesOf& b) { return *this = *this * b; }
};

/// Four neighbouring numbers: kernels take the columns of a row-major matrix four at a time.
using Pack4 = LanesOf<4>;
[[gnu::always_inline]] inline double sum(const Pack4& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
/// `count` neighbouring packs. (A recursive struct, since compilers keep arrays of registers in memory.)
template <int count>
struct Packs {
  Pack4 first;
  Packs<count - 1> others;

  [[gnu::always_inline]] static Packs at(const double* p) { return {Pack4::at(p), Packs<count - 1>::at(p + 4)}; }
  [[gnu::always_inline]] void store(double* p) const { first.store(p), others.store(p + 4); }
  [[gnu::always_inline]] friend Packs operator+(const Packs& a, const Packs& b) {
    return {a.first + b.first, a.others + b.others};
  }
  [[gnu::always_inline]] friend Packs operator-(const Packs& a, const Packs& b) {
    return {a.first - b.first, a.others - b.others};
  }
  [[gnu::always_inline]] friend Packs operator*(const Packs& a, const Packs& b) {
    return {a.first * b.first, a.others * b.others};
  }
  [[gnu::always_inline]] friend Packs operator*(const Packs& a, const Pack4& b) { return {a.first * b, a.others * b}; }
  [[gnu::always_inline]] static Packs zero() { return {Pack4(0.0), Packs<count - 1>::zero()}; }
};
template <>
struct Packs<0> {
  [[gnu::always_inline]] static Packs at(const double*) { return {}; }
  [[gnu::always_inline]] void store(double*) const {}
  [[gnu::always_inline]] friend Packs operator+(const Packs&, const Packs&) { return {}; }
  [[gnu::always_inline]] friend Packs operator-(const Packs&, const Packs&) { return {}; }
  [[gnu::always_inline]] friend Packs operator*(const Packs&, const Packs&) { return {}; }
  [[gnu::always_inline]] friend Packs operator*(const Packs&, const Pack4&) { return {}; }
  [[gnu::always_inline]] static Packs zero() { return {}; }
};
/// m rounded up to whole packs: the columns to allocate for m.
constexpr int padded_to_packs(int m) { return 4 * ((m + 3) / 4); }

/// One state to a lane.
using Lanes = LanesOf<lane_count>;

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
