#pragma once

#include <cmath>

#include "trammel/dynamics/articulated_inertia.h"
#include "trammel/dynamics/world_inertias.h"

namespace trammel {

/// The articulated-body recursion as a factor of the mass matrix: M = L Lᵀ, without forming M.
///
/// With I_A the inertia that a body shows while everything it carries is free to give way, one column S of its joint is
/// eliminated after the other, the last one first:
///
///   U = I_A S,   D = S·U + rotor,   I_A ← I_A − U Uᵀ/D,       then  I_A(parent) += I_A, moved to the parent's origin.
///
/// A joint with several columns needs no block algebra: to eliminate them in turn is the Cholesky factorisation of its
/// block. With Û = U/√D, each pass visits every column once and costs O(nv):
///
///   L⁻¹  inward   y = (τ − S·p)/√D,   p ← p + Û y       p: the force that a body needs from its joint
///   L    inward   τ = √D y + S·p,     p ← p + Û y
///   L⁻ᵀ  outward  v̇ = (y − Û·a)/√D,   a ← a + S v̇       a: the acceleration that a body gets from its joint
///
/// Vectors τ, y and v̇ are in the order of v. Instantiated for double, Jet and Lanes.
template <class Scalar = double>
struct ArticulatedFactor {
  explicit ArticulatedFactor(const Model& model)
      : U(model.nv()), root_D(model.nv()), inverse_root_D(model.nv()), inertia(model.body_count()) {}

  std::vector<Vec6<Scalar>> U;                 // Û of each column, about the body's origin, along the world's axes
  std::vector<Scalar> root_D, inverse_root_D;  // √D and 1/√D of each column
  std::vector<ArticulatedInertia<Scalar>> inertia;  // I_A of each body, its own columns eliminated
};

/// Returns the first column met (from the leaves) whose D is zero to rounding: M is singular and the factor of no use.
/// Returns −1 when all is well.
template <class Scalar>
[[nodiscard]] int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                            ArticulatedFactor<Scalar>& out);

/// S·F for a column S of the body's joint.
template <class V>
[[gnu::always_inline]] inline auto along(const Body& body, const Vec6<typename V::Scalar>& S, const Spatial<V>& F) {
  const V angular = V::at(S.data());
  return body.turning ? dot(angular, F.angular) : dot(angular, F.angular) + dot(V::at(S.data() + 3), F.linear);
}

/// One body of it, after all that it carries.
template <class Scalar>
[[gnu::always_inline]] inline int eliminate_body(const Model& model, int i, const Positions<Scalar>& where,
                                                 const WorldInertias<Scalar>& inertias,
                                                 ArticulatedFactor<Scalar>& out) {
  using std::sqrt;
  using Column = Spatial<Packed<Scalar>>;
  constexpr double cancelled = 1e-14;  // about 50 eps: what rounding leaves of D when its terms cancel
  const Body& body = model.bodies()[i];
  ArticulatedInertia<Scalar>& I = out.inertia[i];
  if (body.leaf) I.set(inertias.bodies[i]);
  for (int c = body.v + body.nv - 1; c >= body.v; --c) {
    const Vec6<Scalar>& S = where.S[c];
    const Column U = body.turning ? I.times_turn(S.data()) : I * Column::of(S);
    const Scalar D = along(body, S, U) + model.coordinates()[c].rotor_inertia;
    if (!(D > model.inertia_scales()[c] * cancelled)) return c;
    const Scalar inverse_D = 1.0 / D, root = sqrt(D), inverse_root = root * inverse_D;
    I.eliminate(U, inverse_D);
    out.root_D[c] = root;
    out.inverse_root_D[c] = inverse_root;
    (U * inverse_root).store(out.U[c]);
  }
  if (body.parent == world) return -1;
  ArticulatedInertia<Scalar>& parent = out.inertia[body.parent];
  const ArticulatedInertia<Scalar> moved = I.from(where.bodies[i].r);
  if (body.last_child)
    parent.set(inertias.bodies[body.parent], moved);
  else
    parent.add(moved);
  return -1;
}

/// One spatial vector per body: scratch of the passes, and the forces that they start from.
template <class Scalar = double>
using BodyVectors = std::vector<Vec6<Scalar>>;

/// y = L⁻¹(τ − Jᵀp), where p holds for each body the force [n; f] about its origin that it needs besides (zero for none).
/// p is used up.
template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y);

/// The factor, and y = L⁻¹(τ − Jᵀp) on the way.
template <class Scalar>
[[nodiscard]] int factorize_and_apply(const Model& model, const Positions<Scalar>& where,
                                      const WorldInertias<Scalar>& inertias, const VecX<Scalar>& tau,
                                      ArticulatedFactor<Scalar>& out, BodyVectors<Scalar>& p, VecX<Scalar>& y);

/// Hands a force on to the parent.
template <class Scalar>
[[gnu::always_inline]] inline void add_to_parent(const Spatial<Triple<Scalar>>& F, const Vec3<Scalar>& r,
                                                 Vec6<Scalar>& parent) {
  (Spatial<Triple<Scalar>>::of(parent) + F.force_from(r)).store(parent);
}

/// One body of it, after all that it carries.
template <class Scalar>
[[gnu::always_inline]] inline void pass_inward(const Body& body, int i, const Positions<Scalar>& where,
                                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& tau,
                                               BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  using Wrench = Spatial<Triple<Scalar>>;
  Wrench F = Wrench::of(p[i]);
  for (int c = body.v + body.nv - 1; c >= body.v; --c) {
    const Scalar y_c = (tau[c] - along(body, where.S[c], F)) * factor.inverse_root_D[c];
    F = F + Wrench::of(factor.U[c]) * y_c;
    y[c] = y_c;
  }
  if (body.parent != world) add_to_parent<Scalar>(F, where.bodies[i].r, p[body.parent]);
}

/// v̇ = L⁻ᵀ y.
template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot);

/// τ = L y.
template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau);

/// τ = L y and v̇ = L⁻ᵀ z side by side: one goes inward, the other outward, and neither waits for the other.
void apply_L_and_inverse_transpose(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                                   const VecX<>& y, BodyVectors<>& p, VecX<>& tau, const VecX<>& z, BodyVectors<>& a,
                                   VecX<>& vdot);

}  // namespace trammel
