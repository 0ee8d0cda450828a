// Damping and friction that make joints stiff: runs go on by implicit steps, and are as exact as their tolerance asks.
#include <gtest/gtest.h>

#include "support/linear_algebra.h"
#include "support/mechanisms.h"
#include "support/random.h"
#include "support/worst.h"
#include "trammel/constraints/coincident.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/motion/joint_damping.h"
#include "trammel/motion/tree_motion.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A wheel about z, upright: weight has no part in it.
RobotDescription wheel(double inertia, double damping, double friction, double friction_speed) {
  RobotDescription robot;
  robot.name = "wheel";
  Link disc;
  disc.name = "disc";
  disc.mass = 1;
  disc.inertia = {inertia, inertia, inertia};
  robot.links = {disc};
  Joint axle = turning("axle", "world", "disc", Vec3<>::Zero(), z_axis);
  axle.coordinates.resize(1);
  axle.coordinates[0].damping = damping;
  axle.coordinates[0].friction = friction;
  axle.coordinates[0].friction_speed = friction_speed;
  robot.joints = {axle};
  return robot;
}

Simulation run_for(const System& system, const State& start, double duration, const Tableau& method = dopri5,
                   double tolerance = 1e-10, double record_every = 0.01) {
  SimulateOptions options;
  options.method = &method;
  options.duration = duration;
  options.step = method.adaptive() ? 0 : 5e-6;
  options.tolerance = {tolerance, {}};
  options.record_every = record_every;
  Simulation out = simulate(system, start, options);
  EXPECT_EQ(out.status, RunStatus::finished) << out.what;
  EXPECT_TRUE(out.energy.is_good()) << out.energy.what;
  return out;
}

State at_rest(const System& system) { return {0, VecX<>::Zero(system.model.nq()), VecX<>::Zero(system.model.nv())}; }

// v̇ = a sin ωt − λv, from rest
TEST(StiffDamping, AWheelInOilFollowsItsTorque) {
  const double inertia = 1e-4, lambda = 2e4, torque = 0.3, omega = 5, a = torque / inertia;
  System system(build_model(wheel(inertia, lambda * inertia, 0, 1e-3)));
  system.apply("drive", std::make_shared<FunctionForce>([=](const Movement<double>& now, VecX<>& tau) {
                 tau[0] += torque * std::sin(omega * now.t);
               }));
  const double k = a / (lambda * lambda + omega * omega);
  const auto v = [&](double t) {
    return k * (lambda * std::sin(omega * t) - omega * std::cos(omega * t) + omega * std::exp(-lambda * t));
  };
  const auto q = [&](double t) {
    return k * (lambda / omega * (1 - std::cos(omega * t)) - std::sin(omega * t) +
                omega / lambda * (1 - std::exp(-lambda * t)));
  };
  for (const Tableau* method : {&dopri5, &dop8}) {
    const Simulation run = run_for(system, at_rest(system), 10, *method, 1e-9);
    ASSERT_TRUE(run.stiff_since) << method->name;
    EXPECT_LT(*run.stiff_since, 0.02) << method->name;
    EXPECT_LT(run.steps, 0.1 * lambda * 10 / 3.3) << method->name;  // of what the stability of dopri5 asks for
    Worst places("places of a wheel in oil"), speeds("speeds");
    for (int row = 0; row < run.recording.rows(); ++row) {
      const double t = run.recording.state(row).t;
      places.see(std::abs(run.recording.state(row).q[0] - q(t)));
      speeds.see(std::abs(run.recording.state(row).v[0] - v(t)));
    }
    EXPECT_LT(places.value(), 2e-8) << method->name;
    EXPECT_LT(speeds.value(), 2e-8) << method->name;
  }
}

// v̇ = −a v/√(v² + v₀²): with s = √(v² + v₀²), s − v₀ ln((s + v₀)/v) falls at the rate a
TEST(StiffDamping, AWheelIsStoppedByItsFriction) {
  const double inertia = 1e-3, a = 2, v0 = 1e-5, from = 1;  // the last of it decays at a/v₀ = 2·10⁵ 1/s
  System system(build_model(wheel(inertia, 0, a * inertia, v0)));
  State start = at_rest(system);
  start.v[0] = from;
  const auto clock = [&](double v) {
    const double s = std::hypot(v, v0);
    return s - v0 * std::log((s + v0) / v);
  };
  const Simulation run = run_for(system, start, 2, dopri5, 1e-10, 1e-3);
  ASSERT_TRUE(run.stiff_since);
  EXPECT_GT(*run.stiff_since, 0.499);
  EXPECT_LT(run.steps, 2000);
  Worst worst("the time at which friction has a speed");
  for (int row = 0; row < run.recording.rows(); ++row) {
    const double v = run.recording.state(row).v[0], t = run.recording.state(row).t;
    if (t < 0.499) worst.see(std::abs((clock(from) - clock(v)) / a - t));
    if (t > 0.501) {
      EXPECT_LT(std::abs(v), 1e-10);
    }
  }
  EXPECT_LT(worst.value(), 1e-9);
}

