#include <chrono>

#include "browser.h"
#include "print.h"
#include "progress.h"
#include "scenario_arguments.h"
#include "trammel/base/fold.h"
#include "trammel/report/csv.h"
#include "trammel/report/figures.h"
#include "trammel/report/json.h"
#include "trammel/report/page_template.h"
#include "trammel/report/pages.h"
#include "trammel/report/results.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

struct RunArguments : ScenarioArguments {
  bool no_report = false, open = false;
};

void open_report(const OutputFolder& folder) {
  if (page_template().empty())
    std::cerr << "trammel: this program was built without the report page\n";
  else
    open_in_browser((folder.path() / "report.html").string());
}

Results results_of(const RunArguments& arguments, const Scenario& scenario, const Problem& problem,
                   const Simulation& simulation, const Summary& summary) {
  const std::vector<Figure> figures = figures_of(problem, scenario.plots, simulation.recording);
  Results out{.data = {{"recording.csv", [&] { return to_csv(simulation.recording); }}},
              .figures = pictures_of(figures),
              .formats = arguments.figures,
              .json_name = "summary.json",
              .json = [&](const auto& files) { return to_json(scenario, simulation, summary, &files) + "\n"; }};
  if (!arguments.no_report && !page_template().empty())
    out.pages.push_back({"report.html", [&scenario, &simulation, &summary, figures] {
                           return to_html(page_of(scenario, simulation, summary, figures, typed_command()),
                                          page_template());
                         }});
  return out;
}

Exit run(const RunArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));
  if (!arguments.json && !arguments.quiet)
    print("{}, {:g} s\n", scenario.name, scenario.simulate.duration), std::cout.flush();

  const Problem problem = scenario.problem();
  const StopOnInterrupt stop;
  const auto start = std::chrono::steady_clock::now();
  const Simulation simulation = [&] {
    ProgressBar bar(scenario.simulate.duration, !arguments.quiet && !arguments.json);
    scenario.simulate.stop = stop.flag();
    scenario.simulate.progress = [&](double t) { bar.show(t - scenario.start.t); };
    return simulate(problem, scenario.start, scenario.simulate);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const Summary summary = summarise(problem, simulation, seconds);
  write_results(folder, results_of(arguments, scenario, problem, simulation, summary));
  const bool finished = simulation.status == RunStatus::finished;
  const bool balances = simulation.energy.verdict != EnergyBalance::Verdict::bad;
  if (arguments.json) {
    print("{}\n", to_json(scenario, simulation, summary));
  } else if (!arguments.quiet) {
    for (const std::string& warning : folded(simulation.warnings)) std::cerr << "warning: " << warning << '\n';
    print("\n{}results           {}\n", summary.text(), folder.path().string());
    if (page_template().empty() && !arguments.no_report)
      print("report            none: this program was built without the report page\n");
  }
  if (!finished)
    std::cerr << fmt::format("trammel: the run ended early, {}: {}; what was computed is in {}\n",
                             name_of(simulation.status), simulation.what, folder.path().string());
  else if (!balances)
    std::cerr << fmt::format("trammel: the run finished, but its {}; what was computed is in {}\n",
                             simulation.energy.what, folder.path().string());
  if (arguments.open) open_report(folder);
  return finished && balances ? done : could_not_finish;
}

}  // namespace

void add_run(CommandLine& line) {
  const auto arguments = std::make_shared<RunArguments>();
  Verb verb = line.add("run", "simulates a scenario: motion, constraint forces, torques, figures",
                       "trammel run examples/03-four-bar.yaml --set simulate.duration=5",
                       [arguments] { return run(*arguments); });
  add_arguments(verb, *arguments);
  add_figures(verb, arguments->figures);
  verb.flag("--no-report", arguments->no_report, "no report.html among the results");
  verb.flag("--open", arguments->open, "shows report.html when the run has ended");
}

}  // namespace trammel::cli
