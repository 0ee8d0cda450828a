#include "trammel/simulate/dense_output.h"

namespace trammel {
namespace {

// the terms of s or of v, from the slopes and the whole change
void fill_terms(const Tableau& method, double h, const MatX<>& slopes, const VecX<>& change, MatX<>& terms) {
  terms.col(0) = change;
  terms.col(1) = h * slopes.col(0) - change;
  terms.col(2) = change - h * slopes.col(method.end_slope()) - terms.col(1);
  for (int m = 0; m < method.dense_rows(); ++m) {
    const std::span<const double> d = method.dense_d_row(m);
    terms.col(3 + m).setZero();
    for (int j = 0; j < method.slopes(); ++j)
      if (d[j] != 0) terms.col(3 + m) += (h * d[j]) * slopes.col(j);
  }
}

// θ(Δ + (1−θ)(r₃ + θ(r₄ + …))), from the inside
void sum_terms(const MatX<>& terms, double theta, VecX<>& out) {
  out.setZero();
  for (int m = static_cast<int>(terms.cols()) - 1; m >= 0; --m)
    out = (m % 2 == 0 ? theta : 1 - theta) * (out + terms.col(m));
}

}  // namespace

DenseOutput::DenseOutput(const Tableau& method, const Manifold& manifold)
    : start(0, VecX<>::Zero(manifold.nq()), VecX<>::Zero(manifold.nv())),
      s_terms(manifold.nv(), 3 + method.dense_rows()),
      v_terms(manifold.nv(), 3 + method.dense_rows()) {}

StepStatus make_dense(const Tableau& method, const Manifold& manifold, Derivative& f, Step& step, DenseOutput& out) {
  StepStatus status = evaluate_end(method, manifold, f, step);
  for (int i = 0; i < static_cast<int>(method.dense_c.size()) && status == StepStatus::done; ++i)
    status = evaluate_stage(manifold, f, method.dense_c[i], method.dense_a_row(i), method.end_slope() + 1 + i, step);
  if (status != StepStatus::done) return status;
  out.start = step.start;
  out.h = step.h;
  fill_terms(method, step.h, step.increment_rates, step.s, out.s_terms);
  fill_terms(method, step.h, step.v_rates, step.dv, out.v_terms);
  return StepStatus::done;
}

void interpolate(const Manifold& manifold, const DenseOutput& dense, double theta, State& out) {
  out.t = dense.start.t + theta * dense.h;
  // s has the length of v, and serves as workspace
  sum_terms(dense.s_terms, theta, out.v);
  manifold.retract(dense.start.q, out.v, out.q);
  sum_terms(dense.v_terms, theta, out.v);
  out.v += dense.start.v;
}

double interpolate(const Tableau& method, std::span<const double> slopes, double h, double theta) {
  const auto sum = [&](std::span<const double> weights) {
    double out = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) out += h * weights[i] * slopes[i];
    return out;
  };
  const double change = sum(method.b), r3 = h * slopes[0] - change;
  const double r4 = change - h * slopes[method.end_slope()] - r3;
  double out = 0;
  for (int m = method.dense_rows() - 1; m >= 0; --m)
    out = (m % 2 == 0 ? 1 - theta : theta) * (out + sum(method.dense_d_row(m)));
  return theta * (change + (1 - theta) * (r3 + theta * (r4 + out)));
}

}  // namespace trammel
