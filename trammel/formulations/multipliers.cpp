#include <Eigen/LU>

#include "trammel/formulations/formulations.h"

namespace trammel {

Motion multipliers(const Equation& equation) {
  const int n = static_cast<int>(equation.M.rows()), m = static_cast<int>(equation.A.rows());
  Motion out(n, m);
  MatX<> K = MatX<>::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = equation.M;
  K.topRightCorner(n, m) = -equation.A.transpose();
  K.bottomLeftCorner(m, n) = equation.A;
  VecX<> right(n + m);
  right << equation.Q, equation.b;
  const Eigen::FullPivLU<MatX<>> lu(K);
  if (!lu.isInvertible()) {
    out.status = Status::singular;
    return out;
  }
  const VecX<> solution = lu.solve(right);
  out.vdot = solution.head(n);
  out.Qc = equation.A.transpose() * solution.tail(m);
  out.residual = equation.A * out.vdot - equation.b;
  out.rank = m;
  return out;
}

}  // namespace trammel
