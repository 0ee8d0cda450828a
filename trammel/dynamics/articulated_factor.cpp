#include "trammel/dynamics/articulated_factor.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {
template <class Scalar>
int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
              ArticulatedFactor<Scalar>& out) {
  for (int i = 0; i < model.body_count(); ++i) out.inertia[i].set(inertias.bodies[i]);
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const int singular = eliminate_body<Scalar>(model, i, where, out);
    if (singular >= 0) return singular;
  }
  return -1;
}

template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  for (int i = model.body_count() - 1; i >= 0; --i) pass_inward<Scalar>(model.bodies()[i], i, where, factor, tau, p, y);
}

template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  using Wrench = Spatial<Triple<Scalar>>;
  std::ranges::fill(p, Vec6<Scalar>(Vec6<Scalar>::Zero()));
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    Wrench F = Wrench::of(p[i]);
    for (int c = body.v + body.nv - 1; c >= body.v; --c) {
      const Scalar y_c = y[c];
      tau[c] = factor.root_D[c] * y_c + along(body, where.S[c], F);
      F = F + Wrench::of(factor.U[c]) * y_c;
    }
    if (body.parent != world) add_to_parent<Scalar>(F, where.bodies[i].r, p[body.parent]);
  }
}

template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot) {
  using Twist = Spatial<Triple<Scalar>>;
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
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
}

#define INSTANTIATE(Scalar)                                                                                            \
  template int factorize(const Model&, const Positions<Scalar>&, const WorldInertias<Scalar>&,                         \
                         ArticulatedFactor<Scalar>&);                                                                  \
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
