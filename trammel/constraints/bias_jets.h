#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// Vectors as they move at v̇ = 0: value, rate and bias acceleration as jets. A law computed from them gives a row at
/// once:
///
///   φ of these jets = (φ, φ̇, −b),      because φ̈ = A v̇ − b at v̇ = 0,
///   ψ of these jets = (ψ, −b, …).

/// The jet of a scalar, and the scalar of a jet: doubles here, lanes in lane_jets.h.
template <class Scalar>
struct JetOfScalar;
template <>
struct JetOfScalar<double> {
  using Type = Jet;
};
template <class Scalar>
using JetOf = typename JetOfScalar<Scalar>::Type;
template <class AnyJet>
using ScalarOf = std::remove_cvref_t<decltype(AnyJet::x)>;

template <class Scalar>
Vec3<JetOf<Scalar>> jets(const Vec3<Scalar>& x, const Vec3<Scalar>& dx, const Vec3<Scalar>& ddx) {
  const auto jet = [&](int i) { return JetOf<Scalar>(x[i], dx[i], ddx[i]); };
  return {jet(0), jet(1), jet(2)};
}

template <class AnyJet>
Vec3<ScalarOf<AnyJet>> values(const Vec3<AnyJet>& u) {
  return {u[0].x, u[1].x, u[2].x};
}

/// The rate of u as a vector of its own; its second rate is not known, and given as zero.
template <class AnyJet>
Vec3<AnyJet> rates(const Vec3<AnyJet>& u) {
  const auto rate = [&](int i) { return AnyJet(u[i].dx, u[i].ddx); };
  return {rate(0), rate(1), rate(2)};
}

/// p_WP.
template <class Scalar>
Vec3<JetOf<Scalar>> position_jets(const Kinematics<Scalar>& kin, const BodyPoint& P) {
  return jets<Scalar>(P.position<Scalar>(kin), P.velocity(kin), P.bias_acceleration(kin));
}

/// e, ω × e, ω̇ × e + ω × (ω × e).
template <class Scalar>
Vec3<JetOf<Scalar>> direction_jets(const Kinematics<Scalar>& kin, const BodyDirection& direction) {
  const Vec3<Scalar> e = direction.direction<Scalar>(kin), w = angular_velocity(kin, direction.body), we = cross(w, e);
  return jets<Scalar>(e, we, cross(angular_bias(kin, direction.body), e) + cross(w, we));
}

/// ω, ω̇; the second rate is given as zero.
template <class Scalar>
Vec3<JetOf<Scalar>> angular_velocity_jets(const Kinematics<Scalar>& kin, int body) {
  return jets<Scalar>(angular_velocity(kin, body), angular_bias(kin, body), Vec3<Scalar>::Zero());
}

/// Row k at position level, but for its wrenches.
template <class AnyJet>
void write_position_row(const AnyJet& phi, int k, RowsOf<ScalarOf<AnyJet>>& out) {
  out.phi[k] = phi.x;
  out.rate[k] = phi.dx;
  out.b[k] = -phi.ddx;
}

/// Row k at velocity level, but for its wrenches.
template <class AnyJet>
void write_velocity_row(const AnyJet& psi, int k, RowsOf<ScalarOf<AnyJet>>& out) {
  out.phi[k] = 0.0;
  out.rate[k] = psi.x;
  out.b[k] = -psi.dx;
}

}  // namespace trammel
