// How runs end, and what is left of them.
#include <gtest/gtest.h>

#include <thread>

#include <fmt/core.h>

#include "support/closed_mechanisms.h"
#include "support/count_allocations.h"
#include "support/linear_algebra.h"
#include "support/mechanisms.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/simulate/jump.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace run_ends {
namespace {

using namespace trammel::test;

State at_rest(const Looped& looped, double speed = 0) {
  return {0, looped.q, VecX<>::Constant(looped.system.model.nv(), speed)};
}

SimulateOptions rk4_for(double duration, double every = 0.01) {
  SimulateOptions out;
  out.method = &rk4;
  out.duration = duration;
  out.step = 1e-3;
  out.record_every = every;
  return out;
}

TEST(RunEnds, RecordsEveryMomentOnceAndTheLastAtTheEnd) {
  const Looped looped = folding_four_bar();
  for (const Tableau* method : all_methods())
    for (const double every : {0.01, 0.0033, 0.25, 0.0}) {
      SimulateOptions options = rk4_for(0.1, every);
      options.method = method;
      options.tolerance = {1e-6, 1e-6};
      const Simulation run = simulate(looped.system, at_rest(looped), options);
      ASSERT_EQ(run.status, RunStatus::finished) << method->name << ": " << run.what;
      EXPECT_EQ(run.end.t, 0.1);
      const VecX<> t = run.recording["t"];
      EXPECT_EQ(t[0], 0);
      EXPECT_EQ(t[t.size() - 1], 0.1);
      for (int i = 1; i < t.size(); ++i) EXPECT_GT(t[i], t[i - 1]);
      for (int i = 0; every > 0 && i + 1 < t.size(); ++i) EXPECT_NEAR(t[i], i * every, 1e-12);
      if (every == 0 && !method->adaptive()) {
        EXPECT_EQ(t.size(), 101);
      }
      EXPECT_LT(run.worst_phi, 1e-14) << method->name;
      EXPECT_LT(run.worst_rate, 1e-13) << method->name;
    }
}

TEST(RunEnds, MomentsAreCountedFromTheStart) {
  const Looped looped = folding_four_bar();
  for (const Tableau* method : {&rk4, &dopri5}) {
    SimulateOptions options = rk4_for(0.1);
    options.method = method;
    const Simulation run = simulate(looped.system, State(3, looped.q, VecX<>::Zero(3)), options);
    EXPECT_EQ(run.end.t, 3 + options.duration);
    const VecX<> t = run.recording["t"];
    ASSERT_EQ(t.size(), 11) << method->name;
    for (int i = 0; i < t.size(); ++i) EXPECT_NEAR(t[i], 3 + 0.01 * i, 1e-12);
  }
}

TEST(RunEnds, AStepThatAllButMeetsTheEndDoesNotRecordItTwice) {
  const Looped looped = folding_four_bar();
  SimulateOptions options = rk4_for(1, 0.5);
  options.step = (1 - 1e-11) / 360;
  const VecX<> t = simulate(looped.system, at_rest(looped), options).recording["t"];
  ASSERT_EQ(t.size(), 3);
  EXPECT_EQ(t[2], 1);
}

TEST(RunEnds, NoStepIsLongerThanTheLongestAllowed) {
  const Looped looped = folding_four_bar();
  SimulateOptions options = rk4_for(0.5, 0);
  options.method = &dopri5;
  options.tolerance = {1e-2, 1e-2};  // lets pass much more
  options.step = 0.02;
  const VecX<> t = simulate(looped.system, at_rest(looped), options).recording["t"];
  for (int i = 1; i < t.size(); ++i) EXPECT_LE(t[i] - t[i - 1], 0.02 * (1 + 1e-12));
  EXPECT_GE(t.size(), 26);
}

TEST(RunEnds, NothingAllocatesBetweenTheFirstAndTheLastStep) {
  for (const Tableau* method : all_methods())
    for (const Drift drift : {Drift::none, Drift::baumgarte, Drift::velocity, Drift::projection}) {
      const Looped looped = three_rrr();
      SimulateOptions options = rk4_for(0.05);
      options.method = method;
      options.tolerance = {1e-6, 1e-6};
      options.drift = {drift, {1, 1}};
      std::size_t first = 0, last = 0;
      options.progress = [&](double) {
        last = allocation_count();
        if (first == 0) first = last;
      };
      const Simulation run = simulate(looped.system, at_rest(looped), options);
      EXPECT_EQ(run.status, RunStatus::finished) << run.what;
      EXPECT_EQ(last - first, 0u) << method->name << ", drift " << static_cast<int>(drift);
    }
}

TEST(RunEnds, AStopFromAnotherThreadKeepsWhatWasRecorded) {
  const Looped looped = folding_four_bar();
  std::atomic<bool> stop = false;
  std::atomic<bool> under_way = false;
  SimulateOptions options = rk4_for(1e6, 1000);
  options.stop = &stop;
  options.progress = [&](double t) { under_way = t > 0.05; };
  std::thread user([&] {
    while (!under_way) std::this_thread::yield();
    stop = true;
  });
  const Simulation run = simulate(looped.system, at_rest(looped), options);
  user.join();
  EXPECT_EQ(run.status, RunStatus::stopped);
  EXPECT_GE(run.end.t, 0.05);
  EXPECT_GE(run.recording.rows(), 1);
  EXPECT_EQ(run.what, fmt::format("t = {:.6g} s", run.end.t));  // behind the status, which says the rest
}

TEST(RunEnds, NotANumberInAForceIsNamedAndTheRecordingIsWhole) {
  Looped looped = folding_four_bar();
  looped.system.apply("broken motor", std::make_shared<FunctionForce>([](const Movement<double>& now, VecX<>& tau) {
                        tau[0] += std::sqrt(0.0525 - now.t);
                      }));
  for (const Tableau* method : {&rk4, &dopri5}) {
    SimulateOptions options = rk4_for(0.1);
    options.method = method;
    const Simulation run = simulate(looped.system, at_rest(looped), options);
    EXPECT_EQ(run.status, RunStatus::not_a_number);
    EXPECT_NE(run.what.find("force 'broken motor'"), std::string::npos) << run.what;
    ASSERT_EQ(run.recording.rows(), 6) << method->name;  // 0 to 0.05
    for (int i = 0; i < 6; ++i)
      for (int c = 0; c < run.recording.columns(); ++c) EXPECT_TRUE(std::isfinite(run.recording(i, c)));
  }
}

TEST(RunEnds, ASpringThatIsTooStiffForItsStepIsToldAsSuch) {
  RobotDescription robot;
  robot.links = {rod("upper", 1, 1, x_axis), rod("lower", 1, 1, x_axis)};
  robot.joints = {turning("shoulder", "world", "upper", Vec3<>::Zero(), y_axis),
                  turning("elbow", "upper", "lower", {1, 0, 0}, y_axis)};
  robot.joints[0].coordinates = {Coordinate{.stiffness = 1e12}};
  const System system(build_model(robot));
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(0.1, 0.2), Eigen::Vector2d(0, 0)), rk4_for(1));
  EXPECT_EQ(run.status, RunStatus::not_a_number);
  EXPECT_NE(run.what.find("velocities that have grown beyond all bounds"), std::string::npos) << run.what;
}

