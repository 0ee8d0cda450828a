#include "trammel/formulations/reduced_motion.h"

#include <Eigen/Cholesky>

#include "trammel/formulations/conclusion.h"
#include "trammel/motion/definite.h"

namespace trammel {
namespace {

// Solves H u = r for a positive definite H, whatever the units of u; false if it is not.
bool solve_definite(const MatX<>& H, const VecX<>& r, VecX<>& u) {
  if (!(H.diagonal().minCoeff() > 0)) return false;
  const VecX<> unit = H.diagonal().cwiseSqrt().cwiseInverse();
  const MatX<> scaled = unit.asDiagonal() * H * unit.asDiagonal();
  if (!is_definite(scaled)) return false;
  u = unit.cwiseProduct(scaled.ldlt().solve(unit.cwiseProduct(r)));
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
