#include "errata/residuals.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace trammel::test {

MatX<> power(const MatX<>& M, double exponent) {
  const Eigen::SelfAdjointEigenSolver<MatX<>> roots(M);
  return roots.eigenvectors() * roots.eigenvalues().array().pow(exponent).matrix().asDiagonal() *
         roots.eigenvectors().transpose();
}

MatX<> pseudo_inverse(const MatX<>& B) { return Eigen::CompleteOrthogonalDecomposition<MatX<>>(B).pseudoInverse(); }

double largest(const MatX<>& A) { return A.cwiseAbs().maxCoeff(); }

VecX<Jet> moving(const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  VecX<Jet> out(q.size());
  for (int i = 0; i < q.size(); ++i) out[i] = Jet(q[i], v[i], vdot[i]);
  return out;
}

VecX<Jet> moving(const VecX<>& q, const VecX<>& v) { return moving(q, v, VecX<>::Zero(q.size())); }

}  // namespace trammel::test
