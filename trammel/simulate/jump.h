#pragma once

#include "trammel/simulate/step.h"
#include "trammel/simulate/step_control.h"

namespace trammel {

/// Whether a correction onto the constraints is no correction but a jump, to where the motion does not lead: a law that jumps within the
/// step, another branch. With s the step's own displacement, Δ the correction, both as vectors of velocities, each component over its size,
///
///   |Δ| > 0.1 |s| + 10⁻⁶        in the largest component; 2 |s| for methods of order 1, whose errors may be of the size of their steps
///
/// The error of a step that is any good is far below that.
inline bool is_jump(const Tableau& method, const VecX<>& correction, const VecX<>& displacement,
                    const ComponentSizes& sizes) {
  if (correction.size() == 0) return false;
  const auto largest = [&](const VecX<>& x) { return x.cwiseQuotient(sizes.places).cwiseAbs().maxCoeff(); };
  return largest(correction) > (method.order == 1 ? 2 : 0.1) * largest(displacement) + 1e-6;
}

}  // namespace trammel
