#include "trammel/study/compare.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include <fmt/core.h>

#include "trammel/assembly/assemble.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Formulation {
  std::string name;
  int unknowns;
  std::function<Motion(const State&)> evaluate;
};

// The rows as one layer, without friction: what all formulations understand.
System in_one_layer(const System& system) {
  System out = system;
  for (NamedConstraint& constraint : out.constraints) {
    constraint.layer = Layer::physical;
    constraint.working.reset();
  }
  return out;
}

// `rank`: how many rows are independent.
std::vector<Formulation> formulations(const Problem& problem, int rank) {
  const System& system = problem.system();
  const MotionOptions& how = problem.options();
  const int n = system.model.nv(), bodies = system.model.body_count(), m = problem.asked().rows;
  const auto dense = [&](const State& at) { return dense_equation(system, at.q, at.v, at.t, how.baumgarte); };
  return {
      {"Udwadia-Kalaba (default)", m, [&](const State& at) { return solve_motion(system, at.q, at.v, at.t, how); }},
      {"Udwadia-Kalaba, matrices", m, [&, dense](const State& at) { return udwadia_kalaba(dense(at), how.rank); }},
      {"literal", n, [&, dense](const State& at) { return literal(dense(at), how.rank); }},
      {"multipliers", n + m, [dense](const State& at) { return multipliers(dense(at)); }},
      {"Maggi", n - rank, [&, dense](const State& at) { return maggi(dense(at), how.rank); }},
      {"Lagrange", n + m, [&](const State& at) { return lagrange(system, at.q, at.v, at.t, how); }},
      {"Kane", n - rank, [&](const State& at) { return kane(system, at.q, at.v, at.t, how); }},
      {"absolute coordinates", 12 * bodies + n + m,
       [&](const State& at) { return absolute(system, at.q, at.v, at.t, how); }},
  };
}

std::vector<State> states_of(const Recording& recording, int states) {
  std::vector<State> out;
  const int count = std::min(states, recording.rows());
  for (int i = 0; i < count; ++i)
    out.push_back(
        recording.state(count == 1 ? 0 : static_cast<int>(static_cast<long>(recording.rows() - 1) * i / (count - 1))));
  return out;
}

double apart(const Motion& a, const Motion& b) {
  return std::max((a.vdot - b.vdot).norm() / (1 + b.vdot.norm()), (a.Qc - b.Qc).norm() / (1 + b.Qc.norm()));
}

FormulationResult measure(const Formulation& formulation, const std::vector<State>& states,
                          const std::vector<Motion>& expected) {
  FormulationResult out{.name = formulation.name, .unknowns = formulation.unknowns};
  std::vector<double> times;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto start = Clock::now();
    const Motion motion = formulation.evaluate(states[i]);
    times.push_back(1e6 * seconds_since(start));
    ++out.asked;
    if (!has_motion(motion.status)) continue;
    ++out.answered;
    out.disagreement = std::max(out.disagreement, apart(motion, expected[i]));
  }
  if (times.empty()) return out;
  std::ranges::nth_element(times, times.begin() + static_cast<long>(times.size() / 2));
  out.microseconds = times[times.size() / 2];
  return out;
}

// |φ| of the worst constraint, at every row.
VecX<> largest_errors(const Recording& recording) {
  VecX<> out = VecX<>::Zero(recording.rows());
  for (const std::string& name : recording.names_of(ColumnKind::error)) out = out.cwiseMax(recording[name].cwiseAbs());
  return out;
}

// J; not a number where nothing was recorded.
double energy_error(const Recording& recording) {
  if (recording.rows() == 0) return std::numeric_limits<double>::quiet_NaN();
  const VecX<> balance = recording["energy"] - recording["work"];
  return (balance.array() - balance[0]).abs().maxCoeff();
}

// Where a run projects, a start that is off the constraints (an author may want it so, for Baumgarte's law) is moved onto them first.
State start_for(const System& system, const State& start, const SimulateOptions& options) {
  if (options.drift.kind != Drift::projection) return start;
  try {
    check_start(compile(system, motion_options(options)), start, options);
    return start;
  } catch (const Error&) {
    const Assembly assembly = assemble(system, start.q, start.v, start.t);
    if (!assembly.closed()) throw;
    return {start.t, assembly.q, assembly.v};
  }
}

}  // namespace

std::vector<FormulationResult> compare_formulations(const Problem& problem, const Recording& recording, int states) {
  const Problem one_layer = compile(in_one_layer(problem.system()), problem.options());
  const std::vector<State> at = states_of(recording, states);
  Data data(one_layer);
  Motion motion(one_layer.system().model.nv(), one_layer.asked().rows);
  std::vector<Motion> expected;
  for (const State& state : at) {
    solve_motion(state.q, state.v, state.t, data, motion);
    expected.push_back(motion);
  }
  const std::vector<Formulation> all = formulations(one_layer, expected.empty() ? 0 : expected.front().rank);
  std::vector<FormulationResult> out;
  for (const Formulation& formulation : all) out.push_back(measure(formulation, at, expected));

  // the default as a run uses it: with the room it needs made once
  std::vector<double> times;
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const State& state : at) {
      const auto start = Clock::now();
      solve_motion(state.q, state.v, state.t, data, motion);
      times.push_back(1e6 * seconds_since(start));
    }
  if (!times.empty()) {
    std::ranges::nth_element(times, times.begin() + static_cast<long>(times.size() / 2));
    out[0].microseconds = times[times.size() / 2];
  }
  return out;
}

std::vector<DriftResult> compare_drift_controls(const System& system, const State& start,
                                                const SimulateOptions& options, const Baumgarte& gains) {
  std::vector<DriftResult> out;
  double plain = 0;
  for (const auto& [drift, name] :
       {std::pair{Drift::none, "none"}, std::pair{Drift::baumgarte, "Baumgarte"},
        std::pair{Drift::velocity, "velocity"}, std::pair{Drift::projection, "projection"}}) {
    SimulateOptions here = options;
    here.progress = nullptr;
    here.drift = {drift, gains};
    const auto begin = Clock::now();
    const Simulation run = simulate(system, start_for(system, start, here), here);
    const double seconds = seconds_since(begin);
    if (drift == Drift::none) plain = seconds;
    out.push_back({name, run.status, run.worst_phi, run.worst_rate, energy_error(run.recording), run.energy.verdict,
                   plain > 0 ? seconds / plain : 1, run.recording["t"], largest_errors(run.recording)});
  }
  return out;
}

Comparison compare(Scenario scenario) {
  scenario.system.actuators.clear();
  const Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
  Comparison out;
  if (run.recording.rows() == 0) {
    out.obstacle =
        fmt::format("the run ended early, {}: {}; there is nothing to compare", name_of(run.status), run.what);
    return out;
  }
  const Baumgarte asked = scenario.simulate.drift.gains;
  out.gains = asked.alpha > 0 || asked.beta > 0 ? asked : Baumgarte{20, 100};
  out.formulations = compare_formulations(scenario.problem(), run.recording);
  out.drifts = compare_drift_controls(scenario.system, scenario.start, scenario.simulate, out.gains);
  if (scenario.simulate.stop != nullptr && *scenario.simulate.stop)
    out.obstacle = "stopped before the comparison was complete";
  return out;
}

}  // namespace trammel
