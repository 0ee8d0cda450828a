#pragma once

#include <memory>

#include "serve.h"

/// The simulation that is compared: ten seconds from the first state at rest under the torque 0.1 cos(πt) N·m on the driven
/// joint, by RK4 at steps of 1 ms.
namespace peers {

inline constexpr double drive_step = 1e-3;  // s
inline constexpr int drive_steps = 10000;
inline double drive_torque(double t) { return 0.1 * std::cos(std::acos(-1.0) * t); }

/// The textbook's loop, for engines that give v̇(torque, q, v) and leave the rest to their user. For joints with q̇ = v.
/// Calls `watch(q)` after every step.
template <class Acceleration, class Watch>
void drive(const Mechanism& mechanism, Acceleration&& acceleration, Watch&& watch, std::vector<double>& q) {
  const std::size_t n = q.size();
  const double h = drive_step;
  std::vector<double> v(n, 0.0), q_stage(n), v_stage(n), dq(n), dv(n);
  q = mechanism.states[0].q;
  for (int k = 0; k < drive_steps; ++k) {
    const double t = k * h, fraction[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    std::fill(dq.begin(), dq.end(), 0.0);
    std::fill(dv.begin(), dv.end(), 0.0);
    q_stage = q, v_stage = v;
    for (int stage = 0; stage < 4; ++stage) {
      const double* a = acceleration(drive_torque(t + fraction[stage] * h), q_stage, v_stage);
      for (std::size_t i = 0; i < n; ++i) {
        dq[i] += weight[stage] * h * v_stage[i];
        dv[i] += weight[stage] * h * a[i];
        if (stage == 3) continue;
        q_stage[i] = q[i] + fraction[stage + 1] * h * v_stage[i];
        v_stage[i] = v[i] + fraction[stage + 1] * h * a[i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) q[i] += dq[i], v[i] += dv[i];
    watch(q);
  }
}

/// The whole simulation as a way of doing the task ten_seconds.
template <class Acceleration>
Method driven_by(const std::string& name, const Mechanism& mechanism, const Acceleration& acceleration) {
  const auto q = std::make_shared<std::vector<double>>(static_cast<std::size_t>(mechanism.nq));
  const auto opened = [=, &mechanism] {
    double worst = 0;
    const auto watch = [&](const std::vector<double>& now) { worst = std::max(worst, opening(mechanism, now.data())); };
    drive(mechanism, acceleration, watch, *q);
    return worst;
  };
  const auto run = [=, &mechanism](int) {
    drive(
        mechanism, acceleration, [](const std::vector<double>&) {}, *q);
  };
  return {name, run, [=](int) { return *q; }, opened};
}

}  // namespace peers
