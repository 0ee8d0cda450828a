#pragma once

#include "trammel/scenario/scenario.h"
#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// simulate: {duration: 20 s, integrator: dopri5, tolerance: 1e-10, drift: projection, limits: warn}
SimulateOptions read_simulate(const std::optional<Value>& value, const Constants& constants);
/// A step, or the time between records or samples, that the clock resolves, s.
double read_step(const Value& value, const Constants& constants, double duration);
/// simulate: {friction_speed: 1e-5}: a number of the system, which frictions of joints and constraints share, rad/s and m/s.
double read_friction_speed(const std::optional<Value>& simulate, const Constants& constants);

/// record: {every: 10 ms, frames: [tool], expressions: {slip: tool.vx - 0.1*v(wheel)}}, into the options.
void read_record(const Value& value, const Scope& scope, SimulateOptions& out);

/// plots: [{title: Joints, columns: [q.q1, q.q2]}, {x: tool.x, columns: [tool.y]}]
/// The places of all columns, x first, one plot after the other, are kept for complaints. Definitions that are plotted are recorded.
std::vector<Figure> read_plots(const Value& value, const Scope& scope, std::vector<Place>& places,
                               SimulateOptions& out);

}  // namespace trammel::scenario
