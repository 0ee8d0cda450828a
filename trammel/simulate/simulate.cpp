#include "trammel/simulate/simulate.h"

#include "trammel/simulate/check_start.h"
#include "trammel/simulate/runner.h"
#include "trammel/system/matrix_system.h"

namespace trammel {

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::stopped:
      return "stopped";
    case RunStatus::at_limit:
      return "at a joint's limit";
    case RunStatus::not_a_number:
      return "not a number";
    case RunStatus::unreachable:
      return "unreachable";
    case RunStatus::no_motion:
      return "no motion";
    case RunStatus::contradictory:
      return "contradictory constraints";
    case RunStatus::step_collapsed:
      return "step collapsed";
    default:
      return "left the constraints";
  }
}

MotionOptions motion_options(const SimulateOptions& options) {
  return {options.rank, options.drift.kind == Drift::baumgarte ? options.drift.gains : Baumgarte{}};
}

ColumnTable columns_of(const Problem& problem, const SimulateOptions& options) {
  return {problem,
          {options.frames, options.angles, options.reactions, options.reaction_axes, options.velocities,
           options.orientations, options.expressions}};
}

Simulation simulate(const Problem& problem, const State& start, const SimulateOptions& options) {
  return Runner(problem, checked_start(problem, start, options), options).run();
}

Simulation simulate(const System& system, const State& start, const SimulateOptions& options) {
  return simulate(compile(system, motion_options(options)), start, options);
}

Simulation simulate(const MatrixSystem& system, const State& start, const SimulateOptions& options) {
  return simulate(compile(system, motion_options(options)), start, options);
}

}  // namespace trammel
