#pragma once

#include "trammel/simulate/step.h"

namespace trammel {

/// The solution between the ends of a step, as runge_kutta.h writes it: q(θ) = q ⊕ s(θ) and v(θ) at t + θh, 0 ≤ θ ≤ 1.
/// Its error inside a step is of order h^(dense_order + 1), so that over a whole run it is of the order of the method's
/// own. It is smooth inside a step, and its values and rates agree with those of the steps at their ends.
struct DenseOutput {
  DenseOutput(const Tableau& method, const Manifold& manifold);

  State start;
  double h = 0;             // s
  MatX<> s_terms, v_terms;  // Δ, r₃, r₄ and what the method has besides, a column each
};

/// Reads the step; evaluates its end if the method has not, and the stages that are there for dense output.
[[nodiscard]] StepStatus make_dense(const Tableau& method, const Manifold& manifold, Derivative& f, Step& step,
                                    DenseOutput& out);

/// The state at start.t + θh. `out` has its sizes already.
void interpolate(const Manifold& manifold, const DenseOutput& dense, double theta, State& out);

/// The same for one more number that grows along with the state: by how much it has grown at θ, from its slopes at the
/// stages of the step, in the order of their evaluations.
double interpolate(const Tableau& method, std::span<const double> slopes, double h, double theta);

}  // namespace trammel
