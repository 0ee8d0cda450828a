#pragma once

#include "trammel/motion/dense_equation.h"
#include "trammel/motion/formulations.h"
#include "trammel/motion/tree_motion.h"

namespace trammel::test {

struct Answer {
  const char* name;
  Motion motion;
};

/// By every formulation that can live with redundant rows; Udwadia and Kalaba's stands first.
inline std::vector<Answer> all_answers(const System& system, const VecX<>& q, const VecX<>& v, double t) {
  const Equation e = dense_equation(system, q, v, t);
  return {
      {"udwadia_kalaba", udwadia_kalaba(e)},   {"literal", literal(e)},         {"maggi", maggi(e)},
      {"lagrange", lagrange(system, q, v, t)}, {"kane", kane(system, q, v, t)}, {"absolute", absolute(system, q, v, t)},
      {"tree", solve_motion(system, q, v, t)}};
}

/// Whether the rows hold together, and none of them only just.
inline bool comparable(const Motion& motion) {
  return motion.status == Status::regular || motion.status == Status::redundant;
}

}  // namespace trammel::test
