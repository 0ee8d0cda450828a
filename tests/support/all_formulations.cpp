#include "support/all_formulations.h"

namespace trammel::test {

std::vector<Answer> all_answers(const System& system, const VecX<>& q, const VecX<>& v, double t) {
  const Equation e = dense_equation(system, q, v, t);
  return {
      {"udwadia_kalaba", udwadia_kalaba(e)},   {"literal", literal(e)},         {"maggi", maggi(e)},
      {"lagrange", lagrange(system, q, v, t)}, {"kane", kane(system, q, v, t)}, {"absolute", absolute(system, q, v, t)},
      {"tree", solve_motion(system, q, v, t)}};
}

bool comparable(const Motion& motion) { return motion.status == Status::regular || motion.status == Status::redundant; }

}  // namespace trammel::test
