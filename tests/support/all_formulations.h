#pragma once

#include "trammel/formulations/formulations.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/tree_motion.h"

namespace trammel::test {

struct Answer {
  const char* name;
  Motion motion;
};

/// By every formulation that can live with redundant rows; Udwadia and Kalaba's stands first.
std::vector<Answer> all_answers(const System& system, const VecX<>& q, const VecX<>& v, double t);

/// Whether the rows hold together, and none of them only just.
bool comparable(const Motion& motion);

}  // namespace trammel::test
