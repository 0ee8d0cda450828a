// Inputs that are set while a run goes on.
#include <cmath>

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace inputs_of_runs {
namespace {

using namespace trammel::test;

SimulateOptions millisteps(double duration) {
  return {.duration = duration, .method = &rk4, .step = 1e-3, .record_every = 0.01};
}

// A mass m on a slide, pushed one way for half the time and then the other: ½ a t², and from there ½ a τ − …
TEST(Inputs, HoldFromTheCallThatSetsThemToTheNext) {
  const double m = 2, push = 3, half = 0.5;
  RobotDescription robot;
  robot.links = {rod("block", m, 0.1, x_axis)};
  robot.joints = {turning("slide", "world", "block", Vec3<>::Zero(), x_axis)};
  robot.joints[0].type = JointType::prismatic;
  System system(build_model(robot, Vec3<>::Zero()));
  system.add_input("unused", 5);
  system.add_input("push", push);
  system.apply("push", std::make_shared<JointForce>(
                           system.model, 0,
                           BoundExpression(system.model, parse_expression("push", vocabulary_of(system)), {},
                                           system.input_names())));
  SimulateOptions options = millisteps(2 * half);
  const Problem problem = compile(system, motion_options(options));
  ASSERT_EQ(problem.input("push"), 1);
  EXPECT_THROW((void)problem.input("pusch"), Error);
  options.set_inputs = [&](const State& at, std::span<double> inputs) {
    inputs[1] = at.t < half - 1e-9 ? push : -push;
  };
  const Simulation run = simulate(problem, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  const double a = push / m;
  double worst = 0;
  for (int row = 0; row < run.recording.rows(); ++row) {
    const double t = run.recording(row, "t"), late = std::max(0.0, t - half);
    const double x = t <= half ? a * t * t / 2 : a * half * half / 2 + a * half * late - a * late * late / 2;
    worst = std::max(worst, std::abs(run.recording(row, "q.slide") - x));
    EXPECT_EQ(run.recording(row, "input.push"), t < half - 1e-9 ? push : -push);
    EXPECT_EQ(run.recording.inputs(row)[0], 5);
  }
  EXPECT_LT(worst, 1e-14);  // the steps end where the push turns; RK4 is exact for parabolas
  // work of the push, and of nothing else
  const int last = run.recording.rows() - 1;
  EXPECT_NEAR(run.recording(last, "work"), run.recording(last, "energy") - run.recording(0, "energy"), 1e-14);
}

TEST(Inputs, ThatAreSetToNoNumberEndTheRunByTheForceThatUsesThem) {
  RobotDescription robot;
  robot.links = {rod("block", 1, 0.1, x_axis)};
  robot.joints = {turning("hinge", "world", "block", Vec3<>::Zero(), x_axis)};
  System system(build_model(robot));
  system.add_input("push", 1);
  const Expression push = parse_expression("push", vocabulary_of(system));
  system.apply("servo", std::make_shared<JointForce>(system.model, 0,
                                                     BoundExpression(system.model, push, {}, system.input_names())));
  SimulateOptions options = millisteps(0.1);
  options.set_inputs = [](const State& at, std::span<double> inputs) {
    if (at.t > 0.05) inputs[0] = std::nan("");
  };
  const Simulation run = simulate(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
  EXPECT_EQ(run.status, RunStatus::not_a_number);
  EXPECT_NE(run.what.find("force 'servo'"), std::string::npos) << run.what;
  EXPECT_GT(run.recording.rows(), 3);  // what was computed is kept
}

}  // namespace
}  // namespace inputs_of_runs
}  // namespace trammel
