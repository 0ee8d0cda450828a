#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "progress.h"
#include "results.h"
#include "scenario_arguments.h"
#include "trammel/motion/torques.h"
#include "trammel/report/csv.h"

namespace trammel::cli {
namespace {

// With the scenario's motors; where it has none but leads joints, with one on each of these.
System with_motors(const Scenario& scenario) {
  System out = scenario.system;
  if (!out.actuators.empty() || !scenario.has_motion) return out;
  for (const NamedConstraint& constraint : scenario.system.constraints)
    if (constraint.layer == Layer::control && constraint.name.starts_with("motion "))
      for (const int velocity : constraint.law->velocities())
        out.drive({.name = out.model.velocity_name(velocity), .velocity = velocity});
  return out;
}

void check_motors(const System& system, const std::string& file) {
  try {
    const TorqueWorkspace probe(system);
  } catch (const Error& error) {
    throw error.at({file});
  }
}

struct TorqueTable {
  Recording rows;             // t, u.MOTOR …, short.ROW …
  std::vector<double> peaks;  // of each motor
  std::string shortfall;      // the first one met, with its time
};

TorqueTable torques_along(const System& system, const Recording& motion, const MotionOptions& options) {
  TorqueWorkspace work(system);
  Torques torques(system);
  std::vector<std::string> names{"t"};
  for (const Actuator& actuator : system.actuators) names.push_back("u." + actuator.name);
  TorqueTable out{Recording(names, motion.rows()), std::vector<double>(system.actuators.size()), {}};
  const VecX<> preload = VecX<>::Zero(torques.u.size());
  const int nq = system.model.nq(), nv = system.model.nv();
  VecX<> q(nq), v(nv);
  for (int row = 0; row < motion.rows(); ++row) {
    for (int i = 0; i < nq; ++i) q[i] = motion(row, 1 + i);
    for (int i = 0; i < nv; ++i) v[i] = motion(row, 1 + nq + i);
    const double t = motion(row, 0);
    solve_torques(system, q, v, t, options, preload, work, torques);
    Eigen::Ref<VecX<>> line = out.rows.add_row();
    line[0] = t;
    line.tail(torques.u.size()) = torques.u;
    for (std::size_t j = 0; j < out.peaks.size(); ++j)
      out.peaks[j] = std::max(out.peaks[j], std::abs(torques.u[static_cast<int>(j)]));
    if (torques.status != TorqueStatus::realised && out.shortfall.empty())
      out.shortfall = fmt::format("t = {:.4g} s: {}", t, shortfall_text(system, torques));
  }
  return out;
}

Exit torques(const ScenarioArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const System system = with_motors(scenario);
  check_motors(system, scenario.file);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));

  // the ideal motion: control rows hold, as if by themselves
  System ideal = system;
  ideal.actuators.clear();
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  const Simulation motion = [&] {
    ProgressBar bar(scenario.simulate.duration, !arguments.quiet && !arguments.json);
    scenario.simulate.progress = [&](double t) { bar.show(t - scenario.start.t); };
    return simulate(ideal, scenario.start, scenario.simulate);
  }();
  const TorqueTable table = torques_along(system, motion.recording, {scenario.simulate.rank});

  Json motors = Json::array();
  for (std::size_t j = 0; j < table.peaks.size(); ++j)
    motors.push_back({{"name", system.actuators[j].name},
                      {"peak_torque", table.peaks[j]},
                      {"limit", number(system.actuators[j].limit)}});
  const Json json{{"name", scenario.name},
                  {"status", name_of(motion.status)},
                  {"why", motion.what},
                  {"motors", motors},
                  {"shortfall", table.shortfall}};
  const std::vector<std::string> columns(table.rows.names().begin() + 1, table.rows.names().end());
  write_results(folder, "torques.json", json,
                {{"torques.csv", to_csv(table.rows)},
                 {"torques.svg", to_svg(figure_over_time(table.rows, "Motor torques", "u (N·m, N)", columns))}});

  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
  } else if (!arguments.quiet) {
    print("{}\n{:<24} {:>14} {:>12}\n", scenario.name, "motor", "peak (N·m, N)", "limit");
    for (std::size_t j = 0; j < table.peaks.size(); ++j)
      print("{:<24} {:>14.6g} {:>12.4g}\n", system.actuators[j].name, table.peaks[j], system.actuators[j].limit);
    print("results           {}\n", folder.path().string());
  }
  if (!table.shortfall.empty()) std::cerr << "trammel: the motors do not give this motion: " << table.shortfall << '\n';
  if (motion.status != RunStatus::finished)
    std::cerr << fmt::format("trammel: the motion ended early, {}: {}\n", name_of(motion.status), motion.what);
  return table.shortfall.empty() && motion.status == RunStatus::finished ? done : could_not_finish;
}

}  // namespace

void add_torques(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("torques", "motor torques for the prescribed motion or the control rows");
  const auto arguments = std::make_shared<ScenarioArguments>();
  add_arguments(*verb, *arguments, "trammel torques examples/07-five-bar.yaml");
  verb->callback([arguments, &exit] { exit = torques(*arguments); });
}

}  // namespace trammel::cli
