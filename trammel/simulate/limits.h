#pragma once

#include <limits>

#include "trammel/model/model.h"
#include "trammel/motion/data.h"
#include "trammel/motion/opening.h"

namespace trammel {

/// Watches the limits of the joints during a run, and remembers for each the first time that it was passed.
class LimitWatch {
 public:
  /// Of no model: watches nothing.
  explicit LimitWatch(const Model* model);

  /// Whether some joint is beyond its limits at the start, or passes them now.
  bool starts_beyond(const State& start);
  bool passed(const State& now);
  /// "joint 'q2' passes its upper limit 1.5 at t = 0.32 s", or "starts beyond", one for each, in the order of the
  /// velocities.
  std::vector<std::string> warnings() const;

 private:
  const Model* model_;
  double start_time_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> first_time_;  // by velocity; not a number if never
  std::vector<bool> upper_;
};

/// The same for the torques of motors.
class MotorWatch {
 public:
  explicit MotorWatch(const Problem& problem);

  /// Looks at a state that was solved. Nothing to watch where there are no motors.
  void watch(const Data& data);
  /// "motor 'm1' first meets its limit at t = 0.32 s; the path is missed by up to 0.002 m".
  std::vector<std::string> warnings(const Problem& problem, const Opening& worst_path) const;

 private:
  std::vector<double> first_time_;
};

}  // namespace trammel
