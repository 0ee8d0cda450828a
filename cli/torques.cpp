#include "print.h"
#include "progress.h"
#include "scenario_arguments.h"
#include "trammel/base/fold.h"
#include "trammel/report/json.h"
#include "trammel/report/results_of.h"
#include "trammel/study/summary_tables.h"
#include "trammel/study/torque_study.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

Exit torques(const ScenarioArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  System driven = driven_system(scenario);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  const TorqueStudy study = [&] {
    ProgressBar bar(scenario.simulate.duration, !arguments.quiet && !arguments.json);
    scenario.simulate.progress = [&](double t) { bar.show(t - scenario.start.t); };
    return study_torques(scenario, std::move(driven));
  }();
  write_results(folder, results_of(scenario, study, {.formats = arguments.figures}));

  if (arguments.json) {
    print("{}\n", to_json(scenario, study));
  } else if (!arguments.quiet) {
    for (const std::string& warning : folded(study.motion.warnings)) std::cerr << "warning: " << warning << '\n';
    print("{}\n{}results           {}\n", scenario.name, motor_table(study.motors).text(), folder.path().string());
  }
  if (!study.singular.empty()) std::cerr << "warning: " << study.singular << '\n';
  if (!study.shortfall.empty()) std::cerr << "trammel: the motors do not give this motion: " << study.shortfall << '\n';
  if (study.motion.status != RunStatus::finished)
    std::cerr << fmt::format("trammel: the motion ended early, {}: {}\n", name_of(study.motion.status),
                             study.motion.what);
  else if (study.motion.energy.verdict == EnergyBalance::Verdict::bad)
    std::cerr << fmt::format("trammel: the motion finished, but its {}\n", study.motion.energy.what);
  return study.realised() ? done : could_not_finish;
}

}  // namespace

void add_torques(CommandLine& line) {
  const auto arguments = std::make_shared<ScenarioArguments>();
  Verb verb = line.add("torques", "motor torques for the prescribed motion or the control rows",
                       "trammel torques examples/07-five-bar.yaml", [arguments] { return torques(*arguments); });
  add_arguments(verb, *arguments);
  add_figures(verb, arguments->figures);
}

}  // namespace trammel::cli
