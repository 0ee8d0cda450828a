#include "trammel/math/rotation.h"

namespace trammel {
namespace {

double sinc(double x) { return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x; }

}  // namespace

Mat3<> rotation_from_rpy(const Vec3<>& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]);
  const double cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
  const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  Mat3<> R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

Vec3<> rpy_from_rotation(const Mat3<>& R) {
  const double cp = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cp);
  // below this, roll and yaw turn about the same axis and only their sum or difference is in R
  if (cp < 1e-9) return {0.0, pitch, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

Mat3<> exp_so3(const Vec3<>& w) {
  // 1 − cos θ = 2 sin² θ/2 keeps its digits for small θ
  const double angle = w.norm(), half = sinc(angle / 2);
  const Mat3<> W = skew(w);
  return Mat3<>::Identity() + sinc(angle) * W + (0.5 * half * half) * (W * W);
}

Vec3<> log_so3(const Mat3<>& R) { return log_quaternion(quaternion_from_rotation(R)); }

Quaternion<> quaternion_from_rotation(const Mat3<>& R) {
  // 4 k_i k_j for all i, j are sums of entries of R: take the row of the largest k_i², which no cancellation can spoil
  const double xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  const double four_squares[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
  int largest = 0;
  for (int i = 1; i < 4; ++i)
    if (four_squares[i] > four_squares[largest]) largest = i;
  const double wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const double xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  Quaternion<> k;
  switch (largest) {
    case 0:
      k << four_squares[0], wx, wy, wz;
      break;
    case 1:
      k << wx, four_squares[1], xy, xz;
      break;
    case 2:
      k << wy, xy, four_squares[2], yz;
      break;
    default:
      k << wz, xz, yz, four_squares[3];
      break;
  }
  k.normalize();
  return k[0] < 0 ? Quaternion<>(-k) : k;
}

Quaternion<> exp_quaternion(const Vec3<>& w) {
  const double half_angle = 0.5 * w.norm();
  const double s = 0.5 * sinc(half_angle);
  return {std::cos(half_angle), s * w.x(), s * w.y(), s * w.z()};
}

Vec3<> log_quaternion(const Quaternion<>& k) {
  const Vec3<> v = (k[0] < 0 ? -1.0 : 1.0) * k.tail<3>();
  const double s = v.norm();
  if (s == 0) return Vec3<>::Zero();
  return (2.0 * std::atan2(s, std::abs(k[0])) / s) * v;
}

Vec3<> rotation_vector_rate(const Vec3<>& w, const Vec3<>& omega) {
  const double square = w.squaredNorm(), half = 0.5 * std::sqrt(square);
  // the series is exact below θ = 0.03; above, the cancellation costs a rounding error of ω, no more
  const double factor =
      square < 1e-3 ? 1.0 / 12 + square / 720 + square * square / 30240 : (1 - half / std::tan(half)) / square;
  const Vec3<> turn = cross<double>(w, omega);
  return omega + 0.5 * turn + factor * cross<double>(w, turn);
}

Mat3<> frame_with_z(const Vec3<>& axis) {
  // Around the coordinate axes a cyclic shift of the columns (and a half turn for the negative ones) is exact.
  for (int i = 0; i < 3; ++i) {
    if (std::abs(axis[i]) != 1.0) continue;
    const double sign = axis[i];
    Mat3<> R = Mat3<>::Zero();
    R((i + 1) % 3, 0) = 1;
    R((i + 2) % 3, 1) = sign;
    R(i, 2) = sign;
    return R;
  }
  // Elsewhere x is the direction across the axis and the coordinate axis least along it.
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  Mat3<> R;
  R.col(2) = axis;
  R.col(0) = cross<double>(Vec3<>::Unit(least), axis).normalized();
  R.col(1) = cross<double>(axis, R.col(0));
  return R;
}

}  // namespace trammel
