#pragma once

#include "trammel/math/jet.h"
#include "trammel/model/model.h"

namespace trammel {

/// Configurations q of a whole model: what joint.h says of one joint, for all of them.

/// Every joint at its zero.
VecX<> neutral_configuration(const Model& model);

/// q ⊕ step: each joint moved for unit time at the constant velocity `step`.
VecX<> retract(const Model& model, const VecX<>& q, const VecX<>& step);

/// The same without allocation: `out` has the model's size, and may be q.
void retract(const Model& model, const VecX<>& q, const VecX<>& step, VecX<>& out);

/// The step with q0 ⊕ step = q1.
VecX<> difference(const Model& model, const VecX<>& q0, const VecX<>& q1);

/// q̇ = N(q) v.
VecX<> coordinate_rates(const Model& model, const VecX<>& q, const VecX<>& v);

/// q as a function of time, to second order, along the motion that has velocity v and acceleration v̇ now: whatever is
/// computed from it on jets comes with its exact rates.
VecX<Jet> coordinate_jets(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot);

/// Throws Error unless q has the model's size, is finite, and its quaternions have unit length to 1e-6; returns q with
/// them normalised.
VecX<> checked_configuration(const Model& model, VecX<> q);

}  // namespace trammel
