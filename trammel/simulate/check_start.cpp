#include "trammel/simulate/check_start.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "trammel/math/eps.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/force_stage.h"
#include "trammel/simulate/controllers.h"
#include "trammel/simulate/projection.h"
#include "trammel/simulate/state_sizes.h"
#include "trammel/system/misaligned.h"
#include "trammel/system/worst_error.h"

namespace trammel {
bool is_below_rounding(const Tolerance& tolerance) {
  return std::max(tolerance.relative, tolerance.absolute.value_or(0)) < 4 * eps;
}
std::string allowed_tolerance() {
  return fmt::format("{:.1g} or above, some roundings; what can be had is about 1e-13, with dop8", 4 * eps);
}
double shortest_step(double start, double duration) {
  return 4 * eps * std::max(std::abs(start), std::abs(start + duration));
}

namespace {

void check(const SimulateOptions& options) {
  const auto refuse = [](const char* what, double value, const char* allowed) {
    throw Error(fmt::format("{} {:g}", what, value), allowed);
  };
  if (!(options.duration >= 0) || !std::isfinite(options.duration))
    refuse("duration", options.duration, "0 s or above");
  if (!options.method->adaptive() && !(options.step > 0)) refuse("step", options.step, "above 0 s");
  if (!(options.step >= 0)) refuse("step", options.step, "0 s (as long as the tolerance allows) or above");
  if (!(options.record_every >= 0)) refuse("record every", options.record_every, "0 s (every step) or above");
  if (!(options.motors_every >= 0) || !std::isfinite(options.motors_every))
    refuse("motors every", options.motors_every, "0 s (always) or above");
  if (options.method->adaptive() &&
      (!(options.tolerance.relative > 0) || !(options.tolerance.absolute.value_or(1) > 0)))
    refuse("tolerance", options.tolerance.relative, "above 0");
  if (options.method->adaptive() && is_below_rounding(options.tolerance))
    refuse("tolerance", options.tolerance.relative, allowed_tolerance().c_str());
}

// Whether the clock can tell a step from the next at all times of the run.
void check_clock(double start, const SimulateOptions& options) {
  const double least = shortest_step(start, options.duration);
  const auto check = [&](const char* what, double value) {
    if (value > 0 && value < least)
      throw Error(fmt::format("{} {:g} s", what, value),
                  fmt::format("{:.2g} s or above, the resolution of the clock in this run", least));
  };
  check("step", options.step);
  check("record every", options.record_every);
  check("motors every", options.motors_every);
}

// The start as the problem takes it: quaternions of length one.
State checked_state(const Problem& problem, const State& start) {
  State out = start;
  if (problem.is_tree()) out.q = checked_configuration(problem.system().model, start.q);
  if (start.v.size() != problem.nv())
    throw Error(fmt::format("{} velocities", start.v.size()), fmt::format("{}", problem.nv()));
  return out;
}

// Refuses false solutions, whatever the drift control, and places from which Baumgarte's would lead to one.
void check_alignment(const Problem& problem, const State& start) {
  if (!problem.is_tree()) return;
  const System& system = problem.system();
  Positions<> where(system.model);
  positions<double>(system.model, start.q, where);
  const std::vector<double> inputs = system.input_values();
  const Placement<double> at{where, start.q, start.t, inputs};
  for (int i = 0; i < static_cast<int>(system.constraints.size()); ++i) {
    const Constraint& law = *system.constraints[i].law;
    const Misaligned found{i, law.misalignment(at).norm()};
    if (is_aligned(found.angle)) continue;
    VecX<> phi = VecX<>::Zero(law.rows());
    law.phi(at, phi);
    if (phi.norm() > 1e-6 && problem.baumgarte(i).beta == 0) continue;
    throw Error(fmt::format("a start at which '{}' is open by {}", system.constraints[i].name, found.text()),
                "one at which it is turned by less than a right angle: its rows also hold at false orientations");
  }
}

}  // namespace

State checked_start(const Problem& problem, const State& start, const SimulateOptions& options) {
  check(options);
  check_clock(start.t, options);
  (void)Controllers(problem, options.controllers, start.t, options.duration);  // checks them
  if (motion_options(options) != problem.options())
    throw Error("options of a run that differ from those its problem was compiled with",
                "a rank tolerance and gains of Baumgarte's as motion_options gives them");
  State out = checked_state(problem, start);
  check_alignment(problem, out);
  return out;
}

void check_on_constraints(const Data& data) {
  WorstError open;
  for (int row = 0; row < data.problem.held().rows; ++row)
    open.see(data.phi[row], data.problem.held().weight[row], data.problem.rows()[row].unit);
  if (open.length() > 1e-6 * extent(data))
    throw Error(fmt::format("a start that is off the constraints by {}", open.text()),
                "one on them, where a run projects: assemble it first, or choose another drift control");
}

void check_compliances(Data& data) {
  if (data.matrices || std::ranges::none_of(data.problem.system().constraints,
                                            [](const NamedConstraint& named) { return named.compliance.has_value(); }))
    return;
  held_multipliers(data);
  if (const std::vector<std::string> names = data.forces->split.elastic_and_slipping(data.problem); !names.empty())
    throw Error(
        fmt::format("compliances of '{}', which share a force although some give way and some slip",
                    fmt::join(names, "', '")),
        "compliances of constraints that hold places, or of such that hold velocities, where they share a force");
}

void check_start(const Problem& problem, const State& start, const SimulateOptions& options) {
  const State at = checked_start(problem, start, options);
  if (options.drift.kind != Drift::projection) return;
  Data data(problem);
  data.least_extent = StateSizes::least_extent(problem, at);
  if (factorize(at, data)) check_on_constraints(data);
}

}  // namespace trammel
