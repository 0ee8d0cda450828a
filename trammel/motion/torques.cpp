#include "trammel/motion/torques.h"

#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/motion/bounded_effort.h"
#include "trammel/system/worst_error.h"

namespace trammel {
namespace {

int control_rows(const Problem& problem) { return problem.asked().rows - problem.asked().physical_rows; }

// H: what a unit torque of each motor does to the control rows, where the physical ones hold; and r. Returns how large the terms of r are.
double fill_system(Data& data) {
  const System& system = data.problem.system();
  MotorStage& motors = *data.motors;
  LayeredQr& qr = *data.qr;
  const int count = static_cast<int>(motors.reach.cols()), first = data.problem.asked().physical_rows;
  for (int j = 0; j < count; ++j) {
    apply_L_inverse_to_unit(system.model, data.tree.kin, data.tree.factor, system.actuators[j].velocity, motors.moved);
    motors.reach.col(j) = motors.moved;
    motors.x[j] = motors.moved.norm();
  }
  qr.control_changes(motors.reach, motors.H);
  const double asked = qr.control_changes(motors.r);
  double largest = 0;
  for (int k = 0; k < motors.H.rows(); ++k) {
    const double row = qr.column_norm(first + k);
    largest = std::max(largest, row);
    // what is left of a motor that does not reach the row is rounding, not reach
    for (int j = 0; j < count; ++j)
      if (std::abs(motors.H(k, j)) < 1e-12 * motors.x[j] * row) motors.H(k, j) = 0;
  }
  return largest * (data.asked.h.norm() + asked);
}

// What the motors leave undone, from r = H(u − u⁰) of the rows as they are weighted.
void leave_shortfall(Data& data) {
  Torques& out = data.motors->torques;
  out.shortfall = data.motors->r;
  out.shortfall.noalias() -= data.motors->G * data.motors->x;
}

// The torques of the last sample, whatever is asked for by now.
void give_held(Data& data) {
  const std::vector<Actuator>& actuators = data.problem.system().actuators;
  MotorStage& motors = *data.motors;
  for (int j = 0; j < std::ssize(actuators); ++j)
    motors.x[j] = (motors.held[j] - motors.preload[j]) * std::sqrt(actuators[j].weight);
  leave_shortfall(data);
  motors.torques.shortfall.array() /= data.problem.asked().weight.tail(motors.torques.shortfall.size()).array();
  motors.torques.u = motors.held;
  motors.torques.status = motors.held_status;
}

// The torques, from the balance of the asked rows as if these held by themselves (motors.ideal).
void share_effort(Data& data) {
  const std::vector<Actuator>& actuators = data.problem.system().actuators;
  MotorStage& motors = *data.motors;
  Torques& out = motors.torques;
  out.u.setZero();
  out.status = TorqueStatus::no_motion;
  if (has_motion(motors.ideal) && !data.z.allFinite()) motors.ideal = Status::not_a_number;
  if (!has_motion(motors.ideal)) return;
  const double size = fill_system(data);
  const int count = static_cast<int>(actuators.size());
  for (int j = 0; j < count; ++j) {
    const double root = std::sqrt(actuators[j].weight), limit = data.problem.system().limit_of(actuators[j]);
    motors.G.col(j) = motors.H.col(j) / root;
    motors.lower[j] = (-limit - motors.preload[j]) * root;
    motors.upper[j] = (limit - motors.preload[j]) * root;
  }
  motors.r.noalias() -= motors.H * motors.preload;
  if (motors.holds) return give_held(data);
  motors.effort->solve(motors.G, motors.r, motors.lower, motors.upper, motors.x);

  bool limited = false;
  for (int j = 0; j < count; ++j) {
    out.u[j] = motors.preload[j] + motors.x[j] / std::sqrt(actuators[j].weight);
    out.at_limit[j] = motors.effort->at_bound(j);
    limited |= out.at_limit[j];
  }
  leave_shortfall(data);
  const bool realised = out.shortfall.norm() <= 1e-9 * size;
  out.shortfall.array() /= data.problem.asked().weight.tail(out.shortfall.size()).array();
  out.status = realised ? TorqueStatus::realised : limited ? TorqueStatus::limited : TorqueStatus::unreachable;
}

}  // namespace

std::string_view name_of(TorqueStatus status) {
  switch (status) {
    case TorqueStatus::realised:
      return "realised";
    case TorqueStatus::limited:
      return "limited";
    case TorqueStatus::unreachable:
      return "unreachable";
    default:
      return "no motion";
  }
}

Torques::Torques(const Problem& problem)
    : u(VecX<>::Zero(static_cast<int>(problem.system().actuators.size()))),
      at_limit(problem.system().actuators.size()),
      shortfall(VecX<>::Zero(control_rows(problem))) {}

MotorStage::MotorStage(const Problem& problem)
    : reach(problem.system().model.nv(), static_cast<int>(problem.system().actuators.size())),
      H(control_rows(problem), reach.cols()),
      G(H.rows(), H.cols()),
      r(H.rows()),
      x(H.cols()),
      lower(H.cols()),
      upper(H.cols()),
      moved(reach.rows()),
      preload(VecX<>::Zero(H.cols())),
      torques(problem),
      held(preload) {
  effort.emplace(static_cast<int>(H.cols()), static_cast<int>(H.rows()));
}

void require_motors(const Problem& problem) {
  if (problem.system().actuators.empty()) throw Error("no actuators", "one at least, where torques are asked for");
  if (!problem.driven()) throw Error("no control rows", "one at least, where torques are asked for");
}

void solve_torques(const VecX<>& q, const VecX<>& v, double t, Data& data) {
  data.motors->ideal = balance_rows(q, v, t, data);
  share_effort(data);
}

Torques solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  const Problem problem = compile(system, options);
  require_motors(problem);
  Data data(problem);
  solve_torques(q, v, t, data);
  return data.motors->torques;
}

