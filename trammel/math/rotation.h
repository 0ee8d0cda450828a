#pragma once

#include <cmath>

#include "trammel/math/sin_cos.h"
#include "trammel/math/triple.h"

namespace trammel {

/// Rotations R_AB turn the coordinates of a vector in frame B into those in frame A: v_A = R_AB v_B. Angles in radians.

/// R Rz, given the sine and cosine of the angle: the frame R turned about its own z axis. Only two columns change, so it costs 12
/// multiplications.
template <class V>
[[gnu::always_inline]] inline Columns<V> turned_about_z(const Columns<V>& R, const SinCos<typename V::Scalar>& by) {
  const auto& [s, c] = by;
  return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
}
/// R Rx: the frame R turned about its own x axis.
template <class V>
[[gnu::always_inline]] inline Columns<V> turned_about_x(const Columns<V>& R, const SinCos<typename V::Scalar>& by) {
  const auto& [s, c] = by;
  return {R.x, R.y * c + R.z * s, R.z * c - R.y * s};
}

/// The same of stored matrices.
template <class Scalar>
inline Mat3<Scalar> turned_about_z(const Mat3<Scalar>& R, const Scalar& angle) {
  using std::cos, std::sin;
  Mat3<Scalar> out;
  turned_about_z(Columns<Triple<Scalar>>::of(R), SinCos<Scalar>{sin(angle), cos(angle)}).store(out);
  return out;
}
template <class Scalar>
inline Mat3<Scalar> turned_about_x(const Mat3<Scalar>& R, const Scalar& angle) {
  using std::cos, std::sin;
  Mat3<Scalar> out;
  turned_about_x(Columns<Triple<Scalar>>::of(R), SinCos<Scalar>{sin(angle), cos(angle)}).store(out);
  return out;
}

/// Roll, pitch and yaw as URDF means them: turn about the fixed x, then y, then z axis. R = Rz(yaw) Ry(pitch) Rx(roll).
Mat3<> rotation_from_rpy(const Vec3<>& rpy);

/// The angles of rotation_from_rpy, pitch within ±π/2. At pitch = ±π/2 only yaw ∓ roll is determined: roll is then 0.
Vec3<> rpy_from_rotation(const Mat3<>& R);

/// Rodrigues: R = 1 + sin θ [n] + (1 − cos θ) [n]², rotation vector w = θ n.
Mat3<> exp_so3(const Vec3<>& w);

/// The rotation vector w of R with |w| ≤ π and exp_so3(w) = R. At |w| = π either sign is right; one is returned.
Vec3<> log_so3(const Mat3<>& R);

/// A unit quaternion in the order w, x, y, z: w = cos θ/2, (x, y, z) = n sin θ/2.
template <class Scalar = double>
using Quaternion = Eigen::Matrix<Scalar, 4, 1>;

/// The rotation of a unit quaternion.
template <class Scalar>
Mat3<Scalar> rotation_from_quaternion(const Quaternion<Scalar>& k) {
  const Scalar &w = k[0], &x = k[1], &y = k[2], &z = k[3];
  const Scalar one(1.0), two(2.0);
  Mat3<Scalar> R;
  R << one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y),  //
      two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x),   //
      two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y);
  return R;
}

/// The product of quaternions: rotation_from_quaternion(a b) = rotation_from_quaternion(a) rotation_from_quaternion(b).
template <class Scalar>
Quaternion<Scalar> quaternion_product(const Quaternion<Scalar>& a, const Quaternion<Scalar>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

/// The quaternion of R with w ≥ 0, accurate for every R: the largest of the four components is taken from the diagonal.
Quaternion<> quaternion_from_rotation(const Mat3<>& R);

/// The unit quaternion of the rotation vector w, |w| any.
Quaternion<> exp_quaternion(const Vec3<>& w);

/// The rotation vector of a unit quaternion, |w| ≤ π.
Vec3<> log_quaternion(const Quaternion<>& k);

/// The rate ẇ of a rotation vector whose rotation turns with the angular velocity ω, given in the turned frame: with
/// R = exp_so3(w), Ṙ = R [ω], θ = |w|,
///
///   ẇ = ω + ½ w × ω + (1 − (θ/2) cot(θ/2)) / θ² · w × (w × ω)
///
/// No value at θ = 2π, where rotation vectors of every direction mean the same rotation.
Vec3<> rotation_vector_rate(const Vec3<>& w, const Vec3<>& omega);

/// A rotation whose third column is `axis` (unit length). Exact for ±x, ±y, ±z: entries are 0 and ±1 then.
Mat3<> frame_with_z(const Vec3<>& axis);

}  // namespace trammel
