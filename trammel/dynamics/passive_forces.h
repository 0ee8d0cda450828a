#pragma once

#include "trammel/model/model.h"

namespace trammel {

/// What the joints do by themselves, as generalised forces: springs, dampers, Coulomb friction.
///
///   −k (q − q₀) − d v − f v / √(v² + v₀²),     v₀ the friction speed of the coordinate
///
/// Friction has no jump at rest: a joint that it could hold creeps, where the torque τ acts on it, at v₀ τ/√(f² − τ²).
/// Springs act on coordinates whose rate is the velocity; build_model sees to that.
template <class Scalar>
void passive_forces(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, VecX<Scalar>& out);

}  // namespace trammel
