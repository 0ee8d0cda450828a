#include "trammel/simulate/step_control.h"

#include <gtest/gtest.h>

#include "simulate/problems.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

struct AdaptiveRun {
  State end;
  int accepted = 0, rejected = 0;
};

AdaptiveRun run_adaptive(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start,
                         double duration, const Tolerance& tolerance) {
  Step step(method, manifold);
  AdaptiveRun out;
  step.end = start;
  EXPECT_TRUE(f(start, step.at_end));
  StepHistory history;
  double h = initial_step(method, manifold, f, start, step.at_end, tolerance, duration, step).value();
  const double until = start.t + duration;
  while (step.end.t < until && out.accepted + out.rejected < 100000) {
    const State from = step.end;
    const Slope slope = step.at_end;
    const bool last = from.t + h >= until;
    if (last) h = until - from.t;
    EXPECT_EQ(take_step(method, manifold, f, from, slope, h, step), StepStatus::done);
    const StepVerdict verdict = judge_step(method, {}, error_norm(method, manifold, tolerance, step), h, history);
    h = verdict.next_h;
    if (verdict.accepted) {
      ++out.accepted;
      if (last) step.end.t = until;
      EXPECT_EQ(evaluate_end(method, manifold, f, step), StepStatus::done);
    } else {
      ++out.rejected;
      step.end = from;
      step.at_end = slope;
    }
  }
  out.end = step.end;
  return out;
}

class EveryPair : public testing::TestWithParam<const Tableau*> {
 protected:
  const Tableau& method = *GetParam();
};

// The slope of log error over log tolerance, by least squares.
double proportionality(const std::vector<double>& tolerances, const std::vector<double>& errors) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double a = std::log10(tolerances[i]), b = std::log10(errors[i]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

TEST_P(EveryPair, TheErrorOfATumblingPairFollowsTheTolerance) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State start = tumbling_start(model);
  static const State reference = reference_motion(model, start, 5, 100000);
  std::vector<double> tolerances, errors;
  for (int power = 4; power <= 12; ++power) {
    const double tolerance = std::pow(10, -power);
    const AdaptiveRun run = run_adaptive(method, manifold, f, start, 5, {tolerance, tolerance});
    tolerances.push_back(tolerance);
    errors.push_back(distance(model, run.end, reference));
    std::printf("[   seen   ] %s: tolerance 1e-%02d, error %.2e, %d steps, %d rejected\n", method.name.data(), power,
                errors.back(), run.accepted, run.rejected);
    EXPECT_LT(run.rejected, 3 + run.accepted / 4);
  }
  EXPECT_NEAR(proportionality(tolerances, errors), 1, 0.15);
}

// Arenstorf's orbit (Hairer, Nørsett, Wanner I, II.0): a satellite about earth and moon, in the turning frame, closed.
TEST_P(EveryPair, TheArenstorfOrbitCloses) {
  const double mu = 0.012277471, nu = 1 - mu, period = 17.0652165601579625588917206249;
  DerivativeOf f([=](double, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
    const double D1 = std::pow(std::hypot(q[0] + mu, q[1]), 3), D2 = std::pow(std::hypot(q[0] - nu, q[1]), 3);
    velocity = v;
    vdot[0] = q[0] + 2 * v[1] - nu * (q[0] + mu) / D1 - mu * (q[0] - nu) / D2;
    vdot[1] = q[1] - 2 * v[0] - nu * q[1] / D1 - mu * q[1] / D2;
    return true;
  });
  const VectorSpace plane(2);
  const State start(0, Eigen::Vector2d(0.994, 0), Eigen::Vector2d(0, -2.00158510637908252240537862224));
  std::vector<double> tolerances, errors;
  for (int power = 7; power <= 12; ++power) {
    const double tolerance = std::pow(10, -power);
    const AdaptiveRun run = run_adaptive(method, plane, f, start, period, {tolerance, tolerance});
    tolerances.push_back(tolerance);
    errors.push_back((run.end.q - start.q).norm());
    std::printf("[   seen   ] %s: tolerance 1e-%02d, error %.2e, %d steps, %d rejected\n", method.name.data(), power,
                errors.back(), run.accepted, run.rejected);
  }
  EXPECT_NEAR(proportionality(tolerances, errors), 1, 0.25);
}

