#include "trammel/dynamics/articulated_factor.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/jet.h"

namespace trammel {
template <class Scalar>
int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
              ArticulatedFactor<Scalar>& out) {
  using std::sqrt;
  constexpr double cancelled = 1e-14;  // about 50 eps: what rounding leaves of D when its terms cancel
  for (int i = 0; i < model.body_count(); ++i) out.inertia[i] = ArticulatedInertia<Scalar>(inertias.bodies[i]);
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    ArticulatedInertia<Scalar>& I = out.inertia[i];
    for (int c = body.v + body.nv - 1; c >= body.v; --c) {
      const Vec6<Scalar> S = where.S[c];
      const Vec6<Scalar> U = I * S;
      const Scalar D = S.dot(U) + model.coordinates()[c].rotor_inertia;
      if (!(D > model.inertia_scales()[c] * cancelled)) return c;
      const Scalar root = sqrt(D), inverse = 1.0 / root;
      const Vec6<Scalar> scaled = U * inverse;
      I.subtract_square(scaled);
      out.root_D[c] = root;
      out.inverse_root_D[c] = inverse;
      out.U[c] = scaled;
    }
    if (body.parent != world) out.inertia[body.parent].add_moved(I, where.bodies[i].r);
  }
  return -1;
}

template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    Vec6<Scalar> F = p[i];
    for (int c = body.v + body.nv - 1; c >= body.v; --c) {
      const Scalar y_c = (tau[c] - where.S[c].dot(F)) * factor.inverse_root_D[c];
      F += factor.U[c] * y_c;
      y[c] = y_c;
    }
    if (body.parent != world) p[body.parent] += force_from(F, where.bodies[i].r);
  }
}

template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  std::ranges::fill(p, Vec6<Scalar>(Vec6<Scalar>::Zero()));
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    Vec6<Scalar> F = p[i];
    for (int c = body.v + body.nv - 1; c >= body.v; --c) {
      const Scalar y_c = y[c];
      tau[c] = factor.root_D[c] * y_c + where.S[c].dot(F);
      F += factor.U[c] * y_c;
    }
    if (body.parent != world) p[body.parent] += force_from(F, where.bodies[i].r);
  }
}

template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    Vec6<Scalar> A = Vec6<Scalar>::Zero();
    if (body.parent != world) A = motion_at(a[body.parent], where.bodies[i].r);
    for (int c = body.v; c < body.v + body.nv; ++c) {
      const Scalar vdot_c = (y[c] - factor.U[c].dot(A)) * factor.inverse_root_D[c];
      A += where.S[c] * vdot_c;
      vdot[c] = vdot_c;
    }
    a[i] = A;
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
#undef INSTANTIATE

}  // namespace trammel
