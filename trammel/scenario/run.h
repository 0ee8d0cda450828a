#pragma once

#include "trammel/scenario/scenario.h"
#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// simulate: {duration: 20 s, integrator: dopri5, tolerance: 1e-10, drift: projection, limits: warn}
SimulateOptions read_simulate(const std::optional<Value>& value, const Constants& constants);
/// simulate: {friction_speed: 1e-5}: a number of the system, which frictions of joints and constraints share, rad/s and m/s.
double read_friction_speed(const std::optional<Value>& simulate, const Constants& constants);

/// record: {every: 10 ms, frames: [tool]}, into the options.
void read_record(const Value& value, const Scope& scope, SimulateOptions& out);

/// plots: [{title: Joints, columns: [q.q1, q.q2]}, {x: tool.x, columns: [tool.y]}]
/// The places of all columns, x first, one plot after the other, are kept for complaints.
std::vector<Figure> read_plots(const Value& value, std::vector<Place>& places);

}  // namespace trammel::scenario
