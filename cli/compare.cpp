#include "trammel/study/compare.h"

#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "page_template.h"
#include "progress.h"
#include "report.h"
#include "results.h"
#include "scenario_arguments.h"

namespace trammel::cli {
namespace {

Json to_json(const std::string& name, const std::vector<FormulationResult>& formulations,
             const std::vector<DriftResult>& drifts) {
  Json json{{"name", name}, {"formulations", Json::array()}, {"drift_controls", Json::array()}};
  for (const FormulationResult& f : formulations)
    json["formulations"].push_back({{"name", f.name},
                                    {"unknowns", f.unknowns},
                                    {"disagreement", number(f.disagreement)},
                                    {"microseconds", f.microseconds},
                                    {"answered", f.answered},
                                    {"asked", f.asked}});
  for (const DriftResult& d : drifts)
    json["drift_controls"].push_back({{"name", d.name},
                                      {"status", name_of(d.status)},
                                      {"worst_phi", number(d.worst_phi)},
                                      {"worst_rate", number(d.worst_rate)},
                                      {"energy_error", number(d.energy_error)},
                                      {"cost", number(d.cost)}});
  return json;
}

Figure figure_of(const std::vector<DriftResult>& drifts) {
  Figure out{"Constraint errors", "t (s)", "largest |φ| (m, rad)", {}, true};
  for (const DriftResult& drift : drifts) out.curves.push_back({drift.name, drift.t, drift.open});
  return out;
}

struct CompareArguments : ScenarioArguments {
  FigureFormats figures{"svg"};
};

Exit compare(const CompareArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const OutputFolder folder(arguments.folder());
  scenario.system.actuators.clear();  // control rows hold ideally: the same rows for all
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  const Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
  const Baumgarte asked = scenario.simulate.drift.gains;
  const Baumgarte gains = asked.alpha > 0 || asked.beta > 0 ? asked : Baumgarte{20, 100};
  const std::vector<FormulationResult> formulations = compare_formulations(scenario.system, run.recording);
  const std::vector<DriftResult> drifts =
      compare_drift_controls(scenario.system, scenario.start, scenario.simulate, gains);

  if (stop.flag()->load()) {
    std::cerr << "trammel: stopped before the comparison was complete\n";
    return could_not_finish;
  }
  const Json json = to_json(scenario.name, formulations, drifts);
  const Figure figure = figure_of(drifts);
  std::vector<ResultFile> files{{"compare.svg", to_svg(figure)}};
  if (!page_template().empty())
    files.push_back({"compare.html",
                     to_html(report_of(scenario.name, formulations, drifts, figure, command_line()), page_template())});
  write_results(folder, "compare.json", json, files, arguments.figures);
  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
    return done;
  }
  if (arguments.quiet) return done;
  print("{}\n\n{:<26} {:>9} {:>13} {:>13} {:>10}\n", scenario.name, "formulation", "unknowns", "disagreement",
        "evaluation", "answered");
  for (const FormulationResult& f : formulations)
    print("{:<26} {:>9} {:>13} {:>10.1f} µs {:>7}/{}\n", f.name, f.unknowns,
          f.answered > 0 ? fmt::format("{:.1e}", f.disagreement) : "–", f.microseconds, f.answered, f.asked);
  print("\n{:<26} {:>10} {:>10} {:>14} {:>8}\n", fmt::format("drift control (α {:g}, β {:g})", gains.alpha, gains.beta),
        "open by", "rate", "energy error", "cost");
  for (const DriftResult& d : drifts)
    print("{:<26} {:>10.1e} {:>10.1e} {:>14.1e} {:>8.2f}{}\n", d.name, d.worst_phi, d.worst_rate, d.energy_error,
          d.cost, d.status == RunStatus::finished ? "" : fmt::format("  ({})", name_of(d.status)));
  return done;
}

}  // namespace

void add_compare(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("compare", "the formulations and the drift controls, side by side");
  const auto arguments = std::make_shared<CompareArguments>();
  add_arguments(*verb, *arguments, "trammel compare examples/03-four-bar.yaml");
  add_figures(*verb, arguments->figures);
  verb->callback([arguments, &exit] { exit = compare(*arguments); });
}

}  // namespace trammel::cli
