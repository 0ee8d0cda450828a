#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// A vector of three numbers in the registers of a kernel. Vec3 is how vectors are stored and passed between functions; a
/// Triple is what a loop over bodies computes with, since compilers keep its numbers in registers and Eigen's in memory.
template <class Number>
struct Triple {
  using Scalar = Number;
  Scalar x, y, z;

  Triple() = default;
  [[gnu::always_inline]] Triple(const Scalar& a, const Scalar& b, const Scalar& c) : x(a), y(b), z(c) {}
  [[gnu::always_inline]] Triple(const Vec3<Scalar>& v) : Triple(v[0], v[1], v[2]) {}
  [[gnu::always_inline]] static Triple at(const Scalar* p) { return {p[0], p[1], p[2]}; }
  [[gnu::always_inline]] static Triple zero() { return {Scalar(0.0), Scalar(0.0), Scalar(0.0)}; }
  [[gnu::always_inline]] void store(Scalar* p) const { p[0] = x, p[1] = y, p[2] = z; }
  [[gnu::always_inline]] const Scalar& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }

  [[gnu::always_inline]] friend Triple operator+(const Triple& a, const Triple& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] friend Triple operator-(const Triple& a, const Triple& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] friend Triple operator*(const Triple& a, const auto& k) { return {a.x * k, a.y * k, a.z * k}; }
  [[gnu::always_inline]] friend Scalar dot(const Triple& a, const Triple& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  [[gnu::always_inline]] friend Triple cross(const Triple& a, const Triple& b) { return cross_product(a, b); }
};

/// a b_k.
template <int k, class Scalar>
[[gnu::always_inline]] inline Triple<Scalar> times_entry(const Triple<Scalar>& a, const Triple<Scalar>& b) {
  return a * b[k];
}

/// A 3×3 matrix in the registers of a kernel, by columns.
template <class V>
struct Columns {
  using Scalar = typename V::Scalar;
  V x, y, z;

  [[gnu::always_inline]] static Columns of(const Mat3<Scalar>& R) {
    return {V::at(R.data()), V::at(R.data() + 3), V::at(R.data() + 6)};
  }
  [[gnu::always_inline]] static Columns diagonal(const Scalar& a) {
    const Scalar zero(0.0);
    return {{a, zero, zero}, {zero, a, zero}, {zero, zero, a}};
  }
  [[gnu::always_inline]] void store(Mat3<Scalar>& R) const {
    x.store(R.data()), y.store(R.data() + 3), z.store(R.data() + 6);
  }

  [[gnu::always_inline]] friend V operator*(const Columns& A, const V& v) {
    return times_entry<0>(A.x, v) + times_entry<1>(A.y, v) + times_entry<2>(A.z, v);
  }
  /// Of a vector in memory: to broadcast its numbers from there is cheaper than to extract them from a register.
  [[gnu::always_inline]] V times(const Scalar* v) const { return x * v[0] + y * v[1] + z * v[2]; }
  [[gnu::always_inline]] friend Columns operator*(const Columns& A, const Columns& B) {
    return {A * B.x, A * B.y, A * B.z};
  }
  [[gnu::always_inline]] friend Columns operator+(const Columns& A, const Columns& B) {
    return {A.x + B.x, A.y + B.y, A.z + B.z};
  }
  [[gnu::always_inline]] friend Columns operator-(const Columns& A, const Columns& B) {
    return {A.x - B.x, A.y - B.y, A.z - B.z};
  }
  /// A − a bᵀ.
  [[gnu::always_inline]] Columns minus_product(const V& a, const V& b) const {
    return {x - times_entry<0>(a, b), y - times_entry<1>(a, b), z - times_entry<2>(a, b)};
  }
  /// A [r]ᵀ, [r] the matrix of r ×.
  [[gnu::always_inline]] Columns times_skew_transposed(const Vec3<Scalar>& r) const {
    return {z * r[1] - y * r[2], x * r[2] - z * r[0], y * r[0] - x * r[1]};
  }
};

template <class Scalar>
[[gnu::always_inline]] inline Columns<Triple<Scalar>> transpose(const Columns<Triple<Scalar>>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

/// The matrix of the cross product: skew(a) b = a × b.
template <class V>
[[gnu::always_inline]] inline Columns<V> skew_columns(const V& a) {
  const typename V::Scalar zero(0.0), x = a[0], y = a[1], z = a[2];
  return {{zero, z, -y}, {-z, zero, x}, {y, -x, zero}};
}
template <class Scalar>
Mat3<Scalar> skew(const Vec3<Scalar>& a) {
  Mat3<Scalar> out;
  skew_columns(Triple<Scalar>(a)).store(out);
  return out;
}

/// A spatial vector in the registers of a kernel: [ω; v] or [n; f] (spatial.h).
template <class V>
struct Spatial {
  using Scalar = typename V::Scalar;
  V angular, linear;

  [[gnu::always_inline]] static Spatial of(const Vec6<Scalar>& stored) {
    return {V::at(stored.data()), V::at(stored.data() + 3)};
  }
  [[gnu::always_inline]] static Spatial zero() { return {V::zero(), V::zero()}; }
  [[gnu::always_inline]] void store(Vec6<Scalar>& out) const {
    angular.store(out.data()), linear.store(out.data() + 3);
  }

  [[gnu::always_inline]] friend Spatial operator+(const Spatial& a, const Spatial& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  [[gnu::always_inline]] friend Spatial operator-(const Spatial& a, const Spatial& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  [[gnu::always_inline]] friend Spatial operator*(const Spatial& a, const auto& k) {
    return {a.angular * k, a.linear * k};
  }
  [[gnu::always_inline]] friend Scalar dot(const Spatial& a, const Spatial& b) {
    return dot(a.angular, b.angular) + dot(a.linear, b.linear);
  }

  /// The same motion at a reference point r further on: v′ = v + ω × r.
  [[gnu::always_inline]] Spatial motion_at(const V& r) const { return {angular, linear + cross(angular, r)}; }
  /// The same force about a reference point r further back: n′ = n + r × f.
  [[gnu::always_inline]] Spatial force_from(const V& r) const { return {angular + cross(r, linear), linear}; }
};

}  // namespace trammel