// A bar of 1 kg·m² about a vertical axis, led along q(t), by a motor or by itself.
System led_bar(const ScalarPath& path, bool motor) {
  RobotDescription robot;
  robot.name = "bar";
  robot.links = {rod("bar", 3, 1, x_axis)};
  robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), z_axis)};
  System out(build_model(robot));
  out.constrain("lead", std::make_shared<JointCoupling>(out.model, std::vector<JointCoupling::Term>{{0, 1.0}}, path),
                Layer::control);
  if (motor) out.drive({.name = "motor", .velocity = 0});
  return out;
}

TEST(RunEnds, ACorrectionIsAJumpBesideTheWayOfItsStepAndTheSizeOfTheMechanism) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    const ComponentSizes sizes{VecX<>::Constant(2, size), VecX<>::Ones(2)};
    const auto jump = [&](const Tableau& method, double correction, double way) {
      return is_jump(method, Eigen::Vector2d(0, correction * size), Eigen::Vector2d(-way * size, 0), sizes);
    };
    EXPECT_TRUE(jump(rk4, 0.011, 0.1));
    EXPECT_FALSE(jump(rk4, 0.009, 0.1));
    EXPECT_TRUE(jump(euler, -0.21, 0.1));
    EXPECT_FALSE(jump(semi_implicit, 0.19, 0.1));
    EXPECT_TRUE(jump(dopri5, 2e-6, 0));
    EXPECT_FALSE(jump(dopri5, -0.9e-6, 0));
  }
}

// Within a microsecond from 0 to 1, by a polynomial with no velocity and no acceleration at both ends.
TEST(RunEnds, APathThatJumpsEndsARunWithFixedStepsAndIsMetByOthers) {
  const double brief = 1e-6;
  const ScalarPath path([=](const Jet& t) {
    const Jet s = (t - 0.25) / brief;
    return s.x < 0 ? Jet(0) : s.x > 1 ? Jet(1) : s * s * s * (s * (s * 6.0 - 15.0) + 10.0);
  });
  const State start(0, VecX<>::Zero(1), VecX<>::Zero(1));
  for (const Tableau* method : all_methods()) {
    SimulateOptions options = rk4_for(1);
    options.method = method;
    const Simulation run = simulate(led_bar(path, false), start, options);
    if (method->adaptive()) {
      EXPECT_EQ(run.status, RunStatus::finished) << method->name << ": " << run.what;
      EXPECT_NEAR(run.end.q[0], 1, 1e-12) << method->name;
      EXPECT_GT(run.energy.exchanged, 0.5 * std::pow(1.8 / brief, 2)) << method->name;  // ½ I q̇², at most 1.875/brief
      EXPECT_TRUE(run.is_good()) << method->name << run.energy.what;
    } else {
      EXPECT_EQ(run.status, RunStatus::left_constraints) << method->name;
      EXPECT_NE(run.what.find("is a jump"), std::string::npos) << run.what;
      EXPECT_NEAR(run.end.t, 0.25, 1.1e-3) << method->name;
    }
  }
}

