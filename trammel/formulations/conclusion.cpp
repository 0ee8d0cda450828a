#include "trammel/formulations/conclusion.h"

namespace trammel {

VecX<> unit_lengths(const MatX<>& A) {
  const VecX<> lengths = A.rowwise().norm();
  const double longest = A.rows() == 0 ? 0 : lengths.maxCoeff();
  if (!(longest > 0)) return VecX<>::Ones(A.rows());
  return (lengths.array() > 1e-13 * longest).select(lengths, VecX<>::Constant(A.rows(), longest)).cwiseInverse();
}

bool is_finite(const Equation& equation) {
  return equation.M.allFinite() && equation.Q.allFinite() && equation.A.allFinite() && equation.b.allFinite();
}

Motion no_motion(const Equation& equation) {
  Motion out(static_cast<int>(equation.Q.size()), static_cast<int>(equation.A.rows()));
  out.status = is_finite(equation) ? Status::singular : Status::not_a_number;
  return out;
}

void conclude(const MatX<>& A, const VecX<>& b, int rank, Motion& out) {
  const int m = static_cast<int>(A.rows());
  out.rank = rank;
  out.residual = A * out.vdot - b;
  if (!out.vdot.allFinite() || !out.Qc.allFinite() || !out.residual.allFinite()) {
    out.status = Status::not_a_number;
    return;
  }
  const VecX<> unit = unit_lengths(A);
  out.status = rank < m ? Status::redundant : Status::regular;
  for (int k = 0; k < m; ++k)
    if (std::abs(out.residual[k]) * unit[k] > 1e-9 * (1 + out.vdot.norm() + std::abs(b[k]) * unit[k]))
      out.status = Status::contradictory;
}

}  // namespace trammel
