#pragma once

#include "trammel/model/model.h"

namespace trammel {

/// Below this speed (rad/s or m/s) Coulomb friction falls off to zero, so that it has no jump at rest.
inline constexpr double friction_speed = 1e-3;

/// What the joints do by themselves, as generalised forces: springs, dampers, Coulomb friction.
///
///   −k (q − q₀) − d v − f v / √(v² + v₀²),     v₀ = friction_speed
///
/// Springs act on coordinates whose rate is the velocity; build_model sees to that.
template <class Scalar>
void passive_forces(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, VecX<Scalar>& out);

}  // namespace trammel
