#include <iostream>
#include <limits>
#include <memory>

#include <fmt/core.h>

#include "figures.h"
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

// The motors along a motion: their torques at a state, the peaks so far, and the first moment they do not suffice.
class TorqueWatch {
 public:
  TorqueWatch(const System& system, const MotionOptions& options)
      : system_(system),
        options_(options),
        work_(system),
        torques_(system),
        preload_(VecX<>::Zero(torques_.u.size())),
        peaks_(VecX<>::Zero(torques_.u.size())) {}

  const VecX<>& see(const State& at) {
    solve_torques(system_, at.q, at.v, at.t, options_, preload_, work_, torques_);
    peaks_ = peaks_.cwiseMax(torques_.u.cwiseAbs());
    if (torques_.status != TorqueStatus::realised && at.t < short_at_) {
      short_at_ = at.t;
      shortfall_ = fmt::format("t = {:.4g} s: {}", at.t, shortfall_text(system_, torques_));
    }
    return torques_.u;
  }
  const VecX<>& peaks() const { return peaks_; }
  const std::string& shortfall() const { return shortfall_; }

 private:
  const System& system_;
  MotionOptions options_;
  TorqueWorkspace work_;
  Torques torques_;
  VecX<> preload_, peaks_;
  double short_at_ = std::numeric_limits<double>::infinity();
  std::string shortfall_;
};

// t, u.MOTOR … at the rows of the motion.
Recording torque_table(const System& system, const Recording& motion, TorqueWatch& watch) {
  std::vector<std::string> names{"t"};
  for (const Actuator& actuator : system.actuators) names.push_back("u." + actuator.name);
  Recording out(names, motion.rows());
  const int nq = system.model.nq(), nv = system.model.nv();
  State at(0, VecX<>(nq), VecX<>(nv));
  for (int row = 0; row < motion.rows(); ++row) {
    at.t = motion(row, 0);
    for (int i = 0; i < nq; ++i) at.q[i] = motion(row, 1 + i);
    for (int i = 0; i < nv; ++i) at.v[i] = motion(row, 1 + nq + i);
    const VecX<>& u = watch.see(at);
    Eigen::Ref<VecX<>> line = out.add_row();
    line[0] = at.t;
    line.tail(u.size()) = u;
  }
  return out;
}

struct TorqueArguments : ScenarioArguments {
  FigureFormats figures{"svg"};
};

Exit torques(const TorqueArguments& arguments) {
  Scenario scenario = load(arguments);
  check_ready(scenario);
  const System system = with_motors(scenario);
  check_motors(system, scenario.file);
  const OutputFolder folder(arguments.folder(), expected_bytes(scenario));

  // the ideal motion: control rows hold, as if by themselves
  System ideal = system;
  ideal.actuators.clear();
  TorqueWatch watch(system, {scenario.simulate.rank});
  const StopOnInterrupt stop;
  scenario.simulate.stop = stop.flag();
  scenario.simulate.at_step = [&](const State& at) { watch.see(at); };  // between the recorded rows as well
  const Simulation motion = [&] {
    ProgressBar bar(scenario.simulate.duration, !arguments.quiet && !arguments.json);
    scenario.simulate.progress = [&](double t) { bar.show(t - scenario.start.t); };
    return simulate(ideal, scenario.start, scenario.simulate);
  }();
  const Recording table = torque_table(system, motion.recording, watch);

  Json motors = Json::array();
  for (std::size_t j = 0; j < system.actuators.size(); ++j)
    motors.push_back({{"name", system.actuators[j].name},
                      {"peak_torque", number(watch.peaks()[static_cast<int>(j)])},
                      {"limit", number(system.actuators[j].limit)}});
  const Json json{{"name", scenario.name},
                  {"status", name_of(motion.status)},
                  {"why", motion.what},
                  {"motors", motors},
                  {"shortfall", watch.shortfall()}};
  const std::vector<std::string> columns(table.names().begin() + 1, table.names().end());
  Figure figure = figure_over_time(table, "Motor torques", columns);
  figure.limits = limits_of(system);
  write_results(folder, "torques.json", json, {{"torques.csv", to_csv(table)}, {"torques.svg", to_svg(figure)}},
                arguments.figures);

  if (arguments.json) {
    std::cout << json.dump(2) << '\n';
  } else if (!arguments.quiet) {
    print("{}\n{:<24} {:>14} {:>12}\n", scenario.name, "motor", "peak (N·m, N)", "limit");
    for (std::size_t j = 0; j < system.actuators.size(); ++j)
      print("{:<24} {:>14.6g} {:>12.4g}\n", system.actuators[j].name, watch.peaks()[static_cast<int>(j)],
            system.actuators[j].limit);
    print("results           {}\n", folder.path().string());
  }
  if (!watch.shortfall().empty())
    std::cerr << "trammel: the motors do not give this motion: " << watch.shortfall() << '\n';
  if (motion.status != RunStatus::finished)
    std::cerr << fmt::format("trammel: the motion ended early, {}: {}\n", name_of(motion.status), motion.what);
  return watch.shortfall().empty() && motion.status == RunStatus::finished ? done : could_not_finish;
}

}  // namespace

void add_torques(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("torques", "motor torques for the prescribed motion or the control rows");
  const auto arguments = std::make_shared<TorqueArguments>();
  add_arguments(*verb, *arguments, "trammel torques examples/07-five-bar.yaml");
  add_figures(*verb, arguments->figures);
  verb->callback([arguments, &exit] { exit = torques(*arguments); });
}

}  // namespace trammel::cli
