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
/// The first column of a joint is the last that is eliminated, and what it changes goes straight to the parent: I_A and p are
/// moved there before, so that this does not wait for D and y; and Û·a is taken there, before a has come out to the body.
///
/// Vectors τ, y and v̇ are in the order of v. Instantiated for double, Jet and Lanes.
template <class Scalar = double>
struct ArticulatedFactor {
  explicit ArticulatedFactor(const Model& model)
      : U(model.nv()), root_D(model.nv()), inverse_root_D(model.nv()), inertia(model.body_count()) {}

  std::vector<Vec6<Scalar>> U;  // Û of each column, along the world's axes, about the body's origin; of a joint's first
                                // column about the parent's (of no use on the world)
  std::vector<Scalar> root_D, inverse_root_D;       // √D and 1/√D of each column
  std::vector<ArticulatedInertia<Scalar>> inertia;  // I_A of each body, its own columns but the first eliminated
};

/// Returns the first column met (from the leaves) whose D is zero to rounding: M is singular and the factor of no use.
/// Returns −1 when all is well.
template <class Scalar>
[[nodiscard]] int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                            ArticulatedFactor<Scalar>& out);

/// S·F for a column S of the body's joint.
template <class V>
[[gnu::always_inline]] inline auto along(const Body& body, const Vec6<typename V::Scalar>& S, const Spatial<V>& F) {
  const V angular = V::at(S.data()), linear = V::at(S.data() + 3);
  if (body.turning) return dot(angular, F.angular);
  if (body.sliding) return dot(linear, F.linear);
  return dot(angular, F.angular) + dot(linear, F.linear);
}

/// U = I_A S and D of a column c of the body's joint.
template <class Scalar>
struct Pivot {
  using Column = Spatial<Packed<Scalar>>;
  Column U;
  Scalar D;

  [[gnu::always_inline]] Pivot(const Model& model, const Body& body, int c, const Vec6<Scalar>& S,
                               const ArticulatedInertia<Scalar>& I)
      : U(body.turning   ? I.times_turn(S.data())
          : body.sliding ? I.times_slide(Packed<Scalar>::at(S.data() + 3))
                         : I * Column::of(S)),
        D(along(body, S, U) + model.coordinates()[c].rotor_inertia) {}

  /// Whether D is more than what rounding leaves of it when its terms cancel: about 50 eps of them.
  [[gnu::always_inline]] bool stands_out(const Model& model, int c) const {
    return D > model.inertia_scales()[c] * 1e-14;
  }
  /// Notes D, and Û from U as it is now. Returns 1/D.
  [[gnu::always_inline]] Scalar note(int c, ArticulatedFactor<Scalar>& out) const {
    using std::sqrt;
    const Scalar inverse_D = 1.0 / D, root = sqrt(D), inverse_root = root * inverse_D;
    out.root_D[c] = root;
    out.inverse_root_D[c] = inverse_root;
    (U * inverse_root).store(out.U[c]);
    return inverse_D;
  }
};

/// One body of it, after all that it carries.
template <class Scalar>
[[gnu::always_inline]] inline int eliminate_body(const Model& model, int i, const Positions<Scalar>& where,
                                                 const WorldInertias<Scalar>& inertias,
                                                 ArticulatedFactor<Scalar>& out) {
  const Body& body = model.bodies()[i];
  ArticulatedInertia<Scalar>& I = out.inertia[i];
  if (body.leaf) I.set(inertias.bodies[i]);
  for (int c = body.v + body.nv - 1; c > body.v; --c) {
    const Pivot<Scalar> pivot(model, body, c, where.S[c], I);
    if (!pivot.stands_out(model, c)) return c;
    I.eliminate(pivot.U, pivot.note(c, out));
  }
  // the last one is eliminated where the inertia goes: to go there need not wait for D
  const int c = body.v;
  Pivot<Scalar> pivot(model, body, c, where.S[c], I);
  if (!pivot.stands_out(model, c)) return c;
  if (body.parent == world) {
    pivot.note(c, out);
    return -1;
  }
  ArticulatedInertia<Scalar> moved = I.from(where.bodies[i].r);
  pivot.U = pivot.U.force_from(where.bodies[i].r);
  moved.eliminate(pivot.U, pivot.note(c, out));
  ArticulatedInertia<Scalar>& parent = out.inertia[body.parent];
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

/// One body of it, after all that it carries.
template <class Scalar>
[[gnu::always_inline]] inline void pass_inward(const Body& body, int i, const Positions<Scalar>& where,
                                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& tau,
                                               BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  using Wrench = Spatial<Triple<Scalar>>;
  Wrench F = Wrench::of(p[i]);
  const auto solve = [&](int c) { return y[c] = (tau[c] - along(body, where.S[c], F)) * factor.inverse_root_D[c]; };
  for (int c = body.v + body.nv - 1; c > body.v; --c) F = F + Wrench::of(factor.U[c]) * solve(c);
  const Scalar y_last = solve(body.v);
  if (body.parent == world) return;
  Vec6<Scalar>& parent = p[body.parent];
  (Wrench::of(parent) + F.force_from(where.bodies[i].r) + Wrench::of(factor.U[body.v]) * y_last).store(parent);
}

/// y = L⁻¹e of the unit force e on a velocity: zero but for the joint's own velocities and those of its ancestors, which alone are
/// visited.
void apply_L_inverse_to_unit(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                             int velocity, VecX<>& y);

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
