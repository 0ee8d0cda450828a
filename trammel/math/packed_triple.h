#pragma once

#include <type_traits>

#include "trammel/math/symmetric3.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace trammel {

/// The forms of vectors and symmetric matrices that kernels compute with, which depend on the processor: not installed.

#ifdef __AVX2__
/// A Triple (triple.h) in one register of four doubles, whose last is zero: a third of the operations. To extract an entry, or to shuffle
/// for a cross product, has a longer latency than a scalar operation: recursions in which each body depends on the one before
/// are faster with a Triple.
struct PackedTriple {
  using Scalar = double;
  using Wide = double __attribute__((vector_size(32)));
  Wide v;

  PackedTriple() = default;
  [[gnu::always_inline]] PackedTriple(Wide four) : v(four) {}
  [[gnu::always_inline]] PackedTriple(double x, double y, double z) : v{x, y, z, 0} {}
  [[gnu::always_inline]] PackedTriple(const Vec3<>& stored) : PackedTriple(at(stored.data())) {}
  [[gnu::always_inline]] static PackedTriple at(const double* p) {
    return Wide(_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1));
  }
  [[gnu::always_inline]] static PackedTriple zero() { return Wide{0, 0, 0, 0}; }
  [[gnu::always_inline]] void store(double* p) const {
    _mm_storeu_pd(p, _mm256_castpd256_pd128(v));
    _mm_store_sd(p + 2, _mm256_extractf128_pd(v, 1));
  }
  [[gnu::always_inline]] double operator[](int k) const { return v[k]; }

  [[gnu::always_inline]] friend PackedTriple operator+(const PackedTriple& a, const PackedTriple& b) {
    return a.v + b.v;
  }
  [[gnu::always_inline]] friend PackedTriple operator-(const PackedTriple& a, const PackedTriple& b) {
    return a.v - b.v;
  }
  [[gnu::always_inline]] friend PackedTriple operator*(const PackedTriple& a, double k) { return a.v * k; }
  [[gnu::always_inline]] friend double dot(const PackedTriple& a, const PackedTriple& b) {
    const Wide c = a.v * b.v;
    return (c[0] + c[1]) + c[2];
  }
  [[gnu::always_inline]] friend PackedTriple cross(const PackedTriple& a, const PackedTriple& b) {
    const Wide c = a.v * yzx(b.v) - yzx(a.v) * b.v;
    return yzx(c);
  }

 private:
  [[gnu::always_inline]] static Wide yzx(Wide v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
};

template <int k>
[[gnu::always_inline]] inline PackedTriple times_entry(const PackedTriple& a, const PackedTriple& b) {
  return a.v * __builtin_shufflevector(b.v, b.v, k, k, k, k);
}

[[gnu::always_inline]] inline Columns<PackedTriple> transpose(const Columns<PackedTriple>& A) {
  using Wide = PackedTriple::Wide;
  const Wide zero{};
  const Wide even = __builtin_shufflevector(A.x.v, A.y.v, 0, 4, 2, 6);  // x₀ y₀ x₂ y₂
  const Wide odd = __builtin_shufflevector(A.x.v, A.y.v, 1, 5, 3, 7);   // x₁ y₁ 0 0
  const Wide z_even = __builtin_shufflevector(A.z.v, zero, 0, 4, 2, 6),
             z_odd = __builtin_shufflevector(A.z.v, zero, 1, 5, 3, 7);
  return {Wide(__builtin_shufflevector(even, z_even, 0, 1, 4, 5)),
          Wide(__builtin_shufflevector(odd, z_odd, 0, 1, 4, 5)),
          Wide(__builtin_shufflevector(even, z_even, 2, 3, 6, 7))};
}

/// A symmetric matrix by whole columns, where a column is a register: the form that kernels use for doubles.
struct SymmetricColumns : Columns<PackedTriple> {
  using V = PackedTriple;
  [[gnu::always_inline]] static SymmetricColumns diagonal(double a) { return {Columns<V>::diagonal(a)}; }
  [[gnu::always_inline]] friend SymmetricColumns operator+(const SymmetricColumns& A, const SymmetricColumns& B) {
    return {Columns<V>{A.x + B.x, A.y + B.y, A.z + B.z}};
  }
  [[gnu::always_inline]] friend SymmetricColumns operator-(const SymmetricColumns& A, const SymmetricColumns& B) {
    return {Columns<V>{A.x - B.x, A.y - B.y, A.z - B.z}};
  }
  [[gnu::always_inline]] SymmetricColumns minus_product(const V& a, const V& b) const {
    return {Columns<V>::minus_product(a, b)};
  }
  [[gnu::always_inline]] static SymmetricColumns with_transpose(const Columns<V>& A) { return {A + transpose(A)}; }
  [[gnu::always_inline]] static SymmetricColumns times_transposed(const Columns<V>& A, const Mat3<>& B) {
    return {Columns<V>{A.x * B(0, 0) + A.y * B(0, 1) + A.z * B(0, 2), A.x * B(1, 0) + A.y * B(1, 1) + A.z * B(1, 2),
                       A.x * B(2, 0) + A.y * B(2, 1) + A.z * B(2, 2)}};
  }
};

/// The form of a vector in kernels: PackedTriple for doubles, where the processor has such registers; else Triple.
template <class Scalar>
using Packed = std::conditional_t<std::is_same_v<Scalar, double>, PackedTriple, Triple<Scalar>>;
/// The form of a symmetric matrix.
template <class Scalar>
using Symmetric = std::conditional_t<std::is_same_v<Scalar, double>, SymmetricColumns, Symmetric3<Scalar>>;
#else
template <class Scalar>
using Packed = Triple<Scalar>;
template <class Scalar>
using Symmetric = Symmetric3<Scalar>;
#endif

}  // namespace trammel
