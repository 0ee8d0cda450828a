#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// A symmetric 3×3 matrix by its six numbers.
template <class Scalar = double>
struct Symmetric3 {
  Scalar xx{0.0}, yy{0.0}, zz{0.0}, xy{0.0}, xz{0.0}, yz{0.0};

  /// The symmetric part of A.
  static Symmetric3 from(const Mat3<Scalar>& A) {
    return {A(0, 0), A(1, 1), A(2, 2), (A(0, 1) + A(1, 0)) / 2.0, (A(0, 2) + A(2, 0)) / 2.0, (A(1, 2) + A(2, 1)) / 2.0};
  }

  /// |c|² 1 − c cᵀ: the inertia of a unit point mass at c.
  static Symmetric3 of_point(const Vec3<Scalar>& c) {
    const Scalar x2 = c.x() * c.x(), y2 = c.y() * c.y(), z2 = c.z() * c.z();
    return {y2 + z2, x2 + z2, x2 + y2, -c.x() * c.y(), -c.x() * c.z(), -c.y() * c.z()};
  }

  Mat3<Scalar> matrix() const { return (Mat3<Scalar>() << xx, xy, xz, xy, yy, yz, xz, yz, zz).finished(); }

  Vec3<Scalar> operator*(const Vec3<Scalar>& v) const {
    return {xx * v.x() + xy * v.y() + xz * v.z(), xy * v.x() + yy * v.y() + yz * v.z(),
            xz * v.x() + yz * v.y() + zz * v.z()};
  }

  Symmetric3 operator+(const Symmetric3& o) const {
    return {xx + o.xx, yy + o.yy, zz + o.zz, xy + o.xy, xz + o.xz, yz + o.yz};
  }
  Symmetric3 operator-(const Symmetric3& o) const { return *this + o * Scalar(-1.0); }
  Symmetric3 operator*(const Scalar& k) const { return {xx * k, yy * k, zz * k, xy * k, xz * k, yz * k}; }

  /// R A Rᵀ, in the scalar of R. With B = A − zz·1, whose last diagonal entry is zero, R B Rᵀ = Σ r_k u_kᵀ + u_k r_kᵀ needs
  /// two columns r_k of R only, and zz·1 is the same in every frame.
  template <class Other>
  [[gnu::always_inline]] Symmetric3<Other> rotated(const Mat3<Other>& R) const {
    const Scalar half_x = (xx - zz) * 0.5, half_y = (yy - zz) * 0.5;
    const Vec3<Other> r0 = R.col(0), r1 = R.col(1), r2 = R.col(2);
    const Vec3<Other> u0 = r0 * half_x + r1 * xy + r2 * xz;
    const Vec3<Other> u1 = r1 * half_y + r2 * yz;
    return {(r0[0] * u0[0] + r1[0] * u1[0]) * 2.0 + zz,
            (r0[1] * u0[1] + r1[1] * u1[1]) * 2.0 + zz,
            (r0[2] * u0[2] + r1[2] * u1[2]) * 2.0 + zz,
            r0[0] * u0[1] + r0[1] * u0[0] + r1[0] * u1[1] + r1[1] * u1[0],
            r0[0] * u0[2] + r0[2] * u0[0] + r1[0] * u1[2] + r1[2] * u1[0],
            r0[1] * u0[2] + r0[2] * u0[1] + r1[1] * u1[2] + r1[2] * u1[1]};
  }

  template <class Other>
  Symmetric3<Other> cast() const {
    return {Other(xx), Other(yy), Other(zz), Other(xy), Other(xz), Other(yz)};
  }
};

}  // namespace trammel
