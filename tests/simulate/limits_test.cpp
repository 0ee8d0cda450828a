// Limits of joints in runs.
#include "trammel/simulate/limits.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/model/configuration.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace limits_of_runs {
namespace {

using namespace trammel::test;

SimulateOptions millisteps(double duration) {
  return {.duration = duration, .method = &rk4, .step = 1e-3, .record_every = 0.01};
}

TEST(Limits, WarnOrStop) {
  RobotDescription robot;
  robot.name = "pendulum";
  robot.links = {rod("bar", 1, 1, x_axis)};
  robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), y_axis)};
  robot.joints[0].coordinates = {Coordinate{.lower = -0.1, .upper = 0.5}};
  const System system(build_model(robot));
  SimulateOptions options = millisteps(2);
  const Simulation warned = simulate(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
  EXPECT_EQ(warned.status, RunStatus::finished);
  ASSERT_EQ(warned.warnings.size(), 1u);
  EXPECT_EQ(warned.warnings[0].substr(0, 37), "joint 'q' passes its upper limit 0.5 ");
  options.limits = LimitRule::stop;
  const Simulation stopped = simulate(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
  EXPECT_EQ(stopped.status, RunStatus::at_limit);
  EXPECT_NEAR(stopped.end.q[0], 0.5, 0.01);
  const Simulation beyond = simulate(system, State(0, VecX<>::Constant(1, 0.7), VecX<>::Zero(1)), options);
  EXPECT_EQ(beyond.status, RunStatus::at_limit);
  EXPECT_EQ(beyond.what, "joint 'q' starts beyond its upper limit 0.5");
  EXPECT_EQ(beyond.end.t, 0);
  EXPECT_EQ(beyond.recording.rows(), 1);
  options.limits = LimitRule::ignore;
  EXPECT_TRUE(simulate(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options).warnings.empty());
}

TEST(Limits, ASpeedLimitStopsARunWhenItIsMetWhateverTheStep) {
  // a rod that falls from level: ½ I ω² = m g l/2 sin φ, I = m l²/3
  RobotDescription robot;
  robot.name = "pendulum";
  robot.links = {rod("bar", 1, 1, x_axis)};
  robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), y_axis)};
  for (const double limit : {1e-6, 0.7, 4.0}) {
    robot.joints[0].coordinates = {Coordinate{.speed_limit = limit}};
    const System system(build_model(robot));
    for (const Tableau* method : all_methods()) {
      SimulateOptions options;
      options.method = method;
      options.duration = 2;
      options.step = method->order < 4 ? 1e-4 : 1e-2;
      options.limits = LimitRule::stop;
      const Simulation run = simulate(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
      const double accuracy = method->order < 4 ? 1e-3 : 1e-6;
      EXPECT_EQ(run.status, RunStatus::at_limit) << method->name;
      EXPECT_NEAR(run.end.v[0], limit, 1e-9 * limit) << method->name;
      EXPECT_NEAR(std::sin(run.end.q[0]), limit * limit / 3 / 9.81, accuracy * (1e-3 + limit)) << method->name;
      EXPECT_EQ(run.recording(run.recording.rows() - 1, "t"), run.end.t) << method->name;
      EXPECT_TRUE(run.what.starts_with(fmt::format("joint 'q' passes its speed limit {:g} rad/s at t = ", limit)))
          << run.what;
    }
  }
}

TEST(Limits, BehindAFloatingBaseAreFoundToo) {
  // there q has one number more than v
  RobotDescription robot;
  robot.name = "free arm";
  robot.links = {rod("base", 1, 1, x_axis), rod("arm", 1, 1, x_axis)};
  Joint free = turning("free", "world", "base", Vec3<>::Zero(), z_axis);
  free.type = JointType::floating;
  robot.joints = {free, turning("q", "base", "arm", {1, 0, 0}, y_axis)};
  robot.joints[1].coordinates = {Coordinate{.lower = -0.5, .upper = 0.5}};
  const System system(build_model(robot));
  VecX<> v = VecX<>::Zero(7);
  v[6] = -1;
  const Simulation run = simulate(system, State(0, neutral_configuration(system.model), v), millisteps(1));
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_EQ(run.warnings[0].substr(0, 38), "joint 'q' passes its lower limit -0.5 ");
}

}  // namespace
}  // namespace limits_of_runs
}  // namespace trammel
