#include <Eigen/QR>

#include "trammel/formulations/conclusion.h"
#include "trammel/formulations/formulations.h"
#include "trammel/formulations/reduced_motion.h"

namespace trammel {
namespace {

// Aᵀ P = [Q₁ Z] [R₁₁ R₁₂; 0 0], and g = Q₁ y with [R₁₁ R₁₂]ᵀ y = Pᵀb.
Allowed velocities_allowed_by(const Equation& equation, const RankTolerance& tolerance) {
  const int n = static_cast<int>(equation.A.cols()), m = static_cast<int>(equation.A.rows());
  Allowed out{MatX<>::Identity(n, n), VecX<>::Zero(n), 0};
  if (m == 0 || n == 0) return out;
  const VecX<> unit = unit_lengths(equation.A);
  Eigen::ColPivHouseholderQR<MatX<>> qr((unit.asDiagonal() * equation.A).transpose());
  qr.setThreshold(tolerance.relative);
  const int rank = out.rank = static_cast<int>(qr.rank());
  if (rank == 0) return out;
  const MatX<> Q = qr.householderQ();
  const MatX<> R = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  const VecX<> b = qr.colsPermutation().transpose() * unit.cwiseProduct(equation.b);
  out.g = Q.leftCols(rank) * Eigen::HouseholderQR<MatX<>>(R.transpose()).solve(b);
  out.Z = Q.rightCols(n - rank);
  return out;
}

}  // namespace

Motion maggi(const Equation& equation, const RankTolerance& tolerance) {
  return reduced_motion(equation, velocities_allowed_by(equation, tolerance));
}

}  // namespace trammel
