#pragma once

#include "trammel/math/spatial.h"
#include "trammel/math/symmetric3.h"

namespace trammel {

/// The inertia of a rigid body by its ten numbers, in one frame: mass, first moment and second moment about the frame's
/// origin. As a 6×6 matrix that takes [ω; v] to the momentum [angular momentum about the origin; linear momentum],
///
///   [ I      [h] ]      h = m c           I = I_c + m (|c|² 1 − c cᵀ)
///   [ −[h]   m 1 ]      c: mass centre    I_c: about the mass centre
///
/// Sums of bodies are sums of the ten numbers.
template <class Scalar = double>
struct Inertia {
  Scalar mass{0.0};                            // kg
  Vec3<Scalar> moment = Vec3<Scalar>::Zero();  // h, kg·m
  Symmetric3<Scalar> about_origin;             // I, kg·m²

  static Inertia from_com(const Scalar& mass, const Vec3<Scalar>& com, const Symmetric3<Scalar>& about_com) {
    return {mass, com * mass, about_com + Symmetric3<Scalar>::of_point(com) * mass};
  }

  /// The mass centre; the origin if there is no mass.
  Vec3<Scalar> com() const {
    return mass == Scalar(0.0) ? Vec3<Scalar>(Vec3<Scalar>::Zero()) : Vec3<Scalar>(moment / mass);
  }
  Symmetric3<Scalar> about_com() const { return about_origin - Symmetric3<Scalar>::of_point(com()) * mass; }

  Inertia operator+(const Inertia& o) const {
    return {mass + o.mass, moment + o.moment, about_origin + o.about_origin};
  }

  /// Momentum of the velocity V = [ω; v]: [I ω + h × v; m v − h × ω].
  Vec6<Scalar> operator*(const Vec6<Scalar>& V) const {
    const Vec3<Scalar> w = V.template head<3>(), v = V.template tail<3>();
    return spatial<Scalar>(about_origin * w + cross(moment, v), v * mass - cross(moment, w));
  }

  /// The same body in axes turned by R_AB (this inertia is in B, the result in A, the origin is shared), in R's scalar.
  template <class Other>
  [[gnu::always_inline]] Inertia<Other> rotated(const Mat3<Other>& R) const {
    return {Other(mass), R.col(0) * moment[0] + R.col(1) * moment[1] + R.col(2) * moment[2], about_origin.rotated(R)};
  }

  /// The same body about an origin from which the old one lies at r:
  /// h′ = h + m r,  I′ = I + 2 (h·r) 1 − h rᵀ − r hᵀ + m (|r|² 1 − r rᵀ).
  Inertia seen_from(const Vec3<Scalar>& r) const {
    // h·r 1 − (h rᵀ + r hᵀ)/2 is the polarisation of |c|² 1 − c cᵀ; with k = h + m r/2 both terms are one: 2 polar(k, r)
    const Vec3<Scalar> k = moment + r * (mass * Scalar(0.5));
    const Scalar x = k.x() * r.x(), y = k.y() * r.y(), z = k.z() * r.z(), two(2.0);
    const Symmetric3<Scalar> shift{
        {two * (y + z), two * (x + z), two * (x + y)},
        {-(k.x() * r.y() + k.y() * r.x()), -(k.x() * r.z() + k.z() * r.x()), -(k.y() * r.z() + k.z() * r.y())}};
    return {mass, moment + r * mass, about_origin + shift};
  }

  /// The same body in frame A, given the pose X_AB of the frame that this inertia is in.
  Inertia transformed(const Pose<Scalar>& X) const { return rotated(X.R).seen_from(X.p); }

  Mat6<Scalar> matrix() const {
    const Mat3<Scalar> H = skew(moment);
    Mat6<Scalar> out;
    out << about_origin.matrix(), H, H.transpose(), Mat3<Scalar>::Identity() * mass;
    return out;
  }

  template <class Other>
  Inertia<Other> cast() const {
    return {Other(mass), moment.template cast<Other>(), about_origin.template cast<Other>()};
  }
};

/// Whether some body has this inertia about its mass centre: no principal moment exceeds the sum of the other two (and so
/// none is negative), up to a relative `tolerance` for rounded files. Equivalently ½ tr(I) 1 − I = ∫ x xᵀ dm ≥ 0.
bool is_physical(const Symmetric3<>& about_com, double tolerance = 1e-6);

/// The same of a part of one: no principal moment is negative.
bool is_semidefinite(const Symmetric3<>& about_com, double tolerance = 1e-6);

/// The principal moments of inertia in rising order.
Vec3<> principal_moments(const Symmetric3<>& about_com);

}  // namespace trammel
