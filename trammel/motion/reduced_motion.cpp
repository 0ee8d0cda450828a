#include "trammel/motion/reduced_motion.h"

#include <Eigen/Cholesky>

#include "trammel/motion/conclusion.h"

namespace trammel {
namespace {

constexpr double eps = 2.220446049250313e-16;

// Solves H u = r for a positive definite H; false if it is not, by a margin that rounding does not reach.
bool solve_definite(const MatX<>& H, const VecX<>& r, VecX<>& u) {
  if (!(H.diagonal().minCoeff() > 0)) return false;
  const VecX<> unit = H.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<MatX<>> factor(unit.asDiagonal() * H * unit.asDiagonal());
  if (!(factor.vectorD().minCoeff() > 10 * eps * static_cast<double>(H.rows()))) return false;
  u = unit.cwiseProduct(factor.solve(unit.cwiseProduct(r)));
  return true;
}

}  // namespace

Motion reduced_motion(const Equation& equation, const Allowed& allowed) {
  if (!is_finite(equation)) return no_motion(equation);
  Motion out(static_cast<int>(equation.Q.size()), static_cast<int>(equation.A.rows()));
  out.vdot = allowed.g;
  if (allowed.Z.cols() > 0) {
    const MatX<> MZ = equation.M * allowed.Z;
    VecX<> udot;
    if (!solve_definite(allowed.Z.transpose() * MZ, allowed.Z.transpose() * (equation.Q - equation.M * allowed.g),
                        udot))
      return no_motion(equation);
    out.vdot += allowed.Z * udot;
  }
  out.Qc = equation.M * out.vdot - equation.Q;
  conclude(equation.A, equation.b, allowed.rank, out);
  return out;
}

}  // namespace trammel
