#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "trammel/motion/equation.h"

namespace trammel {
namespace {

constexpr double eps = 2.220446049250313e-16;

// Whether M is positive definite by a margin that rounding does not reach.
bool is_regular(const MatX<>& M) {
  if (M.rows() == 0) return true;
  const Eigen::LDLT<MatX<>> factor(M);
  const auto D = factor.vectorD();
  return factor.info() == Eigen::Success && D.minCoeff() > static_cast<double>(M.rows()) * 10 * eps * D.maxCoeff();
}

// Whether [M; A] has full column rank: then the constraints say what M does not.
bool together_regular(const MatX<>& M, const MatX<>& A) {
  MatX<> stacked(M.rows() + A.rows(), M.cols());
  stacked << M / std::max(M.cwiseAbs().maxCoeff(), 1e-300), A / std::max(A.cwiseAbs().maxCoeff(), 1e-300);
  Eigen::ColPivHouseholderQR<MatX<>> qr(stacked);
  qr.setThreshold(1e-12);
  return qr.rank() == M.cols();
}

}  // namespace

Motion udwadia_kalaba(const Equation& equation, const RankTolerance& tolerance) {
  const int n = static_cast<int>(equation.M.rows()), m = static_cast<int>(equation.A.rows());
  const int physical = equation.physical_rows();
  Motion out(n, m);
  MatX<> M = equation.M;
  VecX<> Q = equation.Q;
  if (!is_regular(M)) {
    const MatX<> A = equation.A.topRows(physical);
    const double weight = A.squaredNorm();
    out.status = Status::singular;
    if (physical == 0 || weight == 0 || !together_regular(M, A)) return out;
    const double rho = M.trace() > 0 ? M.trace() / weight : 1 / weight;
    M += rho * A.transpose() * A;
    Q += rho * A.transpose() * equation.b.head(physical);
    if (!is_regular(M)) return out;
  }

  const Eigen::LLT<MatX<>> factor(M);
  MatX<> Y(n, m);
  if (m > 0) Y = factor.matrixL().solve(equation.A.transpose());
  const VecX<> h = factor.matrixL().solve(Q);
  LayeredQr qr(n, m);
  qr.factorize(Y, physical, tolerance);
  VecX<> y(n);
  const LayeredSolution solution = qr.solve(equation.b, h, y);
  out.vdot = factor.matrixU().solve(h + y);
  out.Qc = equation.M * out.vdot - equation.Q;
  out.residual = equation.A * out.vdot - equation.b;
  out.rank = qr.rank();
  out.status = verdict(qr, solution, tolerance);
  return out;
}

}  // namespace trammel