void solve_driven(const VecX<>& q, const VecX<>& v, double t, Data& data, Motion& out) {
  solve_torques(q, v, t, data);
  MotorStage& motors = *data.motors;
  out.status = motors.ideal;
  if (motors.torques.status == TorqueStatus::no_motion) return;
  RowSolution& held = *data.own_held;
  // where constraints do work, h holds what those do that motors track: it is made anew
  if (data.problem.asked().has_working_forces) return solve_factorized(data, held, out, &motors.torques.u);
  // L⁻¹(Q + S u), of which both parts are known
  held.h = data.asked.h;
  held.h.noalias() += motors.reach * motors.torques.u;
  for (std::size_t j = 0; j < data.problem.system().actuators.size(); ++j)
    data.tau[data.problem.system().actuators[j].velocity] += motors.torques.u[static_cast<int>(j)];
  held.r.head(held.set->rows) = data.asked.r.head(held.set->rows);
  form_motion(settle(solve_rows(data, held), data, held, &motors.torques.u), data, held, out);
}

void solve_driven_factorized(Data& data, Motion& out) {
  MotorStage& motors = *data.motors;
  evaluate_rows(data.problem.asked(), data);
  motors.ideal = balance_factorized(data, data.asked);
  share_effort(data);
  out.status = motors.ideal;
  if (motors.torques.status == TorqueStatus::no_motion) return;
  solve_factorized(data, *data.own_held, out, &motors.torques.u);
}

std::string shortfall_text(const Problem& problem, const Torques& torques) {
  const System& system = problem.system();
  if (torques.status == TorqueStatus::realised) return "";
  if (torques.status == TorqueStatus::no_motion) return "the equation of motion has no answer here";
  std::vector<std::string> short_rows, motors;
  const int first = problem.asked().physical_rows;
  int row = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    if (constraint.layer != Layer::control) continue;
    WorstError missed;
    for (int k = 0; k < constraint.law->rows(); ++k, ++row)
      missed.see(torques.shortfall[row], problem.asked().weight[first + row], constraint.law->unit(k));
    if (missed.size() > 1e-9 * torques.shortfall.norm())
      short_rows.push_back(fmt::format("'{}' by {}", constraint.name, missed.text("/s²")));
  }
  const bool limited = torques.status == TorqueStatus::limited;
  for (std::size_t j = 0; j < system.actuators.size(); ++j)
    if (!limited || torques.at_limit[j]) motors.push_back(fmt::format("'{}'", system.actuators[j].name));
  const std::string missed = fmt::format("{} is missed", fmt::join(short_rows, ", "));
  if (limited) return fmt::format("{} at the limit: {}", fmt::join(motors, ", "), missed);
  return fmt::format("the control acts along directions that {} cannot reach: {}", fmt::join(motors, ", "), missed);
}

}  // namespace trammel
