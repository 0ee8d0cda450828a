#include "run.h"
#include "browser.h"
#include "print.h"
#include "progress.h"
#include "trammel/base/fold.h"
#include "trammel/report/json.h"
#include "trammel/report/page_template.h"
#include "trammel/report/results_of.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

void open_report(const OutputFolder& folder) {
  if (page_template().empty())
    std::cerr << "trammel: this program was built without the report page\n";
  else
    open_in_browser((folder.path() / "report.html").string());
}

ScenarioRun run_with_progress(Scenario scenario, const StopOnInterrupt& stop, bool with_bar) {
  ProgressBar bar(scenario.simulate.duration, with_bar);
  scenario.simulate.stop = stop.flag();
  scenario.simulate.progress = [&, start = scenario.start.t](double t) { bar.show(t - start); };
  return run_scenario(std::move(scenario));
}

}  // namespace

Exit run_and_write(Scenario scenario, const RunArguments& arguments, const std::string& command) {
  check_ready(scenario);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));
  const bool prints = !arguments.json && !arguments.quiet;
  const StopOnInterrupt stop;
  if (prints) print("{}, {:g} s\n", scenario.name, scenario.simulate.duration), std::cout.flush();

  const ScenarioRun result = run_with_progress(std::move(scenario), stop, prints);
  const Simulation& simulation = result.simulation;
  write_results(folder,
                results_of(result, {.formats = arguments.figures, .command = command, .page = !arguments.no_report}));
  if (arguments.json) {
    print("{}\n", to_json(result.scenario, simulation, result.summary));
  } else if (!arguments.quiet) {
    for (const std::string& warning : folded(simulation.warnings)) std::cerr << "warning: " << warning << '\n';
    print("\n{}results           {}\n", result.summary.text(), folder.path().string());
    if (page_template().empty() && !arguments.no_report)
      print("report            none: this program was built without the report page\n");
  }
  if (simulation.status != RunStatus::finished)
    std::cerr << fmt::format("trammel: the run ended early, {}: {}; what was computed is in {}\n",
                             name_of(simulation.status), simulation.what, folder.path().string());
  else if (!result.succeeded())
    std::cerr << fmt::format("trammel: the run finished, but its {}; what was computed is in {}\n",
                             simulation.energy.what, folder.path().string());
  if (arguments.open) open_report(folder);
  return result.succeeded() ? done : could_not_finish;
}

void add_run(CommandLine& line) {
  const auto arguments = std::make_shared<RunArguments>();
  Verb verb = line.add("run", "simulates a scenario: motion, constraint forces, torques, figures",
                       "trammel run examples/03-four-bar.yaml --set simulate.duration=5",
                       [arguments] { return run_and_write(load(*arguments), *arguments, typed_command()); });
  add_arguments(verb, *arguments);
  add_figures(verb, arguments->figures);
  verb.flag("--no-report", arguments->no_report, "no report.html among the results");
  verb.flag("--open", arguments->open, "shows report.html when the run has ended");
}

}  // namespace trammel::cli
