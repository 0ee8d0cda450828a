#include "trammel/dynamics/articulated_factor.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {
template <class Scalar>
int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
              ArticulatedFactor<Scalar>& out) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const int singular = eliminate_body<Scalar>(model, i, where, inertias, out);
    if (singular >= 0) return singular;
  }
  return -1;
}

template <class Scalar>
int factorize_and_apply(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                        const VecX<Scalar>& tau, ArticulatedFactor<Scalar>& out, BodyVectors<Scalar>& p,
                        VecX<Scalar>& y) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const int singular = eliminate_body<Scalar>(model, i, where, inertias, out);
    if (singular >= 0) return singular;
    pass_inward<Scalar>(model.bodies()[i], i, where, out, tau, p, y);
  }
  return -1;
}

template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  for (int i = model.body_count() - 1; i >= 0; --i) pass_inward<Scalar>(model.bodies()[i], i, where, factor, tau, p, y);
}

namespace {

template <class Scalar>
[[gnu::always_inline]] inline void pass_L(const Body& body, int i, const Positions<Scalar>& where,
                                          const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y,
                                          BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  using Wrench = Spatial<Triple<Scalar>>;
  Wrench F = body.leaf ? Wrench::zero() : Wrench::of(p[i]);
  for (int c = body.v + body.nv - 1; c >= body.v; --c) {
    const Scalar y_c = y[c];
    tau[c] = factor.root_D[c] * y_c + along(body, where.S[c], F);
    F = F + Wrench::of(factor.U[c]) * y_c;
  }
  if (body.parent == world) return;
  if (body.last_child)
    F.force_from(where.bodies[i].r).store(p[body.parent]);
  else
    add_to_parent<Scalar>(F, where.bodies[i].r, p[body.parent]);
}

template <class Scalar>
[[gnu::always_inline]] inline void pass_outward(const Body& body, int i, const Positions<Scalar>& where,
                                                const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y,
                                                BodyVectors<Scalar>& a, VecX<Scalar>& vdot) {
  using Twist = Spatial<Triple<Scalar>>;
  const Triple<Scalar> r = where.bodies[i].r;
  const Twist A_parent = body.parent == world ? Twist::zero() : Twist::of(a[body.parent]);
  Twist A = A_parent.motion_at(r);
  for (int c = body.v; c < body.v + body.nv; ++c) {
    // Û·a is the same about either origin: taken about the parent's, it need not wait for the acceleration of this one
    const Twist U = Twist::of(factor.U[c]);
    const Scalar U_a = c == body.v ? dot(U.force_from(r), A_parent) : dot(U, A);
    const Scalar vdot_c = (y[c] - U_a) * factor.inverse_root_D[c];
    A = A + Twist::of(where.S[c]) * vdot_c;
    vdot[c] = vdot_c;
  }
  A.store(a[i]);
}

}  // namespace

template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  for (int i = model.body_count() - 1; i >= 0; --i) pass_L<Scalar>(model.bodies()[i], i, where, factor, y, p, tau);
}

template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot) {
  for (int i = 0; i < model.body_count(); ++i) pass_outward<Scalar>(model.bodies()[i], i, where, factor, y, a, vdot);
}

void apply_L_and_inverse_transpose(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                                   const VecX<>& y, BodyVectors<>& p, VecX<>& tau, const VecX<>& z, BodyVectors<>& a,
                                   VecX<>& vdot) {
  for (int i = 0, j = model.body_count() - 1; j >= 0; ++i, --j) {
    pass_L<double>(model.bodies()[j], j, where, factor, y, p, tau);
    pass_outward<double>(model.bodies()[i], i, where, factor, z, a, vdot);
  }
}

#define INSTANTIATE(Scalar)                                                                                            \
  template int factorize(const Model&, const Positions<Scalar>&, const WorldInertias<Scalar>&,                         \
                         ArticulatedFactor<Scalar>&);                                                                  \
  template int factorize_and_apply(const Model&, const Positions<Scalar>&, const WorldInertias<Scalar>&,               \
                                   const VecX<Scalar>&, ArticulatedFactor<Scalar>&, BodyVectors<Scalar>&,              \
                                   VecX<Scalar>&);                                                                     \
  template void apply_L_inverse(const Model&, const Positions<Scalar>&, const ArticulatedFactor<Scalar>&,              \
                                const VecX<Scalar>&, BodyVectors<Scalar>&, VecX<Scalar>&);                             \
  template void apply_L(const Model&, const Positions<Scalar>&, const ArticulatedFactor<Scalar>&, const VecX<Scalar>&, \
                        BodyVectors<Scalar>&, VecX<Scalar>&);                                                          \
  template void apply_L_inverse_transpose(const Model&, const Positions<Scalar>&, const ArticulatedFactor<Scalar>&,    \
                                          const VecX<Scalar>&, BodyVectors<Scalar>&, VecX<Scalar>&);
INSTANTIATE(double)
INSTANTIATE(Jet)
INSTANTIATE(Lanes)
#undef INSTANTIATE

}  // namespace trammel
