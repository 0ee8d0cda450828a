#include "trammel/dynamics/articulated_factor.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "trammel/dynamics/articulated_pass.h"
#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {

template <class Scalar>
ArticulatedFactor<Scalar>::ArticulatedFactor(const Model& model)
    : U(model.nv()), root_D(model.nv()), inverse_root_D(model.nv()), inertia(model.body_count()) {}
template <class Scalar>
ArticulatedFactor<Scalar>::ArticulatedFactor(const ArticulatedFactor&) = default;
template <class Scalar>
ArticulatedFactor<Scalar>::ArticulatedFactor(ArticulatedFactor&&) noexcept = default;
template <class Scalar>
ArticulatedFactor<Scalar>& ArticulatedFactor<Scalar>::operator=(const ArticulatedFactor&) = default;
template <class Scalar>
ArticulatedFactor<Scalar>& ArticulatedFactor<Scalar>::operator=(ArticulatedFactor&&) noexcept = default;
template <class Scalar>
ArticulatedFactor<Scalar>::~ArticulatedFactor() = default;

template <class Scalar>
int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
              ArticulatedFactor<Scalar>& out) {
  for (const int i : model.by_depth() | std::views::reverse) {
    const int singular = eliminate_body<Scalar>(model, i, where, inertias, out);
    if (singular >= 0) return singular;
  }
  return -1;
}

int factorize_with(const VecX<>& added, const Model& model, const Positions<>& where, const WorldInertias<>& inertias,
                   ArticulatedFactor<>& out) {
  for (const int i : model.by_depth() | std::views::reverse) {
    const int singular = eliminate_body<double>(model, i, where, inertias, out, added.data());
    if (singular >= 0) return singular;
  }
  return -1;
}

template <class Scalar>
int factorize_and_apply(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                        const VecX<Scalar>& tau, ArticulatedFactor<Scalar>& out, BodyVectors<Scalar>& p,
                        VecX<Scalar>& y) {
  for (const int i : model.by_depth() | std::views::reverse) {
    const int singular = eliminate_body<Scalar>(model, i, where, inertias, out);
    if (singular >= 0) return singular;
    pass_inward<Scalar>(model.bodies()[i], i, where, out, tau, p, y);
  }
  return -1;
}

template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y) {
  for (const int i : model.by_depth() | std::views::reverse)
    pass_inward<Scalar>(model.bodies()[i], i, where, factor, tau, p, y);
}

void apply_L_inverse_to_unit(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                             int velocity, VecX<>& y) {
  using Wrench = Spatial<Triple<double>>;
  y.setZero();
  Wrench F = Wrench::zero();
  for (int i = model.body_of_velocity(velocity); i != world; i = model.bodies()[i].parent) {
    const Body& body = model.bodies()[i];
    const auto solve = [&](int c) {
      return y[c] = ((c == velocity ? 1.0 : 0.0) - along(body, where.S[c], F)) * factor.inverse_root_D[c];
    };
    for (int c = body.v + body.nv - 1; c > body.v; --c) F = F + Wrench::of(factor.U[c]) * solve(c);
    const double y_last = solve(body.v);
    F = F.force_from(where.bodies[i].r) + Wrench::of(factor.U[body.v]) * y_last;
  }
}

namespace {

template <class Scalar>
[[gnu::always_inline]] inline void pass_L(const Body& body, int i, const Positions<Scalar>& where,
                                          const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y,
                                          BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  using Wrench = Spatial<Triple<Scalar>>;
  Wrench F = body.leaf ? Wrench::zero() : Wrench::of(p[i]);
  for (int c = body.v + body.nv - 1; c > body.v; --c) {
    tau[c] = factor.root_D[c] * y[c] + along(body, where.S[c], F);
    F = F + Wrench::of(factor.U[c]) * y[c];
  }
  const int c = body.v;
  tau[c] = factor.root_D[c] * y[c] + along(body, where.S[c], F);
  if (body.parent == world) return;
  const Wrench passed = F.force_from(where.bodies[i].r) + Wrench::of(factor.U[c]) * y[c];
  Vec6<Scalar>& parent = p[body.parent];
  (body.last_child ? passed : Wrench::of(parent) + passed).store(parent);
}

template <class Scalar>
[[gnu::always_inline]] inline void pass_outward(const Body& body, int i, const Positions<Scalar>& where,
                                                const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y,
                                                BodyVectors<Scalar>& a, VecX<Scalar>& vdot) {
  using Twist = Spatial<Triple<Scalar>>;
  const int first = body.v;
  Twist A = Twist::zero();
  const auto solve = [&](int c, const Scalar& U_a) {
    const Scalar vdot_c = vdot[c] = (y[c] - U_a) * factor.inverse_root_D[c];
    const Scalar* S = where.S[c].data();
    if (!body.sliding) A.angular = A.angular + Triple<Scalar>::at(S) * vdot_c;
    if (!body.turning) A.linear = A.linear + Triple<Scalar>::at(S + 3) * vdot_c;
  };
  Scalar U_a = 0.0;
  if (body.parent != world) {
    const Twist A_parent = Twist::of(a[body.parent]);
    U_a = dot(Twist::of(factor.U[first]), A_parent);
    A = A_parent.motion_at(where.bodies[i].r);
  }
  solve(first, U_a);
  for (int c = first + 1; c < first + body.nv; ++c) solve(c, dot(Twist::of(factor.U[c]), A));
  A.store(a[i]);
}

}  // namespace

template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau) {
  for (const int i : model.by_depth() | std::views::reverse)
    pass_L<Scalar>(model.bodies()[i], i, where, factor, y, p, tau);
}

template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot) {
  for (const int i : model.by_depth()) pass_outward<Scalar>(model.bodies()[i], i, where, factor, y, a, vdot);
}

void apply_L_and_inverse_transpose(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                                   const VecX<>& y, BodyVectors<>& p, VecX<>& tau, const VecX<>& z, BodyVectors<>& a,
                                   VecX<>& vdot) {
  const std::span<const int> order = model.by_depth();
  for (std::size_t step = 0; step < order.size(); ++step) {
    const int i = order[step], j = order[order.size() - 1 - step];
    pass_L<double>(model.bodies()[j], j, where, factor, y, p, tau);
    pass_outward<double>(model.bodies()[i], i, where, factor, z, a, vdot);
  }
}

#define INSTANTIATE(Scalar)                                                                                            \
  template struct ArticulatedFactor<Scalar>;                                                                           \
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
