#pragma once

#include "trammel/system/system.h"

namespace trammel {

/// |∂φ/∂q| of the rows of a constraint as they usually are, per metre: the median over seeded postures, within half a turn and the
/// extent of the mechanism; angles are taken times `length` (m). Zero where a row is constant in most of them, or not a number.
///
/// By these, rows whose unit is not known are made lengths: φ over its gradient is the distance from where it holds, in whatever unit φ
/// was written, and 1e8 φ = 0 is the same constraint as φ = 0.
VecX<> usual_gradients(const System& system, const Constraint& law, double length);

}  // namespace trammel
