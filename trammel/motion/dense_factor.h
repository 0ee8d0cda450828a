#pragma once

#include "trammel/motion/layered_qr.h"
#include "trammel/motion/motion.h"

namespace trammel {

/// A mass matrix by Cholesky, M = L Lᵀ, and layered QR of Y = L⁻¹Aᵀ: what the articulated factor is to a tree. Where M is
/// singular but M + ρ AᵀA is not (physical rows), that takes its place, and Q + ρ Aᵀb that of Q: it changes nothing on the
/// constraints.
class DenseFactor {
 public:
  DenseFactor(const MatX<>& M, const MatX<>& A, int physical, const RankTolerance& tolerance);

  /// Whether there is one motion: else nothing may be asked.
  bool regular() const { return regular_; }
  const MatX<>& mass() const { return M_; }

  /// The motion, its status included.
  [[nodiscard]] Motion solve(const VecX<>& Q, const VecX<>& b);
  const LayeredQr& qr() const { return qr_; }
  /// λ of the last solve.
  VecX<> multipliers();
  /// The least step in the metric of M with A step = change.
  VecX<> least_step(const VecX<>& change);

 private:
  MatX<> M_, A_;
  int physical_;
  RankTolerance tolerance_;
  bool regular_ = true;
  double rho_ = 0;  // of AᵀA, where M alone is singular
  MatX<> L_;        // lower triangle
  LayeredQr qr_;
};

}  // namespace trammel
