#pragma once

#include "trammel/math/pose.h"
#include "trammel/math/triple.h"

namespace trammel {

/// Spatial vectors, angular part first. A velocity V = [ω; v] is a body's angular velocity (rad/s) and the velocity of
/// its point at the reference point (m/s); a force F = [n; f] is a moment about the reference point (N·m) and a force
/// (N). Their product F·V is the power (W), whatever the reference point. Both parts are in the axes of one frame.

template <class Scalar>
[[gnu::always_inline]] inline Vec6<Scalar> spatial(const Vec3<Scalar>& angular_part, const Vec3<Scalar>& linear_part) {
  Vec6<Scalar> out;
  out.template head<3>() = angular_part;
  out.template tail<3>() = linear_part;
  return out;
}

/// From the form of kernels (triple.h) to the one in which spatial vectors are stored.
template <class V>
[[gnu::always_inline]] inline Vec6<typename V::Scalar> stored(const Spatial<V>& vector) {
  Vec6<typename V::Scalar> out;
  vector.store(out);
  return out;
}

/// The same motion seen at a reference point r further on: v′ = v + ω × r.
template <class Scalar>
[[gnu::always_inline]] inline Vec6<Scalar> motion_at(const Vec6<Scalar>& V, const Vec3<Scalar>& r) {
  return stored(Spatial<Triple<Scalar>>::of(V).motion_at(r));
}

/// The same force taken about a reference point r further back (the old one lies at r from the new one): n′ = n + r × f.
template <class Scalar>
[[gnu::always_inline]] inline Vec6<Scalar> force_from(const Vec6<Scalar>& F, const Vec3<Scalar>& r) {
  return stored(Spatial<Triple<Scalar>>::of(F).force_from(r));
}

/// Ad(X_AB), 6×6: takes a velocity in B (axes and reference point) to A. Forces go with its inverse transpose:
/// F_A = Ad(X_BA)ᵀ F_B.
template <class Scalar>
Mat6<Scalar> adjoint(const Pose<Scalar>& X) {
  Mat6<Scalar> out;
  out << X.R, Mat3<Scalar>::Zero(), skew<Scalar>(X.p) * X.R, X.R;
  return out;
}

/// The Lie bracket of velocities, V × W = ad(V) W: the rate of W, fixed in a body that moves with V, seen from outside.
template <class Scalar>
Vec6<Scalar> motion_cross(const Vec6<Scalar>& V, const Vec6<Scalar>& W) {
  const Vec3<Scalar> w = V.template head<3>(), v = V.template tail<3>(), a = W.template head<3>(),
                     b = W.template tail<3>();
  return spatial<Scalar>(cross(w, a), cross(w, b) + cross(v, a));
}

/// Its dual on forces, V ×* F = −ad(V)ᵀ F.
template <class Scalar>
Vec6<Scalar> force_cross(const Vec6<Scalar>& V, const Vec6<Scalar>& F) {
  const Vec3<Scalar> w = V.template head<3>(), v = V.template tail<3>(), n = F.template head<3>(),
                     f = F.template tail<3>();
  return spatial<Scalar>(cross(w, n) + cross(v, f), cross(w, f));
}

}  // namespace trammel
