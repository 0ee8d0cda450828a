#include "trammel/simulate/step.h"

#include <gtest/gtest.h>

#include "simulate/problems.h"
#include "support/count_allocations.h"
#include "support/worst.h"
#include "trammel/dynamics/energy.h"
#include "trammel/simulate/dense_output.h"
#include "trammel/simulate/step_control.h"

namespace trammel {
namespace {

using namespace trammel::test;

// The worst error at the ends of the steps of a run. (That of the last one alone may happen to pass through zero.)
double worst_error(const Tableau& method, double duration, int steps) {
  const VectorSpace space(3);
  ClosedForm f;
  double worst = 0;
  run(method, space, f, ClosedForm::start(), duration, steps,
      [&](const State& at) { worst = std::max(worst, distance(at, ClosedForm::at(at.t))); });
  return worst;
}

class EveryStep : public testing::TestWithParam<const Tableau*> {
 protected:
  const Tableau& method = *GetParam();
};

TEST_P(EveryStep, ConvergesWithItsOrderToAClosedSolution) {
  const int n = resolving_steps(method);
  EXPECT_NEAR(seen_order(method, worst_error(method, 2, n), worst_error(method, 2, 2 * n)), method.order, 0.2);
}

TEST_P(EveryStep, KeepsItsOrderWithQuaternions) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State start = tumbling_start(model);
  static const State reference = reference_motion(model, start, 2, 40000);
  const int n = resolving_steps(method);
  const double coarse = distance(model, run(method, manifold, f, start, 2, n), reference);
  const double fine = distance(model, run(method, manifold, f, start, 2, 2 * n), reference);
  EXPECT_NEAR(seen_order(method, coarse, fine), method.order, 0.2);
}

TEST_P(EveryStep, QuaternionsStayOfUnitLength) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State end = run(method, manifold, f, tumbling_start(model), 2, 10000);
  Worst worst("length of quaternions");
  worst.see(std::abs(end.q.segment<4>(3).norm() - 1));
  worst.see(std::abs(end.q.segment<4>(7).norm() - 1));
  EXPECT_LT(worst.value(), 1e-15);
}

TEST_P(EveryStep, AsksForEachStageOnceAndUsesTheLastOneAgain) {
  const VectorSpace space(3);
  ClosedForm f;
  const int n = 10;
  run(method, space, f, ClosedForm::start(), 1, n);
  const int once = 1 + n * (method.first_same_as_last ? method.stages() - 1 : method.stages());
  if (method.implicit())
    EXPECT_GT(f.calls, once + n);  // stages are iterated
  else
    EXPECT_EQ(f.calls, once);
}

TEST_P(EveryStep, GoesBackwards) {
  const VectorSpace space(3);
  ClosedForm f;
  const int n = resolving_steps(method);
  const State there = run(method, space, f, ClosedForm::start(), 2, n), back = run(method, space, f, there, -2, n);
  // the error of the way there, and one like it on the way back
  const double error = distance(there, ClosedForm::at(3));
  EXPECT_LT(distance(back, ClosedForm::start()), 100 * error);
}

TEST_P(EveryStep, DoesNotAllocate) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State start = tumbling_start(model);
  Step step(method, manifold);
  DenseOutput dense(method, manifold);
  State inside = start;
  Slope at_start{VecX<>(model.nv()), VecX<>(model.nv())};
  StepHistory history;

  const std::size_t before = allocation_count();
  bool ok = f(start, at_start);
  double h = initial_step(method, manifold, f, start, at_start, {}, 1, step).value_or(0);
  ok = ok && take_step(method, manifold, f, start, at_start, h, step) == StepStatus::done;
  ok = ok && make_dense(method, manifold, f, step, dense) == StepStatus::done;
  interpolate(manifold, dense, 0.3, inside);
  if (method.adaptive()) h = judge_step(method, {}, error_norm(method, manifold, {}, step), h, history).next_h;
  ok = ok && take_step(method, manifold, f, step.end, step.at_end, h, step) == StepStatus::done;
  EXPECT_EQ(allocation_count() - before, 0u);
  EXPECT_TRUE(ok);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryStep, testing::ValuesIn(all_methods().begin(), all_methods().end()), test_name);

