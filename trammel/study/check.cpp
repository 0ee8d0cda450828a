#include "trammel/study/check.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/assembly/structure.h"
#include "trammel/motion/row_strength.h"

namespace trammel {
namespace {

std::vector<std::string> joints_beyond_limits(const Model& model, const State& at) {
  std::vector<std::string> out;
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv && rates_are_velocities(body.type); ++k) {
      const Coordinate& c = model.coordinates()[body.v + k];
      const double x = at.q[body.q + k];
      constexpr double rounding = 1e-9;
      if (x < c.lower - rounding || x > c.upper + rounding)
        out.push_back(fmt::format("joint '{}' stands at {:.4g}, beyond its limits {:.4g} … {:.4g}",
                                  model.velocity_name(body.v + k), x, c.lower, c.upper));
    }
  for (int i = 0; i < model.nv(); ++i)
    if (const double limit = model.coordinates()[i].speed_limit; std::abs(at.v[i]) > limit * (1 + 1e-9))
      out.push_back(fmt::format("joint '{}' moves at {:.4g}, beyond its speed limit {:.4g}", model.velocity_name(i),
                                std::abs(at.v[i]), limit));
  return out;
}

bool is_open(const Scenario& scenario) { return scenario.assembly && !scenario.assembly->closed(); }

std::vector<std::string> singular_at(const Problem& problem, const State& start, double duration) {
  Data data(problem);
  if (!factorize_motion(start.q, start.v, start.t, data)) return {};
  return RowStrength(problem, start, duration).singular_texts(data, "at the start");
}

std::string why_not(const Scenario& scenario, const Problem& problem, const Diagnosis& diagnosis) {
  if (is_open(scenario)) return scenario.assembly->text();
  if (!has_motion(diagnosis.status)) return diagnosis.text();
  SimulateOptions no_time = scenario.simulate;
  no_time.duration = 0;
  const Simulation first = simulate(problem, scenario.start, no_time);
  if (first.status != RunStatus::finished) return fmt::format("{}: {}", name_of(first.status), first.what);
  return scenario.simulate.duration > 0 ? "" : "nothing says how long to simulate";
}

}  // namespace

Check check(const Scenario& scenario, const std::function<void(double)>& progress) {
  const Problem problem = scenario.problem();
  const State& start = scenario.start;
  Check out{.diagnosis = diagnose(problem, start.q, start.v, start.t)};
  if (scenario.simulate.limits != LimitRule::ignore)
    out.beyond_limits = joints_beyond_limits(scenario.system.model, start);
  out.obstacle = why_not(scenario, problem, out.diagnosis);
  if (!is_open(scenario)) out.singular = singular_at(problem, start, scenario.simulate.duration);
  if (!is_open(scenario) && !out.diagnosis.redundant.empty())
    out.structure = examine_structure(problem, start.q, start.t, 20, 0.3, progress).text();
  return out;
}

}  // namespace trammel