// The estimate against the step of the embedded method itself: the same stages with the weights b − e.
TEST_P(EveryPair, TheErrorNormIsTheScaledDifferenceOfTwoMethods) {
  const VectorSpace space(3);
  ClosedForm f;
  const State start = ClosedForm::at(0.3);
  Step step(method, space), other(method, space);
  ASSERT_TRUE(f(start, step.at_start));
  ASSERT_EQ(take_step(method, space, f, start, step.at_start, 0.4, step), StepStatus::done);
  const Tolerance tolerance{1e-3, 1e-4};
  const auto squares = [&](std::span<const double> e) {
    std::vector<double> b(method.b.begin(), method.b.end());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= e[i];
    Tableau embedded = method;
    embedded.b = b;
    EXPECT_EQ(take_step(embedded, space, f, start, step.at_start, 0.4, other), StepStatus::done);
    const auto scaled = [&](const VecX<>& x, const VecX<>& from, const VecX<>& to) {
      const Eigen::ArrayXd scale = 1e-4 + 1e-3 * from.array().abs().max(to.array().abs());
      return ((x - to).array() / scale).square().sum();
    };
    return scaled(other.end.q, start.q, step.end.q) + scaled(other.end.v, start.v, step.end.v);
  };
  const double fine = squares(method.error);
  const double expected = method.rough_error.empty()
                              ? std::sqrt(fine / 6)
                              : fine / std::sqrt(6 * (fine + 0.01 * squares(method.rough_error)));
  EXPECT_NEAR(error_norm(method, space, tolerance, step), expected,
              1e-6 * expected);  // differences of ends: 1e-16/1e-9
}

TEST_P(EveryPair, TheFirstStepIsGoodEnoughAndNotMuchTooShort) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State start = tumbling_start(model);
  Step step(method, manifold);
  ASSERT_TRUE(f(start, step.at_start));
  const Slope slope = step.at_start;
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    const double h = initial_step(method, manifold, f, start, slope, {tolerance, tolerance}, 10, step).value();
    ASSERT_EQ(take_step(method, manifold, f, start, slope, h, step), StepStatus::done);
    const double error = error_norm(method, manifold, {tolerance, tolerance}, step);
    std::printf("[   seen   ] %s: tolerance %.0e, first h %.2e, error %.2e\n", method.name.data(), tolerance, h, error);
    EXPECT_LT(error, 1);
    StepHistory history;
    EXPECT_LT(judge_step(method, {.most_growing = 1e6}, error, 1, history).next_h, 100);
    EXPECT_EQ(initial_step(method, manifold, f, start, slope, {tolerance, tolerance}, -1e-7, step).value(), -1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryPair, testing::ValuesIn(adaptive_methods()), test_name);

TEST(JudgeStep, GrowsAndShrinksWithinItsBounds) {
  StepHistory history;
  EXPECT_EQ(judge_step(dopri5, {}, 0, 0.1, history).next_h, 1);
  EXPECT_TRUE(judge_step(dopri5, {}, 1, 0.1, history).accepted);
  const StepVerdict refused = judge_step(dopri5, {}, 1e9, 0.1, history);
  EXPECT_FALSE(refused.accepted);
  EXPECT_DOUBLE_EQ(refused.next_h, 0.02);
  EXPECT_EQ(judge_step(dopri5, {}, 1e-9, 0.1, history).next_h, 0.1);  // no growth right after
  EXPECT_EQ(judge_step(dopri5, {}, 1e-9, -0.1, history).next_h, -1);  // backwards
  const StepVerdict nan = judge_step(dopri5, {}, NAN, 0.1, history);
  EXPECT_FALSE(nan.accepted);
  EXPECT_DOUBLE_EQ(nan.next_h, 0.02);
}

TEST(JudgeStep, IsHairersFormula) {
  StepHistory history{0.3, false};
  EXPECT_DOUBLE_EQ(judge_step(dopri5, {}, 0.5, 2, history).next_h,
                   2 * 0.9 * std::pow(0.5, -0.17) * std::pow(0.3, 0.04));
  EXPECT_EQ(history.previous_error, 0.5);
}

TEST(InitialStep, SaysWhenTheDerivativeFails) {
  const VectorSpace line(1);
  DerivativeOf f([](double t, const VecX<>&, const VecX<>&, VecX<>&, VecX<>&) { return t <= 0; });
  Step room(dopri5, line);
  const State start(0, VecX<>::Ones(1), VecX<>::Ones(1));
  EXPECT_FALSE(initial_step(dopri5, line, f, start, {VecX<>::Ones(1), VecX<>::Ones(1)}, {}, 1, room).has_value());
}

}  // namespace
}  // namespace trammel
