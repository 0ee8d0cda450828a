#include "trammel/motion/definite.h"

#include <Eigen/Eigenvalues>
#include <limits>

namespace trammel {

bool is_definite(const MatX<>& M) {
  if (M.rows() == 0) return true;
  if (!M.allFinite()) return false;
  const VecX<> eigenvalues = Eigen::SelfAdjointEigenSolver<MatX<>>(M, Eigen::EigenvaluesOnly).eigenvalues();
  const double margin = 10 * static_cast<double>(M.rows()) * std::numeric_limits<double>::epsilon();
  return eigenvalues.minCoeff() > margin * eigenvalues.maxCoeff();
}

}  // namespace trammel