TEST(RunEnds, AStepBelowTheClocksResolutionAndAToleranceBelowRoundingAreRefused) {
  const System bar = led_bar(ScalarPath([](const Jet& t) { return t * 0.0; }), false);
  const auto refusal = [&](const SimulateOptions& options, double t) -> std::string {
    try {
      (void)simulate(bar, State(t, VecX<>::Zero(1), VecX<>::Zero(1)), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  SimulateOptions options = rk4_for(1);
  options.step = 1e-320;
  EXPECT_NE(refusal(options, 0).find("the resolution of the clock"), std::string::npos);
  options.step = 1e-12;
  EXPECT_NE(refusal(options, 1e6).find("the resolution of the clock"), std::string::npos);  // 10⁶ s + 10⁻¹² s is 10⁶ s
  options = rk4_for(1);
  options.record_every = 1e-300;
  EXPECT_NE(refusal(options, 0).find("the resolution of the clock"), std::string::npos);
  options = rk4_for(1);
  options.method = &dopri5;
  options.tolerance = {1e-17};
  EXPECT_NE(refusal(options, 0).find("what can be had is about 1e-13"), std::string::npos);
  options.tolerance = {1e-30, 1e-9};  // absolute alone
  EXPECT_EQ(refusal(options, 0), "");
}

TEST(RunEnds, APathThatCeasesToBeANumberIsNamedWhetherMotorsTrackItOrNot) {
  // √(0.5 − t): its acceleration has no bound before t = 0.5 and no value after it
  const ScalarPath path([](const Jet& t) { return sqrt(0.5 - t) * 0.01; });
  const State start(0, VecX<>::Constant(1, 0.01 * std::sqrt(0.5)), VecX<>::Constant(1, -0.005 / std::sqrt(0.5)));
  for (const bool motor : {false, true})
    for (const Tableau* method : all_methods()) {
      SimulateOptions options = rk4_for(1);
      options.method = method;
      const Simulation run = simulate(led_bar(path, motor), start, options);
      EXPECT_EQ(run.status, RunStatus::not_a_number) << method->name << ", motor " << motor << ": " << run.what;
      EXPECT_NE(run.what.find("not a finite number: constraint 'lead'"), std::string::npos)
          << method->name << ", motor " << motor << ": " << run.what;
      EXPECT_NEAR(run.end.t, 0.5, 2e-3) << method->name;
      for (int i = 0; i < run.recording.rows(); ++i)
        for (int c = 0; c < run.recording.columns(); ++c) EXPECT_TRUE(std::isfinite(run.recording(i, c)));
    }
}

TEST(RunEnds, PeaksOfMotorsAreThoseOfAllStepsNotOfTheMomentsRecorded) {
  // q = 0.1 sin 2πt takes a torque of −0.4π² sin 2πt: nothing at any moment that is recorded
  const System system = led_bar(ScalarPath([](const Jet& t) { return sin(t * (2 * pi)) * 0.1; }), true);
  SimulateOptions options = rk4_for(1, 0.5);
  options.step = 0.01;
  int seen = 0;
  options.at_step = [&](const State& at) { EXPECT_NEAR(at.t, 0.01 * seen++, 1e-12); };
  const Simulation run = simulate(system, State(0, VecX<>::Zero(1), VecX<>::Constant(1, 0.2 * pi)), options);
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_EQ(seen, 101);
  EXPECT_LT(run.recording["u.motor"].cwiseAbs().maxCoeff(), 1e-12);
  ASSERT_EQ(run.peaks.motors.size(), 1u);
  EXPECT_NEAR(run.peaks.motors[0].value, 0.4 * pi * pi, 1e-12);
  EXPECT_NEAR(run.peaks.motors[0].t, 0.25, 1e-3);
}

TEST(RunEnds, APathIsMissedByTheDistanceFromItNotByItsLargestComponent) {
  // the tip starts at rest, the path moves on at (0.3, 0.4) m/s without acceleration: so does the error
  RobotDescription robot;
  robot.name = "two rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "b", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  System system(build_model(robot, Vec3<>::Zero()));
  system.constrain("path",
                   std::make_shared<PointOnPath>(
                       BodyPoint(system.model.frame("tip")),
                       [](const Jet& t) { return Vec3<Jet>(t * 0.3 + 1.0, t * 0.4, Jet(0.0)); },
                       PointOnPath::Axes{true, true, false}),
                   Layer::control);
  system.drive({.name = "m1", .velocity = 0});
  system.drive({.name = "m2", .velocity = 1});
  const Simulation run =
      simulate(system, State(0, Eigen::Vector2d(pi / 3, -2 * pi / 3), VecX<>::Zero(2)), rk4_for(0.2));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_NEAR(run.worst_path.length, 0.5 * 0.2, 1e-12);
  ASSERT_EQ(run.worst_openings.size(), 1u);
  EXPECT_NEAR(run.worst_openings[0].length, 0.5 * 0.2, 1e-12);
  EXPECT_NEAR(run.worst_rates[0].length, 0.5, 1e-12);
}

TEST(RunEnds, AStepThatCollapsesAtTheEndOfAReachSaysSo) {
  // a tip led outwards to the end of the arm's reach: the joint speeds grow without bound
  RobotDescription robot;
  robot.name = "two rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "b", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  System system(build_model(robot, Vec3<>::Zero()));
  system.constrain("path", std::make_shared<PointOnPath>(
                               BodyPoint(system.model.frame("tip")),
                               [](const Jet& t) { return Vec3<Jet>(t + 1.0, Jet(0.0), Jet(0.0)); },
                               PointOnPath::Axes{true, true, false}));
  // the tip at x = 1, moving outwards at 1 m/s: reach ends at t = 1
  const double bend = 2 * pi / 3;
  VecX<> q(2), v(2);
  q << pi / 3, -bend;
  const Equation e = dense_equation(system, q, VecX<>::Zero(2));
  v = inverse_of(e.A) * Eigen::Vector2d(1, 0);
  SimulateOptions options;
  options.duration = 2;
  options.step = 0;
  options.record_every = 0.1;
  options.tolerance = {1e-8, 1e-8};
  const Simulation run = simulate(system, State(0, q, v), options);
  EXPECT_EQ(run.status, RunStatus::step_collapsed);
  EXPECT_NE(run.what.find("nearest to singular is path["), std::string::npos) << run.what;
  EXPECT_NE(run.what.find("an arm may be stretched out"), std::string::npos) << run.what;
  std::printf("end of reach: %s (%s) at t = %.9f\n", std::string(name_of(run.status)).c_str(), run.what.c_str(),
              run.end.t);
  EXPECT_NEAR(run.end.t, 1, 1e-3);
  EXPECT_GE(run.recording.rows(), 10);
}

TEST(RunEnds, AStartOffTheConstraintsIsRefusedWhereTheRunProjects) {
  Looped looped = folding_four_bar();
  looped.q[0] += 0.1;
  SimulateOptions options = rk4_for(0.1);
  try {
    (void)simulate(looped.system, at_rest(looped), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("off the constraints by 0.0998"), std::string::npos) << error.what();
  }
  options.drift.kind = Drift::none;
  EXPECT_EQ(simulate(looped.system, at_rest(looped), options).status, RunStatus::finished);
}

TEST(RunEnds, TheSameRunTwiceAndOnTwoThreadsGivesTheSameBytes) {
  const Looped looped = three_rrr();
  SimulateOptions options;
  options.duration = 0.2;
  const auto once = [&] { return simulate(looped.system, at_rest(looped), options).recording; };
  const Recording first = once(), second = once();
  Recording left, right;
  std::thread one([&] { left = once(); }), other([&] { right = once(); });
  one.join();
  other.join();
  EXPECT_TRUE(first == second);
  EXPECT_TRUE(first == left);
  EXPECT_TRUE(first == right);
}

TEST(RunEnds, AProblemIsRunWithTheOptionsItWasCompiledWith) {
  const Looped looped = three_rrr();
  SimulateOptions options = rk4_for(0.01);
  const Problem problem = compile(looped.system, motion_options(options));
  check_start(problem, at_rest(looped), options);
  EXPECT_EQ(simulate(problem, at_rest(looped), options).status, RunStatus::finished);
  options.rank.relative = 1e-3;
  EXPECT_THROW((void)simulate(problem, at_rest(looped), options), Error);
  EXPECT_THROW(check_start(problem, at_rest(looped), options), Error);
  // where a run projects, and nowhere else, its start is on the constraints
  options.rank = {};
  State off = at_rest(looped);
  off.q[0] += 0.1;
  EXPECT_THROW(check_start(problem, off, options), Error);
  options.drift.kind = Drift::none;
  check_start(problem, off, options);
}

}  // namespace
}  // namespace run_ends
}  // namespace trammel
