#include <chrono>
#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "figures.h"
#include "page_template.h"
#include "progress.h"
#include "report.h"
#include "results.h"
#include "scenario_arguments.h"

namespace trammel::cli {
namespace {

struct RunArguments : ScenarioArguments {
  bool no_report = false, open = false;
  FigureFormats figures{"svg"};
};

void open_report(const OutputFolder& folder) {
  if (page_template().empty())
    std::cerr << "trammel: this program was built without the report page\n";
  else
    open_in_browser((folder.path() / "report.html").string());
}

Exit run(const RunArguments& arguments) {
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
  const std::vector<Figure> figures = figures_of(scenario, simulation.recording);
  std::vector<ResultFile> files = files_of_run(simulation.recording, figures);
  if (!arguments.no_report && !page_template().empty())
    files.push_back(
        {"report.html", to_html(report_of(scenario, simulation, summary, figures, command_line()), page_template())});
  write_results(folder, "summary.json", json, files, arguments.figures);
  const bool finished = simulation.status == RunStatus::finished;
  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
  } else if (!arguments.quiet) {
    for (const std::string& warning : simulation.warnings) std::cerr << "warning: " << warning << '\n';
    print("\n{}results           {}\n", summary.text(), folder.path().string());
    if (page_template().empty() && !arguments.no_report)
      print("report            none: this program was built without the report page\n");
  }
  if (!finished)
    std::cerr << fmt::format("trammel: the run ended early, {}: {}; what was computed is in {}\n",
                             name_of(simulation.status), simulation.what, folder.path().string());
  if (arguments.open) open_report(folder);
  return finished ? done : could_not_finish;
}

}  // namespace

void add_run(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("run", "simulates a scenario: motion, constraint forces, torques, figures");
  const auto arguments = std::make_shared<RunArguments>();
  add_arguments(*verb, *arguments, "trammel run examples/03-four-bar.yaml --set simulate.duration=5");
  add_figures(*verb, arguments->figures);
  verb->add_flag("--no-report", arguments->no_report, "no report.html among the results");
  verb->add_flag("--open", arguments->open, "shows report.html when the run has ended");
  verb->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace trammel::cli
