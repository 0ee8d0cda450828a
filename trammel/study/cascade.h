#pragma once

#include "trammel/simulate/recording.h"
#include "trammel/simulate/simulate.h"

namespace trammel {

/// A run by layers solved one after the other, each as if it were alone, as a paper on a parallel robot prints it (its eq. 25):
///
///   Q1c = M^{1/2} B1⁺ (b1 − A1 M⁻¹Q),   Q3c = M^{1/2} B3⁺ (b3 − A3 M⁻¹(Q + Q1c)),   B = A M^{−1/2},   M v̇ = Q + Q1c + Q3c.
///
/// B3⁺ knows nothing of A1: the second layer's force violates the first, and the loops open. It is here to show that; for a
/// motion use simulate. Runge-Kutta of order 4, at fixed steps; of robots whose rates are their velocities. The recording has
/// t, q.NAME, v.NAME, phi.NAME[i] and the places of the options' frames.
Recording cascade_run(const System& system, const State& start, const SimulateOptions& options, double step);

}  // namespace trammel
