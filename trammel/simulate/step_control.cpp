#include "trammel/simulate/step_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trammel {
namespace {

double square(double x) { return x * x; }

// scale_i of a place or a speed of some size.
class Scale {
 public:
  Scale(const Tolerance& tolerance, const ComponentSizes* sizes)
      : relative_(tolerance.relative),
        absolute_(tolerance.absolute.value_or(tolerance.relative)),
        sizes_(tolerance.absolute ? nullptr : sizes) {}

  double of_place(int i, double size) const { return absolute_ * (sizes_ ? sizes_->places[i] : 1) + relative_ * size; }
  double of_speed(int i, double size) const { return absolute_ * (sizes_ ? sizes_->speeds[i] : 1) + relative_ * size; }

 private:
  double relative_, absolute_;
  const ComponentSizes* sizes_;
};

double weighted_row(std::span<const double> weights, const MatX<>& slopes, int i) {
  double sum = 0;
  for (int j = 0; j < static_cast<int>(weights.size()); ++j) sum += weights[j] * slopes(i, j);
  return sum;
}

// Σ (e_i / scale_i)² over s and v
double sum_of_squares(std::span<const double> weights, const Manifold& manifold, const Scale& scale, const Step& step) {
  double sum = 0;
  for (int i = 0; i < manifold.nv(); ++i) {
    const double size_q = std::max(manifold.size(step.start.q, i), manifold.size(step.end.q, i));
    const double size_v = std::max(std::abs(step.start.v[i]), std::abs(step.end.v[i]));
    sum += square(step.h * weighted_row(weights, step.increment_rates, i) / scale.of_place(i, size_q));
    sum += square(step.h * weighted_row(weights, step.v_rates, i) / scale.of_speed(i, size_v));
  }
  return sum;
}

// √(1/n Σ (x_i / scale_i)²) with the scales of one state
template <class PositionPart, class VelocityPart>
double scaled_norm(const Manifold& manifold, const Scale& scale, const State& at, PositionPart position,
                   VelocityPart velocity) {
  double sum = 0;
  for (int i = 0; i < manifold.nv(); ++i) {
    sum += square(position(i) / scale.of_place(i, manifold.size(at.q, i)));
    sum += square(velocity(i) / scale.of_speed(i, std::abs(at.v[i])));
  }
  return std::sqrt(sum / std::max(1, 2 * manifold.nv()));
}

}  // namespace

double error_norm(const Tableau& method, const Manifold& manifold, const Tolerance& tolerance, const Step& step,
                  const ComponentSizes* sizes) {
  assert(method.adaptive());
  const Scale scale(tolerance, sizes);
  const double n = std::max(1, 2 * manifold.nv());
  const double fine = sum_of_squares(method.error, manifold, scale, step);
  if (method.rough_error.empty() || fine == 0) return std::sqrt(fine / n);
  return fine / std::sqrt(n * (fine + 0.01 * sum_of_squares(method.rough_error, manifold, scale, step)));
}

StepVerdict judge_step(const Tableau& method, const StepControl& control, double error, double h,
                       StepHistory& history) {
  const double beta = control.look_back / method.order, exponent = 1.0 / method.order - 0.75 * beta;
  if (!(error <= 1)) {
    history.rejected = true;
    const double factor = std::isfinite(error) ? control.safety * std::pow(error, -exponent) : 0;
    return {false, h * std::max(control.most_shrinking, factor)};
  }
  // an error of zero gives an infinite factor, which the bound takes care of
  const double factor = control.safety * std::pow(error, -exponent) * std::pow(history.previous_error, beta);
  const double most_growing = history.rejected ? 1 : control.most_growing;
  history = {std::max(error, 1e-4), false};
  return {true, h * std::clamp(factor, control.most_shrinking, most_growing)};
}

std::optional<double> initial_step(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start,
                                   const Slope& at_start, const Tolerance& tolerance, double longest, Step& work,
                                   const ComponentSizes* sizes) {
  assert(longest != 0);
  const Scale scale(tolerance, sizes);
  const double z = scaled_norm(
      manifold, scale, start, [&](int i) { return manifold.size(start.q, i); }, [&](int i) { return start.v[i]; });
  const double rate = scaled_norm(
      manifold, scale, start, [&](int i) { return at_start.velocity[i]; }, [&](int i) { return at_start.vdot[i]; });
  const double h0 = std::min(z < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * z / rate, std::abs(longest));

  // the second derivative, from the change of the slope over an Euler step
  const double towards = std::copysign(h0, longest);
  work.stage.t = start.t + towards;
  work.stage.v = start.v + towards * at_start.vdot;
  work.stage_s = towards * at_start.velocity;
  manifold.retract(start.q, work.stage_s, work.stage.q);
  if (!f(work.stage, work.at_stage)) return std::nullopt;
  const double curvature =
      scaled_norm(
          manifold, scale, start, [&](int i) { return work.at_stage.velocity[i] - at_start.velocity[i]; },
          [&](int i) { return work.at_stage.vdot[i] - at_start.vdot[i]; }) /
      h0;
  const double largest = std::max(rate, curvature);
  const double h1 = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / method.order);
  return std::copysign(std::min({100 * h0, h1, std::abs(longest)}), longest);
}

}  // namespace trammel
