#include "trammel/motion/dense_factor.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "trammel/motion/definite.h"

namespace trammel {
namespace {

// Whether [M; A] has full column rank: then the constraints say what M does not.
bool together_regular(const MatX<>& M, const MatX<>& A) {
  MatX<> stacked(M.rows() + A.rows(), M.cols());
  stacked << M / std::max(M.cwiseAbs().maxCoeff(), 1e-300), A / std::max(A.cwiseAbs().maxCoeff(), 1e-300);
  Eigen::ColPivHouseholderQR<MatX<>> qr(stacked);
  qr.setThreshold(1e-12);
  return qr.rank() == M.cols();
}

// ρ of M + ρ AᵀA, both terms of one size; zero if that does not help.
double weight_of_rows(const MatX<>& M, const MatX<>& A) {
  const double size = A.squaredNorm();
  if (A.rows() == 0 || size == 0 || !together_regular(M, A)) return 0;
  return M.trace() > 0 ? M.trace() / size : 1 / size;
}

}  // namespace

DenseFactor::DenseFactor(const MatX<>& M, const MatX<>& A, int physical, const RankTolerance& tolerance)
    : M_(M),
      A_(A),
      physical_(physical),
      tolerance_(tolerance),
      qr_(static_cast<int>(M.rows()), static_cast<int>(A.rows())) {
  MatX<> whole = M;
  if (!is_definite(M)) {
    rho_ = weight_of_rows(M, A.topRows(physical));
    whole += rho_ * A.topRows(physical).transpose() * A.topRows(physical);
    regular_ = rho_ > 0 && is_definite(whole);
    if (!regular_) return;
  }
  L_ = Eigen::LLT<MatX<>>(whole).matrixL();
  MatX<> Y(M.rows(), A.rows());
  if (A.rows() > 0) Y = L_.triangularView<Eigen::Lower>().solve(A.transpose());
  qr_.factorize(Y, physical, tolerance);
}

Motion DenseFactor::solve(const VecX<>& Q, const VecX<>& b) {
  const int n = static_cast<int>(M_.rows());
  Motion out(n, static_cast<int>(A_.rows()));
  VecX<> y(n);
  const VecX<> whole = Q + rho_ * A_.topRows(physical_).transpose() * b.head(physical_);
  const VecX<> h = L_.triangularView<Eigen::Lower>().solve(whole);
  const LayeredSolution solution = qr_.solve(b, h, y);
  out.vdot = L_.transpose().triangularView<Eigen::Upper>().solve(h + y);
  out.Qc = M_ * out.vdot - Q;
  out.residual = A_ * out.vdot - b;
  out.rank = qr_.rank();
  out.status =
      out.vdot.allFinite() && out.residual.allFinite() ? verdict(qr_, solution, tolerance_) : Status::not_a_number;
  return out;
}

VecX<> DenseFactor::multipliers() {
  VecX<> out(A_.rows());
  qr_.multipliers(out);
  return out;
}

VecX<> DenseFactor::least_step(const VecX<>& change) {
  VecX<> y(M_.rows());
  qr_.solve(change, y);
  return L_.transpose().triangularView<Eigen::Upper>().solve(y);
}

}  // namespace trammel
