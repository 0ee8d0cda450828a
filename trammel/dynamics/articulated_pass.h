#pragma once

#include <cmath>

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/dynamics/articulated_inertia.h"

namespace trammel {

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
                               const ArticulatedInertia<Scalar>& I, const double* added)
      : U(body.turning   ? I.times_turn(S.data())
          : body.sliding ? I.times_slide(Packed<Scalar>::at(S.data() + 3))
                         : I * Column::of(S)),
        D(along(body, S, U) + model.coordinates()[c].rotor_inertia) {
    if (added) D = D + added[c];
  }

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

/// One body of factorize(), after all that it carries. What is added to the diagonal of M: nothing where it is null.
template <class Scalar>
[[gnu::always_inline]] inline int eliminate_body(const Model& model, int i, const Positions<Scalar>& where,
                                                 const WorldInertias<Scalar>& inertias, ArticulatedFactor<Scalar>& out,
                                                 const double* added = nullptr) {
  const Body& body = model.bodies()[i];
  ArticulatedInertia<Scalar>& I = out.inertia[i];
  if (body.leaf) I.set(inertias.bodies[i]);
  for (int c = body.v + body.nv - 1; c > body.v; --c) {
    const Pivot<Scalar> pivot(model, body, c, where.S[c], I, added);
    if (!pivot.stands_out(model, c)) return c;
    I.eliminate(pivot.U, pivot.note(c, out));
  }
  // the last one is eliminated where the inertia goes: to go there need not wait for D
  const int c = body.v;
  Pivot<Scalar> pivot(model, body, c, where.S[c], I, added);
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

/// One body of apply_L_inverse(), after all that it carries.
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

}  // namespace trammel
