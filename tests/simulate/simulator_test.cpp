// Runs that are led from moment to moment.
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/methods.h"
#include "support/closed_mechanisms.h"
#include "support/mechanisms.h"
#include "support/worst.h"
#include "trammel/simulate/simulator.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

SimulateOptions options_of(const Tableau& method, double duration) {
  SimulateOptions out;
  out.method = &method;
  out.duration = duration;
  out.step = method.adaptive() ? 0 : 1e-3;
  return out;
}

// A block of mass m on a slide, pushed by an input.
System pushed_block(double m) {
  RobotDescription robot;
  robot.links = {rod("block", m, 0.1, x_axis)};
  robot.joints = {turning("slide", "world", "block", Vec3<>::Zero(), x_axis)};
  robot.joints[0].type = JointType::prismatic;
  System system(build_model(robot, Vec3<>::Zero()));
  system.add_input("push", 0);
  const Expression push = parse_expression("push", vocabulary_of(system));
  system.apply("push", std::make_shared<JointForce>(system.model, 0,
                                                    BoundExpression(system.model, push, {}, system.input_names())));
  return system;
}

TEST(Simulator, GivesWhatARunGivesWhenItIsLedAtOnce) {
  const Looped looped = folding_four_bar();
  const State start{0, looped.q, VecX<>::Zero(looped.system.model.nv())};
  for (const Tableau* method : all_methods()) {
    const SimulateOptions options = options_of(*method, 0.3);
    const Problem problem = compile(looped.system, motion_options(options));
    const Simulation run = simulate(problem, start, options);
    Simulator simulator(problem, start, options);
    EXPECT_FALSE(simulator.advance_to(1)) << "beyond the end";
    EXPECT_EQ(simulator.state().t, run.end.t);
    const Simulation led = simulator.conclude();
    EXPECT_EQ(led.status, run.status) << led.what;
    EXPECT_EQ(led.end.q, run.end.q) << method->name;
    EXPECT_EQ(led.end.v, run.end.v) << method->name;
    EXPECT_EQ(led.steps, run.steps);
    EXPECT_EQ(led.recording.rows(), run.recording.rows());
  }
}

// Steps that are cut short at each moment cost little, and move the end by no more than the tolerance does.
TEST(Simulator, EndsStepsAtTheMomentsExactly) {
  const Looped looped = folding_four_bar();
  const State start{0, looped.q, VecX<>::Zero(looped.system.model.nv())};
  SimulateOptions options = options_of(dopri5, 0.3);
  options.tolerance.relative = 1e-9;
  const Problem problem = compile(looped.system, motion_options(options));
  const Simulation whole = simulate(problem, start, options);
  Simulator simulator(problem, start, options);
  for (int k = 1; k <= 30; ++k) {
    const double t = 0.01 * k;
    simulator.advance_to(t);
    ASSERT_EQ(simulator.state().t, std::min(t, 0.3));
  }
  EXPECT_TRUE(simulator.has_ended());
  const Simulation led = simulator.conclude();
  EXPECT_EQ(led.status, RunStatus::finished) << led.what;
  EXPECT_LT((led.end.q - whole.end.q).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE(led.steps, whole.steps + 30);
  EXPECT_TRUE(led.energy.is_good());
}

// Held over periods h, the push u_k makes a parabola of each: x += v h + ½ (u/m) h², v += (u/m) h.
TEST(Simulator, InputsHoldFromMomentToMoment) {
  const double m = 2, period = 0.0137;
  const System system = pushed_block(m);
  for (const Tableau* method : all_methods()) {
    if (method->order < 2) continue;
    const SimulateOptions options = options_of(*method, 1);
    const Problem problem = compile(system, motion_options(options));
    Simulator simulator(problem, State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
    double x = 0, v = 0, work = 0;
    Worst worst(std::string(method->name) + " with inputs that are held");
    for (int k = 0; k < 50; ++k) {
      const double u = 3 * std::sin(1.7 * k), before = x, t = simulator.state().t;
      simulator.set_inputs(std::span(&u, 1));
      EXPECT_NEAR(simulator.solved().motion.vdot[0], u / m, 1e-15);
      ASSERT_TRUE(simulator.advance_to(t + period));
      const double h = simulator.state().t - t;
      x += v * h + u / m * h * h / 2;
      v += u / m * h;
      work += u * (x - before);
      worst.see(std::abs(simulator.state().q[0] - x));
      worst.see(std::abs(simulator.state().v[0] - v));
    }
    EXPECT_LT(worst.value(), 1e-13) << method->name;  // exact but for rounding, of 50 periods
    const Simulation run = simulator.conclude();
    EXPECT_EQ(run.status, RunStatus::stopped);
    EXPECT_NEAR(run.works[0].work, work, 1e-13);
    EXPECT_TRUE(run.energy.is_good()) << run.energy.what;
  }
}

TEST(Simulator, RefusesTimesThatAreOverAndInputsThatAreNone) {
  const System system = pushed_block(1);
  const SimulateOptions options = options_of(rk4, 1);
  Simulator simulator(compile(system, motion_options(options)), State(0, VecX<>::Zero(1), VecX<>::Zero(1)), options);
  ASSERT_TRUE(simulator.advance_to(0.5));
  EXPECT_THROW(simulator.advance_to(0.4), Error);
  EXPECT_THROW(simulator.advance_to(std::nan("")), Error);
  const std::vector<double> two{1, 2}, none{std::nan("")};
  EXPECT_THROW(simulator.set_inputs(two), Error);
  EXPECT_THROW(simulator.set_inputs(none), Error);
  EXPECT_FALSE(simulator.advance_to(1));
  EXPECT_TRUE(simulator.has_ended());
}

}  // namespace
}  // namespace trammel