TEST(Step, ConservesEnergyAndMomentumToRoundOffWhenStepsAreSmall) {
  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  const State start = tumbling_start(model), end = run(dop8, manifold, f, start, 2, 400);
  Kinematics<> before(model), after(model);
  kinematics<double>(model, start.q, start.v, before);
  kinematics<double>(model, end.q, end.v, after);
  const double energy = kinetic_energy<double>(model, start.v, before);
  EXPECT_NEAR(kinetic_energy<double>(model, end.v, after), energy, 1e-13 * energy);  // 400 steps, √400 · 16 roundings
  const Vec6<> momentum_before = momentum<double>(model, before);
  EXPECT_LT((momentum<double>(model, after) - momentum_before).norm(), 1e-13 * momentum_before.norm());
}

TEST(Step, SemiImplicitEulerMovesWithTheNewVelocityAndKeepsAnOscillatorsOrbit) {
  const VectorSpace line(1);
  DerivativeOf f([](double, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
    velocity = v;
    vdot = -q;
    return true;
  });
  const double h = 0.1;
  const State start(0, VecX<>::Constant(1, 1.0), VecX<>::Constant(1, 0.0));
  const State once = run(semi_implicit, line, f, start, h, 1);
  EXPECT_DOUBLE_EQ(once.v[0], -h);
  EXPECT_DOUBLE_EQ(once.q[0], 1 - h * h);
  // q² + v² − h q v is an invariant of the method
  const State late = run(semi_implicit, line, f, start, 10000 * h, 10000);
  EXPECT_NEAR(late.q[0] * late.q[0] + late.v[0] * late.v[0] - h * late.q[0] * late.v[0], 1, 1e-11);
}

TEST(Step, ADerivativeThatFailsIsReportedWithThePlaceAndLeavesTheEnd) {
  const VectorSpace line(1);
  DerivativeOf f([](double t, const VecX<>&, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
    velocity = v;
    vdot.setOnes();
    return t < 0.5;
  });
  Step step(rk4, line);
  const State start(0.1, VecX<>::Zero(1), VecX<>::Ones(1));
  Slope slope{VecX<>(1), VecX<>(1)};
  ASSERT_TRUE(f(start, slope));
  ASSERT_EQ(take_step(rk4, line, f, start, slope, 0.3, step), StepStatus::done);
  ASSERT_EQ(evaluate_end(rk4, line, f, step), StepStatus::done);
  EXPECT_EQ(take_step(rk4, line, f, step.end, step.at_end, 0.3, step), StepStatus::no_derivative);
  EXPECT_DOUBLE_EQ(step.stage.t, 0.55);
  EXPECT_DOUBLE_EQ(step.end.t, 0.4);
  // the same step again, shorter
  EXPECT_EQ(take_step(rk4, line, f, step.start, step.at_start, 0.05, step), StepStatus::done);
  EXPECT_DOUBLE_EQ(step.end.t, 0.45);
  EXPECT_EQ(take_step(rk4, line, f, step.start, step.at_start, 0.1, step), StepStatus::no_derivative);
  EXPECT_EQ(name_of(StepStatus::no_derivative), "no derivative");
}

TEST(Step, NumbersThatAreNoneAndFullTurnsAreReported) {
  const VectorSpace line(1);
  DerivativeOf nan([](double, const VecX<>&, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
    velocity = v;
    vdot.setConstant(NAN);
    return true;
  });
  Step step(rk4, line);
  EXPECT_EQ(take_step(rk4, line, nan, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), {VecX<>::Zero(1), VecX<>::Zero(1)},
                      0.1, step),
            StepStatus::not_a_number);

  const Model model = tumbling_pair();
  const ModelManifold manifold(model);
  FreeMotion f(model);
  Step turning(rk4, manifold);
  State start = tumbling_start(model);
  start.v *= 100;
  Slope slope{VecX<>(model.nv()), VecX<>(model.nv())};
  ASSERT_TRUE(f(start, slope));
  EXPECT_EQ(take_step(rk4, manifold, f, start, slope, 0.1, turning), StepStatus::turned_too_far);
}

}  // namespace
}  // namespace trammel
