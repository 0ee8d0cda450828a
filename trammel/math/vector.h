#pragma once

#include <Eigen/Core>

namespace trammel {

template <class Scalar = double>
using Vec3 = Eigen::Matrix<Scalar, 3, 1>;
template <class Scalar = double>
using Mat3 = Eigen::Matrix<Scalar, 3, 3>;
template <class Scalar = double>
using Vec6 = Eigen::Matrix<Scalar, 6, 1>;
template <class Scalar = double>
using Mat6 = Eigen::Matrix<Scalar, 6, 6>;
template <class Scalar = double>
using VecX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <class Scalar = double>
using MatX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// a × b. (Eigen's own needs <Eigen/Geometry>, which the headers leave out to compile fast.)
template <class Scalar>
[[gnu::always_inline]] inline Vec3<Scalar> cross(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()};
}

/// The matrix of the cross product: skew(a) b = a × b.
template <class Scalar>
Mat3<Scalar> skew(const Vec3<Scalar>& a) {
  Mat3<Scalar> A;
  A(0, 0) = A(1, 1) = A(2, 2) = Scalar(0.0);
  A(0, 1) = -a.z(), A(0, 2) = a.y(), A(1, 2) = -a.x();
  A(1, 0) = a.z(), A(2, 0) = -a.y(), A(2, 1) = a.x();
  return A;
}

}  // namespace trammel
