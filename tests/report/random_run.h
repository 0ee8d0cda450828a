#pragma once

#include <set>

#include "report/expected_force.h"
#include "trammel/motion/problem.h"
#include "trammel/simulate/simulate.h"

namespace trammel::test {

/// A short run of a random robot under constraints of random kinds, and the forces to expect.
struct RandomRun {
  static constexpr std::size_t all_kinds = 18;

  Problem problem;
  Simulation simulation;
  std::vector<ExpectedForce> expected;
  std::set<std::string> kinds;
};

/// The seed decides on drift control, layers, motors, friction, inputs, redundant rows, and joints that have turned many times.
RandomRun random_run(unsigned seed);

}  // namespace trammel::test
