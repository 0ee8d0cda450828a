#pragma once

#include <optional>

#include "trammel/simulate/step.h"

namespace trammel {

/// How long steps may be, for methods that estimate their error (Hairer, Nørsett, Wanner I, II.4 and, for two
/// estimates, II.10). With e the estimate and scale_i = absolute_i + relative·max(|z_i|, |z_i⁺|) for each component of
/// s and v (what counts as |s_i| says Manifold::size),
///
///   error = √(1/n Σ (e_i / scale_i)²)                 and a step is good enough if error ≤ 1
///   error = E₅ / √(n (E₅ + 0.01 E₃)),  E = Σ (e_i / scale_i)²         with two estimates
struct Tolerance {
  double relative = 1e-8;
  std::optional<double> absolute{};  // rad, m, rad/s, m/s alike; not given: relative times the size of each component
};
/// Of s and of v, component by component: beside what an error is small (StateSizes).
struct ComponentSizes {
  VecX<> places, speeds;
};
/// Without sizes each is 1.
double error_norm(const Tableau& method, const Manifold& manifold, const Tolerance& tolerance, const Step& step,
                  const ComponentSizes* sizes = nullptr);

/// The next step: h⁺ = h · safety · error^{−(1/p − ¾β)} · previous_error^β, within bounds, p the order. β looks back
/// at the step before (a PI controller) and calms the sequence of steps down; βp = 0.2 is Hairer's 0.04 at order 5. A
/// steady sequence of steps has the length h·safety^1.5, h that of error 1.
struct StepControl {
  double safety = 0.9;
  double most_shrinking = 0.2, most_growing = 10;  // h⁺/h
  double look_back = 0.2;                          // βp
};

/// What the controller remembers.
struct StepHistory {
  double previous_error = 1e-4;  // of the last step that was good enough, and no less than this
  bool rejected = false;         // the last one was not: the next must not grow
};

struct StepVerdict {
  bool accepted;
  double next_h;  // s; for the next step, or to try the same one again
};
/// An error that is not a number is too large.
[[nodiscard]] StepVerdict judge_step(const Tableau& method, const StepControl& control, double error, double h,
                                     StepHistory& history);

/// A first h: of a size with which an Euler step would change z by 1 %, and the method makes an error of about 1 % of
/// the tolerance if its higher derivatives are like the second one. No longer than |longest|, and in its direction.
/// Takes one evaluation; nothing if that fails. `work` is overwritten.
[[nodiscard]] std::optional<double> initial_step(const Tableau& method, const Manifold& manifold, Derivative& f,
                                                 const State& start, const Slope& at_start, const Tolerance& tolerance,
                                                 double longest, Step& work, const ComponentSizes* sizes = nullptr);

}  // namespace trammel
