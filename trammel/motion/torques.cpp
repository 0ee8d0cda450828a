#include "trammel/motion/torques.h"

#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace trammel {
namespace {

int count_control_rows(const System& system) {
  int rows = 0;
  for (const NamedConstraint& constraint : system.constraints)
    if (constraint.layer == Layer::control) rows += constraint.law->rows();
  return rows;
}

// Column j of H: what a unit torque of motor j does to the control rows, where the physical ones hold.
void fill_column(const System& system, int j, TorqueWorkspace& work) {
  MotionWorkspace& motion = work.motion;
  motion.tau.setZero();
  motion.tau[system.actuators[j].velocity] = 1;
  std::ranges::fill(motion.tree.vectors, Vec6<>(Vec6<>::Zero()));
  apply_L_inverse<double>(system.model, motion.tree.kin, motion.tree.factor, motion.tau, motion.tree.vectors,
                          work.moved);
  motion.qr.rotate(work.moved);
  const double size = work.moved.norm();
  for (int k = 0; k < work.H.rows(); ++k) {
    const double change = motion.qr.control_change(motion.physical_rows + k, work.moved);
    // what is left of a motor that does not reach the row is rounding, not reach
    const bool rounding = std::abs(change) < 1e-12 * size * motion.qr.column_norm(motion.physical_rows + k);
    work.H(k, j) = rounding ? 0 : change;
  }
}

// Fills r, and returns how large its terms are.
double fill_right_hand_side(TorqueWorkspace& work) {
  MotionWorkspace& motion = work.motion;
  double largest = 0;
  motion.qr.rotated_solution(work.moved);
  for (int k = 0; k < work.r.size(); ++k) {
    work.r[k] = motion.qr.control_change(motion.physical_rows + k, work.moved);
    largest = std::max(largest, motion.qr.column_norm(motion.physical_rows + k));
  }
  return largest * (motion.h.norm() + work.moved.norm());
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

Torques::Torques(const System& system)
    : u(VecX<>::Zero(static_cast<int>(system.actuators.size()))),
      at_limit(system.actuators.size()),
      shortfall(VecX<>::Zero(count_control_rows(system))) {}

TorqueWorkspace::TorqueWorkspace(const System& system)
    : motion(system),
      ideal(system.model.nv(), motion.rows),
      H(count_control_rows(system), static_cast<int>(system.actuators.size())),
      G(H.rows(), H.cols()),
      r(H.rows()),
      x(H.cols()),
      lower(H.cols()),
      upper(H.cols()),
      moved(system.model.nv()),
      effort(static_cast<int>(H.cols()), static_cast<int>(H.rows())) {
  if (H.cols() == 0) throw Error("no actuators", "one at least, where torques are asked for");
  if (H.rows() == 0) throw Error("no control rows", "one at least, where torques are asked for");
}

void solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                   const VecX<>& preload, TorqueWorkspace& work, Torques& out) {
  solve_motion(system, q, v, t, options, work.motion, work.ideal);
  out.u.setZero();
  out.status = TorqueStatus::no_motion;
  if (!has_motion(work.ideal.status)) return;
  const double size = fill_right_hand_side(work);
  const int motors = static_cast<int>(system.actuators.size());
  for (int j = 0; j < motors; ++j) {
    const Actuator& actuator = system.actuators[j];
    const double root = std::sqrt(actuator.weight);
    fill_column(system, j, work);
    work.G.col(j) = work.H.col(j) / root;
    work.lower[j] = (-actuator.limit - preload[j]) * root;
    work.upper[j] = (actuator.limit - preload[j]) * root;
  }
  work.r.noalias() -= work.H * preload;
  work.effort.solve(work.G, work.r, work.lower, work.upper, work.x);

  bool limited = false;
  for (int j = 0; j < motors; ++j) {
    out.u[j] = preload[j] + work.x[j] / std::sqrt(system.actuators[j].weight);
    out.at_limit[j] = work.effort.at_bound(j);
    limited |= out.at_limit[j];
  }
  out.shortfall = work.r;
  out.shortfall.noalias() -= work.G * work.x;
  const bool realised = out.shortfall.norm() <= 1e-9 * size;
  out.shortfall.array() /= work.motion.weight.tail(out.shortfall.size()).array();
  out.status = realised ? TorqueStatus::realised : limited ? TorqueStatus::limited : TorqueStatus::unreachable;
}

Torques solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  TorqueWorkspace work(system);
  Torques out(system);
  solve_torques(system, q, v, t, options, VecX<>::Zero(out.u.size()), work, out);
  return out;
}

std::string shortfall_text(const System& system, const Torques& torques) {
  if (torques.status == TorqueStatus::realised) return "";
  if (torques.status == TorqueStatus::no_motion) return "the equation of motion has no answer here";
  std::vector<std::string> short_rows, motors;
  int row = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    if (constraint.layer != Layer::control) continue;
    const int m = constraint.law->rows();
    const double largest = m == 0 ? 0 : torques.shortfall.segment(row, m).cwiseAbs().maxCoeff();
    if (largest > 1e-9 * torques.shortfall.norm())
      short_rows.push_back(fmt::format("'{}' by {:.3g} m/s²", constraint.name, largest));
    row += m;
  }
  const bool limited = torques.status == TorqueStatus::limited;
  for (std::size_t j = 0; j < system.actuators.size(); ++j)
    if (!limited || torques.at_limit[j]) motors.push_back(fmt::format("'{}'", system.actuators[j].name));
  const std::string missed = fmt::format("{} is missed", fmt::join(short_rows, ", "));
  if (limited) return fmt::format("{} at the limit: {}", fmt::join(motors, ", "), missed);
  return fmt::format("the control acts along directions that {} cannot reach: {}", fmt::join(motors, ", "), missed);
}

}  // namespace trammel
