#include "trammel/study/compare.h"

#include "print.h"
#include "progress.h"
#include "scenario_arguments.h"
#include "trammel/report/figures.h"
#include "trammel/report/json.h"
#include "trammel/report/page_template.h"
#include "trammel/report/pages.h"
#include "trammel/report/results.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

void print_comparison(const std::string& name, const std::vector<FormulationResult>& formulations,
                      const std::vector<DriftResult>& drifts, const Baumgarte& gains) {
  print("{}\n\n{:<26} {:>9} {:>13} {:>13} {:>10}\n", name, "formulation", "unknowns", "disagreement", "evaluation",
        "answered");
  for (const FormulationResult& f : formulations)
    print("{:<26} {:>9} {:>13} {:>10.1f} µs {:>7}/{}\n", f.name, f.unknowns,
          f.answered > 0 ? fmt::format("{:.1e}", f.disagreement) : "–", f.microseconds, f.answered, f.asked);
  print("\n{:<26} {:>10} {:>10} {:>14} {:>8}\n", fmt::format("drift control (α {:g}, β {:g})", gains.alpha, gains.beta),
        "open by", "rate", "energy error", "cost");
  for (const DriftResult& d : drifts)
    print("{:<26} {:>10.1e} {:>10.1e} {:>14.1e} {:>8.2f}{}\n", d.name, d.worst_phi, d.worst_rate, d.energy_error,
          d.cost, d.status == RunStatus::finished ? "" : fmt::format("  ({})", name_of(d.status)));
}

Exit compare(const ScenarioArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const OutputFolder folder(arguments.folder());
  scenario.system.actuators.clear();  // control rows hold ideally: the same rows for all
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  const Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
  if (run.recording.rows() == 0) {
    std::cerr << fmt::format("trammel: the run ended early, {}: {}; there is nothing to compare\n", name_of(run.status),
                             run.what);
    return could_not_finish;
  }
  const Baumgarte asked = scenario.simulate.drift.gains;
  const Baumgarte gains = asked.alpha > 0 || asked.beta > 0 ? asked : Baumgarte{20, 100};
  const std::vector<FormulationResult> formulations = compare_formulations(scenario.problem(), run.recording);
  const std::vector<DriftResult> drifts =
      compare_drift_controls(scenario.system, scenario.start, scenario.simulate, gains);

  if (stop.flag()->load()) {
    std::cerr << "trammel: stopped before the comparison was complete\n";
    return could_not_finish;
  }
  const Figure figure = figure_of(drifts);
  Results results{.figures = {{"compare", figure}},
                  .formats = arguments.figures,
                  .json_name = "compare.json",
                  .json = [&](const auto& files) { return to_json(scenario, formulations, drifts, &files) + "\n"; }};
  if (!page_template().empty())
    results.pages.push_back({"compare.html", [&] {
                               return to_html(page_of(scenario.name, formulations, drifts, figure, typed_command()),
                                              page_template());
                             }});
  write_results(folder, results);
  if (arguments.json)
    print("{}\n", to_json(scenario, formulations, drifts));
  else if (!arguments.quiet)
    print_comparison(scenario.name, formulations, drifts, gains);
  return done;
}

}  // namespace

void add_compare(CommandLine& line) {
  const auto arguments = std::make_shared<ScenarioArguments>();
  Verb verb = line.add("compare", "the formulations and the drift controls, side by side",
                       "trammel compare examples/03-four-bar.yaml", [arguments] { return compare(*arguments); });
  add_arguments(verb, *arguments);
  add_figures(verb, arguments->figures);
}

}  // namespace trammel::cli
