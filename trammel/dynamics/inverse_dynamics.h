#pragma once

#include "trammel/dynamics/kinematics.h"
#include "trammel/dynamics/world_inertias.h"

namespace trammel {

/// The recursive Newton-Euler algorithm. A body with inertia (m, h, I) about its origin, angular velocity ω and
/// acceleration [ω̇; a] of the origin, gravity taken into a = v̇ − g, needs the force
///
///   n = I ω̇ + ω × I ω + h × a            N·m, about its origin
///   f = m a + ω̇ × h + ω × (ω × h)        N
///
/// and each joint gives what its body needs and what that passes on. Generalised forces are in the order of v.
/// Instantiated for double, Jet, and lanes of states.

/// The force that each body needs at v̇ = 0.
template <class Scalar>
void bias_wrenches(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                   std::vector<Vec6<Scalar>>& out);

/// bias = C(q, v) v + gravity forces: M v̇ + bias = τ when nothing but the joint forces τ and gravity act.
/// `wrenches` is room for one vector per body.
template <class Scalar>
void bias_forces(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                 std::vector<Vec6<Scalar>>& wrenches, VecX<Scalar>& out);

/// The joint forces that hold the robot at rest: ∂V/∂q of the gravity potential.
template <class Scalar>
void gravity_forces(const Model& model, const Positions<Scalar>& where, std::vector<Vec6<Scalar>>& wrenches,
                    VecX<Scalar>& out);

/// M v̇ + bias. `accelerations` and `wrenches` are room for one vector per body.
template <class Scalar>
void newton_euler(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                  const VecX<Scalar>& vdot, std::vector<Vec6<Scalar>>& accelerations,
                  std::vector<Vec6<Scalar>>& wrenches, VecX<Scalar>& out);

/// The joint forces τ under which the robot moves with v̇: τ = M v̇ + bias − passive (passive_forces.h).
VecX<> inverse_dynamics(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot);

}  // namespace trammel
