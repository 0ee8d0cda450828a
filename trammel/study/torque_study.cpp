#include "trammel/study/torque_study.h"

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
  std::string singular() const { return reach_.text(data_.problem); }
  void set_inputs(const VecX<>& inputs) { data_.set_inputs(inputs); }
  const std::vector<Summary::OfMotor>& motors() const { return motors_; }
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
  out.motion = simulate(ideal, scenario.start, options);
  out.torques = torque_table(out.motion.recording, watch);
  out.motors = watch.motors();
  out.singular = watch.singular();
  out.shortfall = watch.shortfall();
  return out;
}

}  // namespace trammel
