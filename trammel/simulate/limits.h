#pragma once

#include "trammel/model/model.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/derivative.h"

namespace trammel {

/// Watches the limits of the joints during a run, and remembers for each the first time that it was passed.
class LimitWatch {
 public:
  /// Of no model: watches nothing.
  explicit LimitWatch(const Model* model);

  /// Whether some joint passes its limits now.
  bool passed(const State& now);
  /// "joint 'q2' passes its upper limit 1.5 at t = 0.32 s", one for each, in the order of the velocities.
  std::vector<std::string> warnings() const;

 private:
  const Model* model_;
  std::vector<double> first_time_;  // by velocity; not a number if never
  std::vector<bool> upper_;
};

/// The same for the torques of motors.
class MotorWatch {
 public:
  explicit MotorWatch(std::size_t motors);

  /// Nothing to watch where there are no torques.
  void watch(double t, const Torques* torques);
  /// "motor 'm1' first meets its limit at t = 0.32 s; the path is missed by up to 0.002 m".
  std::vector<std::string> warnings(const std::vector<std::string>& names, double worst_path) const;

 private:
  std::vector<double> first_time_;
};

}  // namespace trammel
