#include "trammel/motion/dense_factor.h"
#include "trammel/motion/equation.h"

namespace trammel {

Motion udwadia_kalaba(const Equation& equation, const RankTolerance& tolerance) {
  DenseFactor factor(equation.M, equation.A, equation.physical_rows(), tolerance);
  if (factor.regular()) return factor.solve(equation.Q, equation.b);
  Motion out(static_cast<int>(equation.M.rows()), static_cast<int>(equation.A.rows()));
  out.status = Status::singular;
  return out;
}

}  // namespace trammel
