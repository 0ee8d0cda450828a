#pragma once

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/dynamics/kinematics.h"

namespace trammel {

/// Workspace of the dynamics of a tree at one state. Sized once for a model.
template <class Scalar = double>
struct TreeWorkspace {
  explicit TreeWorkspace(const Model& model)
      : kin(model), inertias(model), factor(model), vectors(model.body_count()), y(model.nv()), passive(model.nv()) {}

  Kinematics<Scalar> kin;
  WorldInertias<Scalar> inertias;
  ArticulatedFactor<Scalar> factor;
  BodyVectors<Scalar> vectors;
  VecX<Scalar> y, passive;
};

/// v̇ = M⁻¹(τ + passive − bias) at (q, v), by the articulated factor: v̇ = L⁻ᵀ L⁻¹(…). Returns −1, or the velocity whose
/// column makes M singular; v̇ is then not written.
template <class Scalar>
[[nodiscard]] int forward_dynamics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v,
                                   const VecX<Scalar>& tau, TreeWorkspace<Scalar>& work, VecX<Scalar>& vdot);

/// The same for a single call. Throws Error if M is singular.
VecX<> forward_dynamics(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& tau);

}  // namespace trammel
