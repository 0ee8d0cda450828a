// The balance of energy at every step, against what methods do to an oscillator by hand.
#include "trammel/simulate/energy_watch.h"

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/constraints/distance.h"
#include "trammel/math/eps.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"
#include "trammel/system/matrix_system.h"

namespace trammel {
namespace {

using namespace trammel::test;
using Verdict = EnergyBalance::Verdict;

// A mass on a sliding joint along x with a spring.
System sprung_mass(double mass, double stiffness, double damping = 0) {
  RobotDescription robot;
  robot.name = "oscillator";
  Link link;
  link.name = "mass";
  link.mass = mass;
  robot.links.push_back(link);
  robot.joints.push_back(turning("x", "world", "mass", Vec3<>::Zero(), x_axis));
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].coordinates = {Coordinate{.damping = damping, .stiffness = stiffness}};
  return System(build_model(robot));
}

SimulateOptions steps_of(const Tableau& method, double h, double duration) {
  SimulateOptions out;
  out.method = &method;
  out.step = h;
  out.duration = duration;
  out.record_every = 0;
  return out;
}

State moving(double x, double v) { return {0, VecX<>::Constant(1, x), VecX<>::Constant(1, v)}; }

// Euler's method multiplies the energy of an oscillator by 1 + h²ω² in every step, exactly.
TEST(EnergyWatch, EulerGainsOnAnOscillatorWhatOneFindsByHand) {
  const double m = 2, k = 50, w = 5, x0 = 0.3, E0 = 0.5 * k * x0 * x0;
  for (const double h : {1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    const int steps = 400;
    const Simulation run = simulate(sprung_mass(m, k), moving(x0, 0), steps_of(euler, h, steps * h));
    ASSERT_EQ(run.steps, steps);
    const double D = E0 * std::expm1(steps * std::log1p(h * h * w * w));
    EXPECT_NEAR(run.energy.error, D, 1e-9 * D + 1e-13 * E0);
    double most_T = 0, most_V = 0, least_V = E0, most = 0;
    for (int row = 0; row < run.recording.rows(); ++row) {
      const double x = run.recording(row, "q.x"), v = run.recording(row, "v.x");
      most_T = std::max(most_T, 0.5 * m * v * v);
      most = std::max(most, 0.5 * m * v * v + 0.5 * k * x * x);
      most_V = std::max(most_V, 0.5 * k * x * x);
      least_V = std::min(least_V, 0.5 * k * x * x);
    }
    const double X = most_T + most_V - least_V, R = 100 * eps * most * std::sqrt(steps);
    EXPECT_NEAR(run.energy.exchanged, X, 1e-12 * E0);
    const Verdict expected = D > 1e-2 * X + R ? Verdict::bad : D > 1e-5 * X + R ? Verdict::suspicious : Verdict::good;
    EXPECT_EQ(run.energy.verdict, expected) << h;
    EXPECT_EQ(run.energy.since.has_value(), expected != Verdict::good);
    EXPECT_EQ(run.warnings.size(), expected == Verdict::suspicious ? 1u : 0u);
    EXPECT_EQ(run.energy.what.find("does not balance") != std::string::npos, expected == Verdict::bad);
    EXPECT_EQ(run.energy.what.find("the step of") != std::string::npos, expected != Verdict::good);
  }
}

// Semi-implicit steps keep x² + v²/ω² + h x v: the energy swings by hω/2 and comes back.
TEST(EnergyWatch, SemiImplicitStepsDoNotLoseWhatTheyOnlyBorrow) {
  const double w = 5, h = 1e-3;
  const Simulation brief = simulate(sprung_mass(1, w * w), moving(1, 0), steps_of(semi_implicit, h, 2)),
                   lengthy = simulate(sprung_mass(1, w * w), moving(1, 0), steps_of(semi_implicit, h, 200));
  EXPECT_EQ(lengthy.energy.verdict, Verdict::suspicious);
  EXPECT_NEAR(lengthy.energy.error, brief.energy.error, 0.01 * brief.energy.error);
  EXPECT_NEAR(lengthy.energy.error / (0.5 * w * w), 0.5 * h * w, 0.05 * h * w);
}

TEST(EnergyWatch, TooLongAStepIsBadFromItsFirstStepOnWhateverItComesTo) {
  for (const double duration : {0.02, 0.2}) {  // 4e124 J, and more than there are numbers for
    const Simulation run = simulate(sprung_mass(1, 1e9), moving(0.01, 0), steps_of(semi_implicit, 1e-3, duration));
    EXPECT_EQ(run.energy.verdict, Verdict::bad);
    EXPECT_DOUBLE_EQ(run.energy.since.value_or(0), 1e-3);
  }
}

TEST(EnergyWatch, AVerdictIsOnTheWholeRunAndSaysSinceWhen) {
  // a kick that ends within the first step, of which RK4 sees a sixth: T = ½ (h F/6)² = 50 J come from nowhere
  System system = sprung_mass(1, 0);
  system.apply("kick", std::make_shared<FunctionForce>(
                           [](const Movement<double>& now, VecX<>& tau) { tau[0] += now.t < 4e-4 ? 6e4 : 100; }));
  SimulateOptions options = steps_of(rk4, 1e-3, 0.01);
  const Simulation brief = simulate(system, moving(0, 0), options);
  EXPECT_EQ(brief.energy.verdict, Verdict::bad);
  EXPECT_NEAR(brief.energy.since.value_or(0), 1e-3, 1e-12);
  options.duration = 20;  // 50 J of 4 MJ
  const Simulation lengthy = simulate(system, moving(0, 0), options);
  EXPECT_EQ(lengthy.energy.verdict, Verdict::suspicious);
  EXPECT_NEAR(lengthy.energy.error, 50, 1);
}

// What ideal constraints do where they do not hold is no work that may count.
TEST(EnergyWatch, DriftIsSeenThoughTheForcesOfTheConstraintsAccountForIt) {
  RobotDescription robot;
  robot.name = "pendulum";
  std::string parent = "world";
  for (const Vec3<>& axis : {x_axis, y_axis}) {
    Link link;
    link.name = parent == "world" ? "guide" : "bob";
    if (link.name == "bob") link.mass = 1;
    robot.links.push_back(link);
    robot.joints.push_back(turning(axis == x_axis ? "x" : "y", parent, link.name, Vec3<>::Zero(), axis));
    robot.joints.back().type = JointType::prismatic;
    parent = link.name;
  }
  System system(build_model(robot, Vec3<>(0, -9.81, 0)));
  system.constrain("rod", std::make_shared<Distance>(BodyPoint(), BodyPoint(system.model.frame("bob")), 1.0));
  SimulateOptions options = steps_of(rk4, 0.05, 20);
  options.drift.kind = Drift::none;
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(1, 0), Eigen::Vector2d::Zero()), options);
  EXPECT_GT(run.worst_phi, 1e-2);
  const VecX<> E = run.recording["energy"];  // nothing else works on it
  EXPECT_NEAR(run.energy.error, (E.array() - E[0]).abs().maxCoeff(), 1e-12);
  EXPECT_NE(run.energy.verdict, Verdict::good);
  options.step = 1e-3;
  const Simulation fine = simulate(system, State(0, Eigen::Vector2d(1, 0), Eigen::Vector2d::Zero()), options);
  EXPECT_EQ(fine.energy.verdict, Verdict::good) << fine.energy.what;
}

TEST(EnergyWatch, OfMatricesItJudgesAConstantMassAndNoOther) {
  MatrixSystem system;
  system.coordinates = {"x"};
  system.forces = [](const VecX<>& q, const VecX<>&, double, VecX<>& Q) { Q = -q; };
  for (const bool constant : {true, false}) {
    system.mass = [constant](const VecX<>&, double t, MatX<>& M) { M = MatX<>::Constant(1, 1, constant ? 2 : 2 + t); };
    EXPECT_EQ(simulate(system, moving(1, 0), steps_of(rk4, 1e-3, 1)).energy.verdict,
              constant ? Verdict::good : Verdict::unknown);
    EXPECT_EQ(simulate(system, moving(1, 0), steps_of(euler, 0.1, 1)).energy.verdict,
              constant ? Verdict::bad : Verdict::unknown);
  }
}

}  // namespace
}  // namespace trammel
