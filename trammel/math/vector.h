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

/// Three numbers, made of three: a Vec3, or a Triple (triple.h).
template <class V>
concept ThreeNumbers = requires(const V& a) { V(a[0], a[1], a[2]); };

/// a × b, of any form of a vector.
template <ThreeNumbers V>
[[gnu::always_inline]] inline V cross_product(const V& a, const V& b) {
  return V(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/// The same of Eigen's vectors and expressions. (Eigen's own needs <Eigen/Geometry>, which the headers leave out to compile fast.)
template <class Scalar>
[[gnu::always_inline]] inline Vec3<Scalar> cross(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
  return cross_product(a, b);
}

}  // namespace trammel
