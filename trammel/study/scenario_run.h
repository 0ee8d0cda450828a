#pragma once

#include "trammel/scenario/scenario.h"
#include "trammel/study/summary.h"

namespace trammel {

/// A scenario that was run, with what can be told of it.
struct ScenarioRun {
  Scenario scenario;
  Problem problem;
  Simulation simulation;
  Summary summary;

  /// Whether the run came to its end, and its energy is not out of balance.
  bool succeeded() const;
};

/// Throws Error unless the scenario can be run: it says for how long, and its start could be assembled if it was to be.
void check_ready(const Scenario& scenario);

/// Runs a scenario that is ready, with the stop and the progress that its options have; both are gone from the scenario that is kept.
ScenarioRun run_scenario(Scenario scenario);

}  // namespace trammel
