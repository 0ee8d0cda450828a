#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "results.h"
#include "scenario_arguments.h"
#include "trammel/assembly/structure.h"
#include "trammel/motion/diagnosis.h"

namespace trammel::cli {
namespace {

// Joints that stand outside of their limits.
std::vector<std::string> beyond_limits(const Model& model, const VecX<>& q) {
  std::vector<std::string> out;
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv && rates_are_velocities(body.type); ++k) {
      const Coordinate& c = model.coordinates()[body.v + k];
      const double x = q[body.q + k];
      constexpr double rounding = 1e-9;
      if (x < c.lower - rounding || x > c.upper + rounding)
        out.push_back(fmt::format("joint '{}' stands at {:.4g}, beyond its limits {:.4g} … {:.4g}",
                                  model.velocity_name(body.v + k), x, c.lower, c.upper));
    }
  return out;
}

Json to_json(const Diagnosis& diagnosis) {
  Json redundant = Json::array(), nearly = Json::array(), residuals = Json::array();
  for (const Diagnosis::RedundantRow& row : diagnosis.redundant)
    redundant.push_back({{"row", row.row}, {"follows_from", row.follows_from}, {"agrees", row.agrees}});
  for (const Diagnosis::NearlyRedundantRow& row : diagnosis.nearly_redundant)
    nearly.push_back({{"row", row.row}, {"tolerance", row.tolerance}});
  for (const Diagnosis::Residual& residual : diagnosis.residuals)
    residuals.push_back(
        {{"constraint", residual.constraint}, {"phi", number(residual.phi)}, {"rate", number(residual.rate)}});
  return {{"freedoms_before", diagnosis.freedoms_before},
          {"rank", diagnosis.rank},
          {"freedoms_after", diagnosis.freedoms_after},
          {"status", name_of(diagnosis.status)},
          {"redundant", redundant},
          {"nearly_redundant", nearly},
          {"weakest_row", diagnosis.weakest_row},
          {"weakest_pivot", diagnosis.weakest_pivot},
          {"residuals", residuals},
          {"not_numbers", diagnosis.not_numbers}};
}

// Why a run would fail at once; empty if it would not.
std::string why_not(const Scenario& scenario, const Diagnosis& diagnosis) {
  if (scenario.assembly && !scenario.assembly->closed()) return scenario.assembly->text();
  if (!has_motion(diagnosis.status)) return diagnosis.text();
  SimulateOptions no_time = scenario.simulate;
  no_time.duration = 0;
  const Simulation first = simulate(scenario.system, scenario.start, no_time);
  if (first.status != RunStatus::finished) return fmt::format("{}: {}", name_of(first.status), first.what);
  return scenario.simulate.duration > 0 ? "" : "nothing says how long to simulate";
}

Exit check(const ScenarioArguments& arguments) {
  const Scenario scenario = load(arguments);
  const MotionOptions options{scenario.simulate.rank, scenario.simulate.drift.gains};
  const State& start = scenario.start;
  const Diagnosis diagnosis = diagnose(scenario.system, start.q, start.v, start.t, options);
  std::vector<std::string> limits;
  if (scenario.simulate.limits != LimitRule::ignore) limits = beyond_limits(scenario.system.model, start.q);
  const std::string obstacle = why_not(scenario, diagnosis);
  const bool open = scenario.assembly && !scenario.assembly->closed(), good = obstacle.empty();
  std::string structure;
  if (!open && !diagnosis.redundant.empty())
    structure = examine_structure(scenario.system, start.q, start.t, 20, 0.3, options.rank).text();

  Json json{{"name", scenario.name}, {"file", scenario.file}, {"runs", good}, {"why_not", obstacle}};
  if (scenario.assembly) json["assembly"] = scenario.assembly->text();
  json["diagnosis"] = to_json(diagnosis);
  json["structure"] = structure;
  json["beyond_limits"] = limits;
  if (!arguments.out.empty()) OutputFolder(arguments.out).write("check.json", json.dump(2) + "\n");

  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
  } else if (!arguments.quiet) {
    print("{}\n", scenario.name);
    if (scenario.assembly) print("start: {}\n", scenario.assembly->text());
    print("{}", diagnosis.text());
    if (!structure.empty()) print("\nof the mechanism, whatever its posture:\n{}", structure);
    for (const std::string& line : limits) print("{}\n", line);
    print("{}\n", good ? "a run can start here" : "a run would fail here: " + obstacle);
  }
  if (!good && arguments.quiet) std::cerr << "trammel: " << obstacle << '\n';
  return good ? done : bad_input;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit) {
  CLI::App* verb =
      app.add_subcommand("check", "freedoms, rank, redundant rows by name, start; exit code 1 where a run would fail");
  const auto arguments = std::make_shared<ScenarioArguments>();
  add_arguments(*verb, *arguments, "trammel check examples/03-four-bar.yaml");
  verb->callback([arguments, &exit] { exit = check(*arguments); });
}

}  // namespace trammel::cli
