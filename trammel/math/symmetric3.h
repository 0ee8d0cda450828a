#pragma once

#include "trammel/math/triple.h"

namespace trammel {

/// A symmetric 3×3 matrix by its six numbers, the diagonal first: of an inertia, the moments and the products.
///
///   [ xx  xy  xz ]
///   [ xy  yy  yz ]       {{xx, yy, zz}, {xy, xz, yz}}, or {xx, yy, zz} where it is diagonal
///   [ xz  yz  zz ]
///
/// Six numbers in one pair of braces do not compile: others, such as URDF, go through the matrix row by row.
template <class Scalar = double>
struct Symmetric3 {
  using V = Triple<Scalar>;
  struct Diagonal {
    Scalar xx, yy, zz;
  };
  struct OffDiagonal {
    Scalar xy, xz, yz;
  };
  Scalar xx{0.0}, yy{0.0}, zz{0.0}, xy{0.0}, xz{0.0}, yz{0.0};

  Symmetric3() = default;
  [[gnu::always_inline]] Symmetric3(const Diagonal& on, const OffDiagonal& off)
      : xx(on.xx), yy(on.yy), zz(on.zz), xy(off.xy), xz(off.xz), yz(off.yz) {}
  [[gnu::always_inline]] Symmetric3(const Scalar& x, const Scalar& y, const Scalar& z) : xx(x), yy(y), zz(z) {}

  /// The symmetric part of A.
  static Symmetric3 from(const Mat3<Scalar>& A) {
    return {{A(0, 0), A(1, 1), A(2, 2)},
            {(A(0, 1) + A(1, 0)) / 2.0, (A(0, 2) + A(2, 0)) / 2.0, (A(1, 2) + A(2, 1)) / 2.0}};
  }

  /// |c|² 1 − c cᵀ: the inertia of a unit point mass at c.
  static Symmetric3 of_point(const Vec3<Scalar>& c) {
    const Scalar x2 = c.x() * c.x(), y2 = c.y() * c.y(), z2 = c.z() * c.z();
    return {{y2 + z2, x2 + z2, x2 + y2}, {-c.x() * c.y(), -c.x() * c.z(), -c.y() * c.z()}};
  }

  /// a 1.
  [[gnu::always_inline]] static Symmetric3 diagonal(const Scalar& a) { return {a, a, a}; }
  /// A + Aᵀ.
  [[gnu::always_inline]] static Symmetric3 with_transpose(const Columns<V>& A) {
    return {{A.x.x + A.x.x, A.y.y + A.y.y, A.z.z + A.z.z}, {A.y.x + A.x.y, A.z.x + A.x.z, A.z.y + A.y.z}};
  }
  /// A Bᵀ, which has to be symmetric.
  [[gnu::always_inline]] static Symmetric3 times_transposed(const Columns<V>& A, const Mat3<Scalar>& B) {
    const auto entry = [&](int i, int j) { return A.x[i] * B(j, 0) + A.y[i] * B(j, 1) + A.z[i] * B(j, 2); };
    return {{entry(0, 0), entry(1, 1), entry(2, 2)}, {entry(0, 1), entry(0, 2), entry(1, 2)}};
  }

  Mat3<Scalar> matrix() const { return (Mat3<Scalar>() << xx, xy, xz, xy, yy, yz, xz, yz, zz).finished(); }
  [[gnu::always_inline]] Columns<V> columns() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }

  [[gnu::always_inline]] Vec3<Scalar> operator*(const Vec3<Scalar>& v) const { return product<Vec3<Scalar>>(v); }
  [[gnu::always_inline]] V operator*(const V& v) const { return product<V>(v); }
  /// Of a vector in memory.
  [[gnu::always_inline]] V times(const Scalar* v) const { return product<V>(v); }

  [[gnu::always_inline]] Symmetric3 operator+(const Symmetric3& o) const {
    return {{xx + o.xx, yy + o.yy, zz + o.zz}, {xy + o.xy, xz + o.xz, yz + o.yz}};
  }
  [[gnu::always_inline]] Symmetric3 operator-(const Symmetric3& o) const {
    return {{xx - o.xx, yy - o.yy, zz - o.zz}, {xy - o.xy, xz - o.xz, yz - o.yz}};
  }
  Symmetric3 operator*(const Scalar& k) const { return {{xx * k, yy * k, zz * k}, {xy * k, xz * k, yz * k}}; }

  /// A − a bᵀ; of several such, the sum has to be symmetric.
  [[gnu::always_inline]] Symmetric3 minus_product(const V& a, const V& b) const {
    return {{xx - a.x * b.x, yy - a.y * b.y, zz - a.z * b.z}, {xy - a.x * b.y, xz - a.x * b.z, yz - a.y * b.z}};
  }
  /// A [r]ᵀ, [r] the matrix of r ×.
  [[gnu::always_inline]] Columns<V> times_skew_transposed(const Vec3<Scalar>& r) const {
    return columns().times_skew_transposed(r);
  }

  /// R A Rᵀ, in the scalar of R. With B = A − zz·1, whose last diagonal entry is zero, R B Rᵀ = Σ r_k u_kᵀ + u_k r_kᵀ needs
  /// two columns r_k of R only, and zz·1 is the same in every frame.
  template <class Other>
  [[gnu::always_inline]] Symmetric3<Other> rotated(const Mat3<Other>& R) const {
    const Scalar half_x = (xx - zz) * 0.5, half_y = (yy - zz) * 0.5;
    const Vec3<Other> r0 = R.col(0), r1 = R.col(1), r2 = R.col(2);
    const Vec3<Other> u0 = r0 * half_x + r1 * xy + r2 * xz;
    const Vec3<Other> u1 = r1 * half_y + r2 * yz;
    return {{(r0[0] * u0[0] + r1[0] * u1[0]) * 2.0 + zz, (r0[1] * u0[1] + r1[1] * u1[1]) * 2.0 + zz,
             (r0[2] * u0[2] + r1[2] * u1[2]) * 2.0 + zz},
            {r0[0] * u0[1] + r0[1] * u0[0] + r1[0] * u1[1] + r1[1] * u1[0],
             r0[0] * u0[2] + r0[2] * u0[0] + r1[0] * u1[2] + r1[2] * u1[0],
             r0[1] * u0[2] + r0[2] * u0[1] + r1[1] * u1[2] + r1[2] * u1[1]}};
  }

  template <class Other>
  Symmetric3<Other> cast() const {
    return {{Other(xx), Other(yy), Other(zz)}, {Other(xy), Other(xz), Other(yz)}};
  }

 private:
  template <class Result>
  [[gnu::always_inline]] Result product(const auto& v) const {
    return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]};
  }
};

}  // namespace trammel
