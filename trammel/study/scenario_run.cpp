#include "trammel/study/scenario_run.h"

#include <chrono>

namespace trammel {
namespace {

Place place_of(const Scenario& scenario, const std::string& constraint) {
  const auto found = scenario.places.find(constraint);
  return found == scenario.places.end() ? Place{scenario.file} : found->second;
}

}  // namespace

bool ScenarioRun::succeeded() const {
  return simulation.status == RunStatus::finished && simulation.energy.verdict != EnergyBalance::Verdict::bad;
}

void check_ready(const Scenario& scenario) {
  if (!(scenario.simulate.duration > 0))
    throw Error({scenario.file}, "nothing that says how long to simulate",
                "simulate: {duration: 10 s} in the file, or --set simulate.duration=10");
  if (scenario.assembly && !scenario.assembly->closed())
    throw Error(place_of(scenario, scenario.assembly->open),
                "a start that cannot be brought onto the constraints: " + scenario.assembly->text(),
                "constraints that can hold together from this start");
}

ScenarioRun run_scenario(Scenario scenario) {
  const Problem problem = scenario.problem();
  const auto start = std::chrono::steady_clock::now();
  Simulation simulation = simulate(problem, scenario.start, scenario.simulate);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Summary summary = summarise(problem, simulation, seconds);
  scenario.simulate.stop = nullptr;
  scenario.simulate.progress = {};
  return {std::move(scenario), problem, std::move(simulation), std::move(summary)};
}

}  // namespace trammel
