#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "trammel/formulations/formulations.h"
#include "trammel/motion/definite.h"

namespace trammel {

Motion literal(const Equation& equation, const RankTolerance& tolerance) {
  const int n = static_cast<int>(equation.M.rows()), m = static_cast<int>(equation.A.rows());
  Motion out(n, m);
  const Eigen::SelfAdjointEigenSolver<MatX<>> eigen(equation.M);
  if (!is_definite(equation.M)) {
    out.status = Status::singular;
    return out;
  }
  const MatX<> root = eigen.operatorSqrt(), inverse_root = eigen.operatorInverseSqrt();
  const VecX<> a = inverse_root * (inverse_root * equation.Q);

  // B⁺ of B = A M^{−1/2}; Eigen takes no empty B
  VecX<> y = VecX<>::Zero(n);
  if (m > 0) {
    Eigen::JacobiSVD<MatX<>> svd(equation.A * inverse_root, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(tolerance.relative);
    y = svd.solve(equation.b - equation.A * a);
    out.rank = static_cast<int>(svd.rank());
  }

  out.Qc = root * y;
  out.vdot = a + inverse_root * y;
  out.residual = equation.A * out.vdot - equation.b;
  const double size = 1 + (equation.A.cwiseAbs() * out.vdot.cwiseAbs()).sum() + equation.b.cwiseAbs().sum();
  if (m > 0 && out.residual.cwiseAbs().maxCoeff() > 1e-9 * size)
    out.status = Status::contradictory;
  else
    out.status = out.rank < m ? Status::redundant : Status::regular;
  return out;
}

}  // namespace trammel
