#include "trammel/study/check.h"

#include "print.h"
#include "progress.h"
#include "scenario_arguments.h"
#include "trammel/report/json.h"
#include "trammel/report/output_folder.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

void print_check(const Scenario& scenario, const Check& found) {
  print("{}\n", scenario.name);
  if (scenario.assembly) print("start: {}\n", scenario.assembly->text());
  print("{}", found.diagnosis.text());
  if (!found.structure.empty()) print("\nof the mechanism, whatever its posture:\n{}", found.structure);
  for (const std::string& line : found.singular) print("{}\n", line);
  for (const std::string& line : found.beyond_limits) print("{}\n", line);
  print("{}\n", found.runs() ? "a run can start here" : "a run would fail here: " + found.obstacle);
}

Exit check(const ScenarioArguments& arguments) {
  const Scenario scenario = load(arguments);
  const Check found = [&] {
    ProgressBar bar(1, !arguments.quiet && !arguments.json);
    return trammel::check(scenario, [&](double part) { bar.show(part); });
  }();
  const std::string json = to_json(scenario, found);
  if (!arguments.out.empty()) OutputFolder(arguments.out).write("check.json", json + "\n");
  if (arguments.json)
    print("{}\n", json);
  else if (!arguments.quiet)
    print_check(scenario, found);
  else if (!found.runs())
    std::cerr << "trammel: " << found.obstacle << '\n';
  return found.runs() ? done : bad_input;
}

}  // namespace

void add_check(CommandLine& line) {
  const auto arguments = std::make_shared<ScenarioArguments>();
  Verb verb = line.add("check", "freedoms, rank, redundant rows by name, start; exit code 1 where a run would fail",
                       "trammel check examples/03-four-bar.yaml", [arguments] { return check(*arguments); });
  add_arguments(verb, *arguments);
}

}  // namespace trammel::cli
