#pragma once

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/world_inertia.h"

namespace trammel {

/// The force that a body needs (inverse_dynamics.h).
template <class Scalar>
[[gnu::always_inline]] inline Spatial<Packed<Scalar>> needed_force(const WorldInertia<Scalar>& inertia,
                                                                   const Packed<Scalar>& w,
                                                                   const Spatial<Packed<Scalar>>& A) {
  const Packed<Scalar>& h = inertia.moment;
  return {inertia.about_origin * A.angular + cross(w, inertia.about_origin * w) + cross(h, A.linear),
          A.linear * inertia.mass + cross(A.angular, h) + cross(w, cross(w, h))};
}

/// Gravity is an upward acceleration of the world.
template <class Scalar>
[[gnu::always_inline]] inline Vec3<Scalar> world_acceleration(const Model& model) {
  return -model.gravity().template cast<Scalar>();
}

/// The force that body i needs at v̇ = 0.
template <class Scalar>
[[gnu::always_inline]] inline void bias_wrench(const Model& model, int i, const Kinematics<Scalar>& kin,
                                               const WorldInertias<Scalar>& inertias, Vec6<Scalar>& out) {
  using V3 = Packed<Scalar>;
  if (model.bodies()[i].massless) return Spatial<V3>::zero().store(out);
  const Spatial<V3> abias = Spatial<V3>::of(kin.motion[i].abias);
  const V3 w = V3::at(kin.motion[i].V.data()), up = world_acceleration<Scalar>(model);
  needed_force<Scalar>(inertias.bodies[i], w, {abias.angular, abias.linear + up}).store(out);
}

}  // namespace trammel
