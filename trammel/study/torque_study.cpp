#include "trammel/study/torque_study.h"

#include <limits>

#include <fmt/core.h>

#include "trammel/motion/torques.h"

namespace trammel {
namespace {

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

Recording torque_table(const System& system, const Recording& motion, TorqueWatch& watch) {
  std::vector<Column> columns{Column::of(ColumnKind::time)};
  for (const Actuator& actuator : system.actuators) columns.push_back(Column::of(ColumnKind::torque, actuator.name));
  Recording out(columns, motion.rows());
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

}  // namespace

System driven_system(const Scenario& scenario) {
  System out = scenario.system;
  if (out.actuators.empty())
    for (const NamedConstraint& constraint : scenario.system.constraints)
      if (constraint.leads)
        for (const int velocity : constraint.law->velocities())
          out.drive({.name = out.model.velocity_name(velocity), .velocity = velocity});
  try {
    const TorqueWorkspace probe(out);
  } catch (const Error& error) {
    throw error.at({scenario.file});
  }
  return out;
}

TorqueStudy study_torques(const Scenario& scenario, System driven) {
  TorqueStudy out{std::move(driven), {}, {}, {}, {}};
  System ideal = out.system;
  ideal.actuators.clear();  // control rows hold, as if by themselves
  TorqueWatch watch(out.system, {scenario.simulate.rank});
  SimulateOptions options = scenario.simulate;
  options.at_step = [&](const State& at) { watch.see(at); };  // between the recorded rows as well
  out.motion = simulate(ideal, scenario.start, options);
  out.torques = torque_table(out.system, out.motion.recording, watch);
  out.peaks = watch.peaks();
  out.shortfall = watch.shortfall();
  return out;
}

}  // namespace trammel