// A four-bar in a plane, closed by a point: three rows of rank two.
System four_bar_with_friction(VecX<>& q) {
  RobotDescription robot;
  robot.name = "four-bar";
  const double length[] = {0.3, 0.8, 0.7};
  std::string parent = "world";
  for (int i = 0; i < 3; ++i) {
    const std::string name = "bar" + std::to_string(i);
    robot.links.push_back(rod(name, length[i], length[i], x_axis));
    Joint joint = turning("q" + std::to_string(i), parent, name, Vec3<>(i == 0 ? 0 : length[i - 1], 0, 0), z_axis);
    joint.coordinates.resize(1);
    joint.coordinates[0].friction = 0.1 * (i + 1);
    joint.coordinates[0].damping = 0.01;
    robot.joints.push_back(joint);
    parent = name;
  }
  System system(build_model(robot, {0, -9.81, 0}));
  system.constrain("pin", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0)),
                                                       BodyPoint(system.model.frame("bar2").body, Vec3<>(0.7, 0, 0))));
  // crank at 60°; the other two by the law of cosines
  const double crank = pi / 3, dx = 1 - 0.3 * std::cos(crank), dy = -0.3 * std::sin(crank), d = std::hypot(dx, dy);
  const double coupler = std::atan2(dy, dx) + std::acos((0.64 + d * d - 0.49) / (2 * 0.8 * d));
  const double rocker = std::atan2(dy - 0.8 * std::sin(coupler), dx - 0.8 * std::cos(coupler));
  q = Vec3<>(crank, coupler - crank, rocker - coupler);
  return system;
}

// It swings, stops and creeps: three frictions whose fastest rate is some thousand 1/s. (At 1e-6 seventeen steps pass over a stop, and are off
// by 0.016; dopri5 by 0.0002.)
TEST(StiffDamping, ALoopWithFrictionMovesAsShortExplicitStepsSay) {
  VecX<> q;
  const System system = four_bar_with_friction(q);
  const State start(0, q, VecX<>::Zero(3));
  const Simulation exact = run_for(system, start, 0.6, rk4);
  const auto error_of = [&](const Simulation& run) {
    EXPECT_EQ(run.recording.rows(), exact.recording.rows());
    double worst = 0;
    for (int row = 0; row < run.recording.rows(); ++row) {
      const State here = run.recording.state(row), there = exact.recording.state(row);
      worst = std::max({worst, (here.q - there.q).cwiseAbs().maxCoeff(), (here.v - there.v).cwiseAbs().maxCoeff()});
    }
    return worst;
  };
  for (const double tolerance : {1e-8, 1e-9, 1e-10}) {
    const Simulation by_ark5 = run_for(system, start, 0.6, ark5, tolerance),
                     by_dopri5 = run_for(system, start, 0.6, dopri5, tolerance);
    ASSERT_FALSE(by_dopri5.stiff_since);  // too short for that
    const double error = error_of(by_ark5), explicit_error = error_of(by_dopri5);
    std::printf("[   seen   ] tolerance %.0e: ark5 %.2e in %ld steps, dopri5 %.2e in %ld\n", tolerance, error,
                by_ark5.steps, explicit_error, by_dopri5.steps);
    EXPECT_LT(error, 10 * explicit_error + 10 * tolerance);
    EXPECT_LT(by_ark5.worst_phi, 1e-13);
  }
}

TEST(StiffDamping, RunsThatAreNotStiffStayExplicit) {
  System system(build_model(wheel(1e-2, 0.05, 0.01, 0.1)));
  State start = at_rest(system);
  start.v[0] = 3;
  const Simulation run = run_for(system, start, 20);
  EXPECT_FALSE(run.stiff_since);
}

TEST(StiffDamping, TheFastestRateIsAnEigenvalue) {
  RobotDescription robot = chain(6);
  Random random(31);
  for (Joint& joint : robot.joints) {
    joint.coordinates.resize(1);
    joint.coordinates[0].damping = random.uniform(0.1, 1);
    joint.coordinates[0].friction = random.uniform(0, 1);
  }
  const System system(build_model(robot));
  const Model& model = system.model;
  VecX<> q(model.nq()), v(model.nv()), root(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    q[i] = random.uniform(-2, 2);
    v[i] = random.uniform(-2e-3, 2e-3);
    const double plus = joint_drag(model.coordinates()[i], v[i] + 1e-9).force;
    const double minus = joint_drag(model.coordinates()[i], v[i] - 1e-9).force;
    const double slope = joint_drag(model.coordinates()[i], v[i]).slope;
    EXPECT_NEAR((minus - plus) / 2e-9, slope, 1e-5 * slope);
    root[i] = std::sqrt(slope);
  }
  const MatX<> inverse = power(mass_matrix(model, q), -1);
  const VecX<> rates = eigenvalues(root.asDiagonal() * inverse * root.asDiagonal());
  const Problem problem = compile(system);
  Data data(problem);
  JointDamping damping(problem);
  ASSERT_TRUE(factorize_motion(q, v, 0, data));
  double rate = 0;
  for (int i = 0; i < 50; ++i) rate = damping.fastest_rate(v, data);
  EXPECT_NEAR(rate, rates[model.nv() - 1], 1e-6 * rate);
  EXPECT_LE(damping.least_rate(v, data), rate);
}

}  // namespace
}  // namespace trammel
