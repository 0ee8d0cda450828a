#include "trammel/simulate/step.h"

#include <cassert>
#include <limits>

#include "trammel/math/eps.h"

namespace trammel {
namespace {

// out = h Σ weights_j slope_j. Plain loops: vectors are short.
void combine(std::span<const double> weights, double h, const MatX<>& slopes, VecX<>& out) {
  const Eigen::Index n = out.size();
  const double* slope = slopes.data();
  double* sum = out.data();
  bool any = false;
  for (std::size_t j = 0; j < weights.size(); ++j, slope += n) {
    if (weights[j] == 0) continue;
    const double weight = h * weights[j];
    for (Eigen::Index i = 0; i < n; ++i) sum[i] = any ? sum[i] + weight * slope[i] : weight * slope[i];
    any = true;
  }
  if (!any) out.setZero();
}

Slope slope_of_size(int nv) { return {VecX<>::Zero(nv), VecX<>::Zero(nv)}; }
State state_of_size(const Manifold& manifold) { return {0, VecX<>::Zero(manifold.nq()), VecX<>::Zero(manifold.nv())}; }

// The slope at step.stage.
StepStatus evaluate_there(const Manifold& manifold, Derivative& f, int column, Step& step) {
  if (!f(step.stage, step.at_stage)) return StepStatus::no_derivative;
  if (!manifold.increment_rate(step.stage_s, step.at_stage.velocity, step.stage_rate))
    return StepStatus::turned_too_far;
  step.increment_rates.col(column) = step.stage_rate;
  step.v_rates.col(column) = step.at_stage.vdot;
  return StepStatus::done;
}

StepStatus evaluate_implicit_stage(const Tableau& method, const Manifold& manifold, Derivative& f, int column,
                                   Step& step) {
  const double gamma = step.h * method.implicit_diagonal;
  combine(method.a_row(column), step.h, step.increment_rates, step.stage_s);
  combine(method.implicit_a_row(column), step.h, step.v_rates, step.stage_from);
  step.stage_from += step.start.v;
  step.stage.t = step.start.t + method.c[column] * step.h;
  manifold.retract(step.start.q, step.stage_s, step.stage.q);
  // the velocity of the stage before is the guess
  if (!f.settle(step.stage.t, step.stage.q, step.stage_from, gamma, step.stage.v, step.at_stage))
    return StepStatus::not_settled;
  const StepStatus status = evaluate_there(manifold, f, column, step);
  step.v_rates.col(column) = (step.stage.v - step.stage_from) / gamma;
  return status;
}

}  // namespace

bool Derivative::settle(double t, const VecX<>& q, const VecX<>& from, double gamma, VecX<>& v, Slope& slope) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 50; ++i) {
    if (!(*this)(t, q, v, slope.velocity, slope.vdot)) return false;
    slope.vdot = from + gamma * slope.vdot;
    const double way = (slope.vdot - v).cwiseAbs().maxCoeff();
    v = slope.vdot;
    if (way <= 4 * eps * v.cwiseAbs().maxCoeff() || (way <= 1e-12 && !(way < before))) return true;
    before = way;
  }
  return false;
}

Step::Step(const Tableau& method, const Manifold& manifold)
    : start(state_of_size(manifold)),
      end(start),
      at_start(slope_of_size(manifold.nv())),
      at_end(at_start),
      s(manifold.nv()),
      dv(manifold.nv()),
      increment_rates(manifold.nv(), method.slopes()),
      v_rates(manifold.nv(), method.slopes()),
      stage(start),
      at_stage(at_start),
      stage_s(manifold.nv()),
      stage_rate(manifold.nv()),
      stage_from(manifold.nv()) {}

std::string_view name_of(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::no_derivative:
      return "no derivative";
    case StepStatus::turned_too_far:
      return "turned too far";
    case StepStatus::not_settled:
      return "no velocity of an implicit stage";
    case StepStatus::not_a_number:
      break;
  }
  return "not a number";
}

StepStatus evaluate_stage(const Manifold& manifold, Derivative& f, double c, std::span<const double> weights,
                          int column, Step& step) {
  combine(weights, step.h, step.increment_rates, step.stage_s);
  combine(weights, step.h, step.v_rates, step.stage.v);
  step.stage.v += step.start.v;
  step.stage.t = step.start.t + c * step.h;
  manifold.retract(step.start.q, step.stage_s, step.stage.q);
  return evaluate_there(manifold, f, column, step);
}

StepStatus take_step(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start,
                     const Slope& at_start, double h, Step& out) {
  assert(start.q.size() == manifold.nq() && start.v.size() == manifold.nv());
  out.h = h;
  out.start = start;
  out.at_start = at_start;
  // at s = 0, ṡ is the velocity
  out.increment_rates.col(0) = out.at_start.velocity;
  out.v_rates.col(0) = out.at_start.vdot;
  if (method.implicit()) out.stage.v = start.v;
  for (int i = 1; i < method.stages(); ++i) {
    const StepStatus status = method.implicit() ? evaluate_implicit_stage(method, manifold, f, i, out)
                                                : evaluate_stage(manifold, f, method.c[i], method.a_row(i), i, out);
    if (status != StepStatus::done) return status;
  }

  combine(method.b, h, out.increment_rates, out.s);
  combine(method.b, h, out.v_rates, out.dv);
  if (method.semi_implicit) out.s += h * out.dv;
  manifold.retract(out.start.q, out.s, out.stage.q);
  if (!out.stage.q.allFinite() || !out.dv.allFinite()) return StepStatus::not_a_number;
  out.end.t = out.start.t + h;
  out.end.q = out.stage.q;
  out.end.v = out.start.v + out.dv;
  if (method.first_same_as_last) out.at_end = out.at_stage;
  return StepStatus::done;
}

StepStatus evaluate_end(const Tableau& method, const Manifold& manifold, Derivative& f, Step& step) {
  if (method.first_same_as_last) return StepStatus::done;
  step.stage = step.end;
  if (!f(step.end, step.at_end)) return StepStatus::no_derivative;
  if (!manifold.increment_rate(step.s, step.at_end.velocity, step.stage_rate)) return StepStatus::turned_too_far;
  step.increment_rates.col(method.end_slope()) = step.stage_rate;
  step.v_rates.col(method.end_slope()) = step.at_end.vdot;
  return StepStatus::done;
}

}  // namespace trammel
