#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// Vectors as they move at v̇ = 0: value, rate and bias acceleration as jets. A law computed from them gives a row at
/// once:
///
///   φ of these jets = (φ, φ̇, −b),      because φ̈ = A v̇ − b at v̇ = 0,
///   ψ of these jets = (ψ, −b, …).

inline Vec3<Jet> jets(const Vec3<>& x, const Vec3<>& dx, const Vec3<>& ddx) {
  return {Jet(x[0], dx[0], ddx[0]), Jet(x[1], dx[1], ddx[1]), Jet(x[2], dx[2], ddx[2])};
}

inline Vec3<> values(const Vec3<Jet>& u) { return {u[0].x, u[1].x, u[2].x}; }

/// The rate of u as a vector of its own; its second rate is not known, and given as zero.
inline Vec3<Jet> rates(const Vec3<Jet>& u) {
  return {Jet(u[0].dx, u[0].ddx), Jet(u[1].dx, u[1].ddx), Jet(u[2].dx, u[2].ddx)};
}

/// p_WP.
inline Vec3<Jet> position_jets(const Kinematics<>& kin, const BodyPoint& P) {
  return jets(P.position<double>(kin), P.velocity<double>(kin), P.bias_acceleration(kin));
}

/// e, ω × e, ω̇ × e + ω × (ω × e).
inline Vec3<Jet> direction_jets(const Kinematics<>& kin, const BodyDirection& direction) {
  const Vec3<> e = direction.direction<double>(kin);
  if (direction.body == world) return e.cast<Jet>();
  const Vec3<> w = angular_velocity(kin, direction.body), we = cross(w, e);
  return jets(e, we, cross(angular_bias(kin, direction.body), e) + cross(w, we));
}

/// ω, ω̇; the second rate is given as zero.
inline Vec3<Jet> angular_velocity_jets(const Kinematics<>& kin, int body) {
  return jets(angular_velocity(kin, body), angular_bias(kin, body), Vec3<>::Zero());
}

/// Row k at position level, but for its wrenches.
inline void write_position_row(const Jet& phi, int k, Rows& out) {
  out.phi[k] = phi.x;
  out.rate[k] = phi.dx;
  out.b[k] = -phi.ddx;
}

/// Row k at velocity level, but for its wrenches.
inline void write_velocity_row(const Jet& psi, int k, Rows& out) {
  out.phi[k] = 0;
  out.rate[k] = psi.x;
  out.b[k] = -psi.dx;
}

}  // namespace trammel
