#include <chrono>
#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "progress.h"
#include "results.h"
#include "scenario_arguments.h"

namespace trammel::cli {
namespace {

Exit run(const ScenarioArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));
  if (!arguments.json && !arguments.quiet)
    print("{}, {:g} s\n", scenario.name, scenario.simulate.duration), std::cout.flush();

  const StopOnInterrupt stop;
  const auto start = std::chrono::steady_clock::now();
  const Simulation simulation = [&] {
    ProgressBar bar(scenario.simulate.duration, !arguments.quiet && !arguments.json);
    scenario.simulate.stop = stop.flag();
    scenario.simulate.progress = [&](double t) { bar.show(t - scenario.start.t); };
    return simulate(scenario.system, scenario.start, scenario.simulate);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const Summary summary = summarise(scenario.system, simulation, seconds);
  const Json json = to_json(scenario, simulation, summary);
  write_results(folder, "summary.json", json, files_of_run(scenario, simulation.recording));
  const bool finished = simulation.status == RunStatus::finished;
  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
  } else if (!arguments.quiet) {
    for (const std::string& warning : simulation.warnings) std::cerr << "warning: " << warning << '\n';
    print("\n{}results           {}\n", summary.text(), folder.path().string());
  }
  if (!finished)
    std::cerr << fmt::format("trammel: the run ended early, {}: {}; what was computed is in {}\n",
                             name_of(simulation.status), simulation.what, folder.path().string());
  return finished ? done : could_not_finish;
}

}  // namespace

void add_run(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("run", "simulates a scenario: motion, constraint forces, torques, figures");
  const auto arguments = std::make_shared<ScenarioArguments>();
  add_arguments(*verb, *arguments, "trammel run examples/03-four-bar.yaml --set simulate.duration=5");
  verb->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace trammel::cli
