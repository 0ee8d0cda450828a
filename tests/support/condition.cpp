#include "support/condition.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace trammel::test {

double condition(const Equation& e, int rank) {
  const Eigen::SelfAdjointEigenSolver<MatX<>> eigen(e.M);
  const double of_mass = std::sqrt(eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff());
  if (rank == 0) return of_mass;
  const VecX<> s = Eigen::JacobiSVD<MatX<>>(e.A * eigen.operatorInverseSqrt()).singularValues();
  return s[0] / s[rank - 1] * of_mass;
}

double difference(const Motion& a, const Motion& b) {
  return std::max((a.vdot - b.vdot).norm() / (1 + b.vdot.norm()), (a.Qc - b.Qc).norm() / (1 + b.Qc.norm()));
}

}  // namespace trammel::test
