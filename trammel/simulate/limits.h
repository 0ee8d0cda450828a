#pragma once

#include "trammel/model/model.h"
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

}  // namespace trammel
