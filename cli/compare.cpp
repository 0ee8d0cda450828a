#include "trammel/study/compare.h"

#include "print.h"
#include "progress.h"
#include "scenario_arguments.h"
#include "trammel/report/results_of.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

void print_comparison(const std::string& name, const Comparison& comparison) {
  const Baumgarte& gains = comparison.gains;
  print("{}\n\n{:<26} {:>9} {:>13} {:>13} {:>10}\n", name, "formulation", "unknowns", "disagreement", "evaluation",
        "answered");
  for (const FormulationResult& f : comparison.formulations)
    print("{:<26} {:>9} {:>13} {:>10.1f} µs {:>7}/{}\n", f.name, f.unknowns,
          f.answered > 0 ? fmt::format("{:.1e}", f.disagreement) : "–", f.microseconds, f.answered, f.asked);
  print("\n{:<26} {:>10} {:>10} {:>14} {:>8}\n", fmt::format("drift control (α {:g}, β {:g})", gains.alpha, gains.beta),
        "open by", "rate", "energy error", "cost");
  for (const DriftResult& d : comparison.drifts)
    print("{:<26} {:>10.1e} {:>10.1e} {:>14.1e} {:>8.2f}{}\n", d.name, d.worst_phi, d.worst_rate, d.energy_error,
          d.cost,
          d.status != RunStatus::finished                  ? fmt::format("  ({})", name_of(d.status))
          : d.energy == EnergyBalance::Verdict::bad        ? "  (energy does not balance)"
          : d.energy == EnergyBalance::Verdict::suspicious ? "  (energy balances poorly)"
                                                           : "");
}

Exit compare(const ScenarioArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const OutputFolder folder(arguments.folder());
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  const Comparison comparison = trammel::compare(scenario);
  if (!comparison.obstacle.empty()) {
    std::cerr << "trammel: " << comparison.obstacle << '\n';
    return could_not_finish;
  }
  write_results(folder, results_of(scenario, comparison, {.formats = arguments.figures, .command = typed_command()}));
  if (arguments.json)
    print("{}\n", to_json(scenario, comparison.formulations, comparison.drifts));
  else if (!arguments.quiet)
    print_comparison(scenario.name, comparison);
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
