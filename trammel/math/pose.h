#pragma once

#include "trammel/math/rotation.h"

namespace trammel {

/// The pose X_AB of frame B in frame A: rotation R_AB and position p_AB (m, in A). A point goes p_AP = R_AB p_BP + p_AB.
template <class Scalar = double>
struct Pose {
  Mat3<Scalar> R = Mat3<Scalar>::Identity();
  Vec3<Scalar> p = Vec3<Scalar>::Zero();

  Vec3<Scalar> operator*(const Vec3<Scalar>& point) const { return R * point + p; }

  /// X_AC = X_AB X_BC.
  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }

  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  template <class Other>
  Pose<Other> cast() const {
    return {R.template cast<Other>(), p.template cast<Other>()};
  }
};

/// The pose reached in unit time at the constant body velocity V = [ω; v], ω in rad/s, v in m/s, both in the body's axes.
Pose<> exp_se3(const Vec6<>& V);

/// The V with exp_se3(V) = X and |ω| ≤ π.
Vec6<> log_se3(const Pose<>& X);

}  // namespace trammel
