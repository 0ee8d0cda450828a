#include "trammel/formulations/saddle_point.h"

#include <Eigen/LU>
#include <Eigen/QR>

namespace trammel {
namespace {

// Scales D with no entry of D K D much above 1, and one near it in every row (Ruiz). K is symmetric.
VecX<> equilibrate(MatX<>& K) {
  VecX<> D = VecX<>::Ones(K.rows());
  for (int round = 0; round < 10; ++round) {
    VecX<> scale = K.cwiseAbs().rowwise().maxCoeff();
    for (double& x : scale) x = x > 0 ? 1 / std::sqrt(x) : 1;
    K = scale.asDiagonal() * K * scale.asDiagonal();
    D = D.cwiseProduct(scale);
  }
  return D;
}

// Solved twice, the second time for what the first left over. A row of C may mostly pull where other rows hold anyway;
// the first round loses as many digits as the rest of it is small (425 eps·cond for a part of 7.5e-4, measured), the
// second brings them back.
template <class Factor>
VecX<> refined(const Factor& factor, const MatX<>& K, const VecX<>& right) {
  const VecX<> first = factor.solve(right);
  return first + factor.solve(right - K * first);
}

}  // namespace

SaddlePoint saddle_point(const MatX<>& M, const VecX<>& f, const MatX<>& C, const VecX<>& d, int rank_of_C) {
  const int n = static_cast<int>(M.rows()), m = static_cast<int>(C.rows());
  SaddlePoint out;
  MatX<> K = MatX<>::Zero(n + m, n + m);  // of x and −λ
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, m) = C.transpose();
  K.bottomLeftCorner(m, n) = C;
  VecX<> right(n + m);
  right << f, d;
  if (n == 0 || !K.allFinite()) return out;
  const VecX<> D = equilibrate(K);
  right = D.cwiseProduct(right);

  VecX<> solution;
  if (rank_of_C == m) {
    const Eigen::FullPivLU<MatX<>> lu(K);
    if (!lu.isInvertible()) return out;
    solution = refined(lu, K, right);
  } else {
    Eigen::CompleteOrthogonalDecomposition<MatX<>> qr(K);
    qr.setThreshold(1e-12);
    if (qr.rank() < n + rank_of_C) return out;
    solution = refined(qr, K, right);
  }
  solution = D.cwiseProduct(solution);
  out.x = solution.head(n);
  out.lambda = -solution.tail(m);
  out.determined = true;
  return out;
}

}  // namespace trammel
