#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel {

/// What every kind of constraint promises, checked along a random smooth motion of a model: the law, differentiated exactly
/// by jets, must give what evaluate() says. For tests, of ours and of kinds that users write.
struct ContractReport {
  double phi = 0;           // |φ of the law − φ of evaluate|
  double rate = 0;          // |φ̇ of the law − rate|; for rows at velocity level |ψ of the law − rate|
  double linearity = 0;     // |A v + φ_t − rate|, rows at position level
  double acceleration = 0;  // |φ̈ of the law − (A v̇ − b)|, or ψ̇
  double work = 0;          // |A v − rate|, rows of kinds that say they are catastatic
  /// The largest of them. Each is divided by 1 + the size of what was compared.
  double worst() const;
};

/// Looks at the constraint in one state (q, v, v̇, t, inputs). NaN where the law has no derivative counts as an infinite
/// error.
ContractReport check_contract(const Model& model, const Constraint& constraint, const VecX<>& q, const VecX<>& v,
                              const VecX<>& vdot, double t, std::span<const double> inputs = {});

}  // namespace trammel
