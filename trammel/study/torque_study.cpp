#include "trammel/study/torque_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "trammel/motion/reach_watch.h"
#include "trammel/motion/torques.h"

namespace trammel {
namespace {

// The motors along a motion: their torques at a state, the peaks so far, and the first moment they do not suffice.
class TorqueWatch {
 public:
  explicit TorqueWatch(const Problem& driven) : data_(driven), reach_(driven) {
    const std::vector<Actuator>& actuators = driven.system().actuators;
    for (std::size_t j = 0; j < actuators.size(); ++j)
      motors_.push_back(
          {actuators[j].name, std::string(driven.motors()[j].unit), {}, driven.system().limit_of(actuators[j])});
  }

  const VecX<>& see(const State& at) {
    solve_torques(at.q, at.v, at.t, data_);
    for (std::size_t j = 0; j < motors_.size(); ++j)
      if (const double u = std::abs(torques().u[static_cast<int>(j)]); u > motors_[j].peak.value)
        motors_[j].peak = {u, at.t};
    if (torques().status != TorqueStatus::realised && at.t < short_at_) {
      short_at_ = at.t;
      shortfall_ = fmt::format("t = {:.4g} s: {}", at.t, shortfall_text(data_.problem, torques()));
    }
    return torques().u;
  }
  /// The same where a step ends: these come in the order of time.
  void see_step(const State& at) {
    see(at);
    reach_.watch(data_);
  }
  void see_peak(int motor, const Peak& peak) {
    if (peak.value > motors_[motor].peak.value) motors_[motor].peak = peak;
  }
  std::string singular() const { return reach_.text(data_.problem); }
  void set_inputs(const VecX<>& inputs) { data_.set_inputs(inputs); }
  const std::vector<Summary::OfMotor>& motors() const { return motors_; }
  /// The same; of those that lose hold and have no limit, without bound.
  std::vector<Summary::OfMotor> peaks() const {
    std::vector<Summary::OfMotor> out = motors_;
    for (std::size_t j = 0; j < out.size(); ++j)
      if (const std::optional<double> t = reach_.unbounded_at(static_cast<int>(j)); t && std::isinf(out[j].limit))
        out[j].peak = {std::numeric_limits<double>::infinity(), *t};
    return out;
  }
  const std::string& shortfall() const { return shortfall_; }

 private:
  const Torques& torques() const { return data_.motors->torques; }

  Data data_;
  ReachWatch reach_;
  std::vector<Summary::OfMotor> motors_;
  double short_at_ = std::numeric_limits<double>::infinity();
  std::string shortfall_;
};

Recording torque_table(const Recording& motion, TorqueWatch& watch) {
  std::vector<Column> columns{Column::of(ColumnKind::time)};
  for (const Summary::OfMotor& motor : watch.motors())
    columns.push_back(Column::of(ColumnKind::torque, motor.name, motor.unit));
  Recording out(columns, motion.rows());
  for (int row = 0; row < motion.rows(); ++row) {
    const State at = motion.state(row);
    watch.set_inputs(motion.inputs(row));
    const VecX<>& u = watch.see(at);
    Eigen::Ref<VecX<>> line = out.add_row();
    line[0] = at.t;
    line.tail(u.size()) = u;
  }
  return out;
}

// Once more and more closely, where a motor has its peak: from the row before the last one ahead of it to the second one behind it. The
// vertex of the parabola through the highest of the closer samples and those beside it is the peak.
void refine_peak(int motor, const Problem& ideal, SimulateOptions options, const Recording& rows, TorqueWatch& watch) {
  const Peak peak = watch.motors()[motor].peak;
  const VecX<> times = rows["t"];
  const auto here = std::ranges::lower_bound(times, peak.t) - times.begin();
  const auto first = std::max<std::ptrdiff_t>(here - 2, 0), last = std::min<std::ptrdiff_t>(here + 1, times.size() - 1);
  constexpr int parts = 300;
  options.duration = times[last] - times[first];
  options.record_every = options.duration / parts;
  if (!(options.duration > 0)) return;
  const Simulation closer = simulate(ideal, rows.state(static_cast<int>(first)), options);
  std::array<double, 3> u{};
  double t_before = 0;
  for (int row = 0; row < closer.recording.rows(); ++row) {
    const State at = closer.recording.state(row);
    u = {u[1], u[2], std::abs(watch.see(at)[motor])};
    const double curvature = u[0] - 2 * u[1] + u[2], slope = 0.5 * (u[2] - u[0]);
    // of three that are as far apart, the one in the middle is the highest
    if (row >= 2 && u[1] >= u[0] && u[1] >= u[2] && curvature < 0 && at.t - t_before < 1.001 * options.record_every)
      watch.see_peak(motor,
                     {u[1] - 0.5 * slope * slope / curvature, t_before - slope / curvature * options.record_every});
    t_before = at.t;
  }
}

}  // namespace

System driven_system(const Scenario& scenario) {
  System out = scenario.system;
  const auto limit = scenario.simulate.limits == LimitRule::ignore ? std::optional(unlimited) : std::nullopt;
  if (out.actuators.empty())
    for (const NamedConstraint& constraint : scenario.system.constraints)
      if (constraint.leads)
        for (const int velocity : constraint.law->velocities())
          out.drive({.name = out.model.velocity_name(velocity), .velocity = velocity, .limit = limit});
  try {
    require_motors(compile(out));
  } catch (const Error& error) {
    throw error.at({scenario.file});
  }
  return out;
}

TorqueStudy study_torques(const Scenario& scenario, System driven) {
  TorqueStudy out{std::move(driven), {}, {}, {}, {}, {}};
  System ideal = out.system;
  ideal.actuators.clear();                                                   // control rows hold, as if by themselves
  TorqueWatch watch(compile(out.system, {.rank = scenario.simulate.rank}));  // the motors stabilise nothing
  SimulateOptions options = scenario.simulate;
  options.at_step = [&](const State& at) { watch.see_step(at); };  // between the recorded rows as well
  if (scenario.simulate.set_inputs)
    options.set_inputs = [&](const State& at, std::span<double> inputs) {
      scenario.simulate.set_inputs(at, inputs);
      watch.set_inputs(Eigen::Map<const VecX<>>(inputs.data(), static_cast<int>(inputs.size())));
    };
  const Problem problem = compile(std::move(ideal), motion_options(options));
  out.motion = simulate(problem, scenario.start, options);
  out.torques = torque_table(out.motion.recording, watch);
  out.singular = watch.singular();
  out.shortfall = watch.shortfall();
  // what sets inputs is not asked twice; where no motors lose hold, peaks have an end
  options.at_step = nullptr;
  options.progress = nullptr;
  if (!options.set_inputs && out.motion.status == RunStatus::finished && out.singular.empty())
    for (int motor = 0; motor < static_cast<int>(watch.motors().size()); ++motor)
      refine_peak(motor, problem, options, out.motion.recording, watch);
  out.motors = watch.peaks();
  return out;
}

}  // namespace trammel
