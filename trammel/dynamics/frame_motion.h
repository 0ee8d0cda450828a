#pragma once

#include <type_traits>

#include "trammel/dynamics/kinematics.h"

namespace trammel {

/// The motion of a frame that is fixed to a body (or to the world): of its origin, along the world's axes.
/// Spatial vectors are [angular; linear]. Instantiated for double and Jet.

/// V_WF = [ω; v].
template <class Scalar>
Vec6<Scalar> frame_velocity(const Kinematics<Scalar>& kin, const Frame& frame);

/// J̇v = [ω̇; v̇] at joint accelerations of zero, the acceleration of the origin as a point (not the spatial one).
template <class Scalar>
Vec6<Scalar> frame_bias_acceleration(const Kinematics<Scalar>& kin, const Frame& frame);

/// J_WF, 6 × nv: V_WF = J v. Columns of joints that do not carry the frame are zero.
template <class Scalar>
void frame_jacobian(const Model& model, const Positions<Scalar>& where, const Frame& frame,
                    Eigen::Matrix<Scalar, 6, Eigen::Dynamic>& out);

/// Adds Jᵀ F to `out` (of size nv): the generalised force of a wrench F = [n; f] on a body, about its origin, along the
/// world's axes. Inward from the body, entry i is S_i · F, with F about the origin of the body of velocity i.
template <class Scalar>
void add_generalised_force(const Model& model, const Positions<Scalar>& where, int body,
                           std::type_identity_t<Vec6<Scalar>> F,
                           std::type_identity_t<Eigen::Ref<VecX<Scalar>, 0, Eigen::InnerStride<>>> out) {
  for (; body != world; body = model.bodies()[body].parent) {
    const Body& here = model.bodies()[body];
    for (int c = here.v; c < here.v + here.nv; ++c) out[c] += where.S[c].dot(F);
    F = force_from<Scalar>(F, where.bodies[body].r);
  }
}

}  // namespace trammel
