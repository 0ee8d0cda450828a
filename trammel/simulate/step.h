#pragma once

#include <cstdint>
#include <string_view>

#include "trammel/simulate/derivative.h"
#include "trammel/simulate/manifold.h"
#include "trammel/simulate/runge_kutta.h"

namespace trammel {

/// One step of a Runge-Kutta method in z = [s; v], s from the configuration at which the step begins (manifold.h):
///
///   ṡ_i = increment_rate(s_i, velocity_i),  q_i = q ⊕ s_i          q⁺ = q ⊕ h Σ b_i ṡ_i,   v⁺ = v + h Σ b_i v̇_i
///
/// Where v is implicit, v̇_i = (v_i − w_i)/(hγ): what the equation of motion says of v_i beside it differs by the rounding of v_i times its
/// stiffness.
///
/// Its workspace, and all that is known of the step afterwards. Sized once; nothing allocates afterwards.
struct Step {
  Step(const Tableau& method, const Manifold& manifold);

  double h = 0;  // s; may be negative
  State start, end;
  Slope at_start, at_end;           // at_end is there after take_step if the method gives it, else after evaluate_end
  VecX<> s, dv;                     // q⁺ = q ⊕ s, v⁺ = v + dv
  MatX<> increment_rates, v_rates;  // ṡ and v̇ of each stage, a column each
  State stage;                      // the state last evaluated; if the step failed, where it did
  Slope at_stage;
  VecX<> stage_s, stage_rate;
  VecX<> stage_from;  // w of implicit methods
};

enum class StepStatus : std::uint8_t {
  done,
  no_derivative,   // the derivative could not be evaluated at `stage`
  turned_too_far,  // a quaternion turns by a full turn or more within the step
  not_settled,     // an implicit stage has no velocity, or it was not found, at `stage`
  not_a_number     // the state at the end is not finite
};
std::string_view name_of(StepStatus status);

/// From `start`, where the slope is `at_start`, by h. Both may be parts of `out`: its start and at_start to try again
/// with another h, its end and at_end to go on. The end is written only when the step is done.
[[nodiscard]] StepStatus take_step(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start,
                                   const Slope& at_start, double h, Step& out);

/// The slope at the end of a step: nothing to do if the last stage is it, one evaluation otherwise.
[[nodiscard]] StepStatus evaluate_end(const Tableau& method, const Manifold& manifold, Derivative& f, Step& step);

/// Evaluates the slope at z + h Σ weights_j k_j and time start.t + c h, into column `column`.
[[nodiscard]] StepStatus evaluate_stage(const Manifold& manifold, Derivative& f, double c,
                                        std::span<const double> weights, int column, Step& step);

}  // namespace trammel
