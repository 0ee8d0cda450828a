#pragma once

#include "trammel/motion/motion.h"

namespace trammel {

/// The equation of motion by its matrices, as the papers write it: M v̇ = Q + Qc under A v̇ = b. The first `physical` rows
/// are the first layer; by default all are.
struct Equation {
  MatX<> M;  // n × n, symmetric
  VecX<> Q;  // all impressed forces, velocity terms included
  MatX<> A;  // m × n
  VecX<> b;
  int physical = -1;  // −1: all rows

  int physical_rows() const { return physical < 0 ? static_cast<int>(A.rows()) : physical; }
};

/// Udwadia-Kalaba by a factor M = L Lᵀ (Cholesky) and layered QR of Y = L⁻¹Aᵀ: Qc = L solve(b − A M⁻¹Q).
/// Where M is singular but M + ρ AᵀA is not (physical rows), that and Q + ρ Aᵀb take their place, which changes nothing
/// on the constraints; where it is too, the status is `singular` and the motion is not written.
[[nodiscard]] Motion udwadia_kalaba(const Equation& equation, const RankTolerance& tolerance = {});

}  // namespace trammel
