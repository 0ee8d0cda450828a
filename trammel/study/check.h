#pragma once

#include "trammel/motion/diagnosis.h"
#include "trammel/scenario/scenario.h"

namespace trammel {

/// What can be said of a scenario before it runs.
struct Check {
  Diagnosis diagnosis{};    // at the start
  std::string structure{};  // of redundant rows: whatever the posture, or here alone; empty if there are none
  std::vector<std::string> singular{};  // constraints whose forces are not determined at the start (row_strength.h)
  std::vector<std::string> beyond_limits{};  // joints that stand outside of their limits
  std::string obstacle{};                    // why a run would fail at once; empty if it would not

  bool runs() const { return obstacle.empty(); }
};

/// `progress` is told which part is done, where it takes long.
Check check(const Scenario& scenario, const std::function<void(double)>& progress = {});

}  // namespace trammel
