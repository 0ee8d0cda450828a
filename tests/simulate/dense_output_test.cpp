#include "trammel/simulate/dense_output.h"

#include <gtest/gtest.h>

#include "simulate/problems.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

class EveryDenseOutput : public testing::TestWithParam<const Tableau*> {
 protected:
  const Tableau& method = *GetParam();
};

// The worst error of a run against the closed solution, inside its steps.
double worst_inside(const Tableau& method, double duration, int steps) {
  const VectorSpace space(3);
  ClosedForm f;
  Step step(method, space);
  DenseOutput dense(method, space);
  State inside = step.end = ClosedForm::start();
  EXPECT_TRUE(f(step.end, step.at_end));
  double worst = 0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(take_step(method, space, f, step.end, step.at_end, duration / steps, step), StepStatus::done);
    EXPECT_EQ(make_dense(method, space, f, step, dense), StepStatus::done);
    for (double theta = 0.1; theta < 1; theta += 0.1) {
      interpolate(space, dense, theta, inside);
      worst = std::max(worst, distance(inside, ClosedForm::at(inside.t)));
    }
  }
  return worst;
}

TEST_P(EveryDenseOutput, IsAsGoodAsTheStepsOverARun) {
  const int n = resolving_steps(method);
  const double coarse = worst_inside(method, 2, n), fine = worst_inside(method, 2, 2 * n);
  EXPECT_NEAR(seen_order(method, coarse, fine), std::min(method.order, method.dense_order + 1), 0.2);
}

// One step of a tumbling pair, against many small ones of another method to the same time.
double error_inside_one_step(const Tableau& method, double h) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  Step step(method, manifold);
  DenseOutput dense(method, manifold);
  const State start = tumbling_start(model);
  State inside = start;
  EXPECT_TRUE(f(start, step.at_start));
  EXPECT_EQ(take_step(method, manifold, f, start, step.at_start, h, step), StepStatus::done);
  EXPECT_EQ(make_dense(method, manifold, f, step, dense), StepStatus::done);
  double worst = 0;
  for (const double theta : {0.2, 0.35, 0.5, 0.7, 0.9}) {
    interpolate(manifold, dense, theta, inside);
    worst = std::max(worst, distance(model, inside, reference_motion(model, start, theta * h, 1000)));
  }
  return worst;
}

TEST_P(EveryDenseOutput, KeepsItsOrderWithQuaternions) {
  const double h = method.dense_order == 7 ? 0.2 : 0.05;
  const double coarse = error_inside_one_step(method, h), fine = error_inside_one_step(method, h / 2);
  EXPECT_NEAR(seen_order(method, coarse, fine), method.dense_order + 1, 0.2);
}

TEST_P(EveryDenseOutput, MeetsTheStepAtBothEndsWithItsRates) {
  const VectorSpace space(3);
  ClosedForm f;
  Step step(method, space);
  DenseOutput dense(method, space);
  State inside = ClosedForm::at(0.2);
  ASSERT_TRUE(f(inside, step.at_start));
  const double h = 0.1, small = 1e-5;  // one-sided difference of second order: error about small²·(third derivative)
  ASSERT_EQ(take_step(method, space, f, inside, step.at_start, h, step), StepStatus::done);
  ASSERT_EQ(make_dense(method, space, f, step, dense), StepStatus::done);
  interpolate(space, dense, 0, inside);
  EXPECT_EQ(distance(inside, step.start), 0);
  interpolate(space, dense, 1, inside);
  EXPECT_LT(distance(inside, step.end), 10 * eps);
  EXPECT_DOUBLE_EQ(inside.t, step.end.t);
  State one = inside, two = inside;
  for (const double from : {0.0, 1.0}) {
    const double towards = from == 0 ? small : -small;
    interpolate(space, dense, from, inside);
    interpolate(space, dense, from + towards, one);
    interpolate(space, dense, from + 2 * towards, two);
    const Slope& slope = from == 0 ? step.at_start : step.at_end;
    const auto rate = [&](const VecX<>& a, const VecX<>& b, const VecX<>& c) {
      return VecX<>((-3 * a + 4 * b - c) / (2 * towards * h));
    };
    EXPECT_LT((rate(inside.q, one.q, two.q) - slope.velocity).norm(), 1e-8);
    EXPECT_LT((rate(inside.v, one.v, two.v) - slope.vdot).norm(), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryDenseOutput, testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         test_name);

}  // namespace
}  // namespace trammel
