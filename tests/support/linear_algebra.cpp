#include "support/linear_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace trammel::test {

MatX<> orthogonal_factor(const MatX<>& A) { return Eigen::HouseholderQR<MatX<>>(A).householderQ(); }

MatX<> solve_definite(const MatX<>& M, const MatX<>& B) { return M.llt().solve(B); }

MatX<> solve_symmetric(const MatX<>& M, const MatX<>& B) { return M.ldlt().solve(B); }

MatX<> least_squares(const MatX<>& A, const MatX<>& B) { return A.completeOrthogonalDecomposition().solve(B); }

MatX<> inverse_of(const MatX<>& A) { return A.inverse(); }

int rank_of(const MatX<>& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatX<>> qr(A);
  if (threshold >= 0) qr.setThreshold(threshold);
  return static_cast<int>(qr.rank());
}

VecX<> eigenvalues(const MatX<>& M) {
  return Eigen::SelfAdjointEigenSolver<MatX<>>(M, Eigen::EigenvaluesOnly).eigenvalues();
}

MatX<> power(const MatX<>& M, double exponent) {
  const Eigen::SelfAdjointEigenSolver<MatX<>> roots(M);
  return roots.eigenvectors() * roots.eigenvalues().array().pow(exponent).matrix().asDiagonal() *
         roots.eigenvectors().transpose();
}

MatX<> pseudo_inverse(const MatX<>& B) { return Eigen::CompleteOrthogonalDecomposition<MatX<>>(B).pseudoInverse(); }

RightSingular right_singular(const MatX<>& A) {
  if (A.size() == 0) return {VecX<>(0), MatX<>::Identity(A.cols(), A.cols())};
  const Eigen::JacobiSVD<MatX<>, Eigen::FullPivHouseholderQRPreconditioner> svd(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

MatX<> kernel_of(const MatX<>& A) { return A.fullPivLu().kernel(); }

}  // namespace trammel::test
