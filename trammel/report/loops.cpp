#include "trammel/report/loops.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "trammel/motion/diagnosis.h"

namespace trammel {

std::string loops_text(const Scenario& scenario) {
  const System& system = scenario.system;
  std::string out;
  for (const NamedConstraint& constraint : system.constraints)
    out += fmt::format("constraint: {} ({} row{})\n", constraint.name, constraint.law->rows(),
                       constraint.law->rows() == 1 ? "" : "s");
  for (const Actuator& motor : system.actuators)
    out += fmt::format("motor: {} on {}\n", motor.name, system.model.velocity_name(motor.velocity));
  for (const NamedForce& force : system.forces) out += fmt::format("force: {}\n", force.name);
  for (const Input& input : system.inputs) out += fmt::format("input: {} = {:g}\n", input.name, input.value);
  if (!system.constraints.empty()) {
    if (scenario.assembly) out += fmt::format("start: {}\n", scenario.assembly->text());
    out += diagnose(scenario.problem(), scenario.start.q, scenario.start.v).text();
  }
  return out.empty() ? out : "\n" + out;
}

std::string with_loops(const std::string& robot_json, const Scenario& scenario) {
  nlohmann::ordered_json out = nlohmann::ordered_json::parse(robot_json);
  const System& system = scenario.system;
  for (const char* list : {"constraints", "motors", "forces", "inputs", "redundant_rows"})
    out[list] = nlohmann::ordered_json::array();
  for (const NamedConstraint& constraint : system.constraints)
    out["constraints"].push_back({{"name", constraint.name}, {"rows", constraint.law->rows()}});
  for (const Actuator& motor : system.actuators)
    out["motors"].push_back({{"name", motor.name}, {"on", system.model.velocity_name(motor.velocity)}});
  for (const NamedForce& force : system.forces) out["forces"].push_back(force.name);
  for (const Input& input : system.inputs) out["inputs"].push_back({{"name", input.name}, {"value", input.value}});
  const Diagnosis found = diagnose(scenario.problem(), scenario.start.q, scenario.start.v);
  out["rank"] = found.rank;
  out["freedoms_left"] = found.freedoms_after;
  out["closed"] = !scenario.assembly || scenario.assembly->closed();
  for (const Diagnosis::RedundantRow& row : found.redundant) out["redundant_rows"].push_back(row.row);
  return out.dump(2);
}

}  // namespace trammel
