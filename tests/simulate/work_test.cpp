// What a run says of its work: at every recorded moment, inside steps too, energy is that of the start and the work since.
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/worst.h"
#include "trammel/constraints/distance.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"
#include "trammel/system/working_force.h"

namespace trammel {
namespace {

using namespace trammel::test;

// RK4 at h loses up to (ωh)⁵/120 of twice the kinetic energy T in each step, ω the largest rate of the motion.
void expect_balance(const char* what, const System& system, const State& start, double omega, double T) {
  const double h = 2e-3, of_rk4 = 2 * T * std::pow(omega * h, 5) / 120 / h;  // over 1 s
  for (const Tableau* method : {&rk4, &dopri5, &dop8}) {
    SimulateOptions options;
    options.method = method;
    options.step = method->adaptive() ? 0 : h;
    options.record_every = 7e-3;  // no multiple of a step
    options.tolerance = {1e-11, 1e-11};
    const Simulation run = simulate(system, start, options);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    const VecX<> work = run.recording["work"];
    EXPECT_EQ(work[0], 0);
    EXPECT_GT(work.maxCoeff() - work.minCoeff(), 0.1) << "nothing was done";
    const VecX<> rest = run.recording["energy"] - work;
    Worst worst(std::string(what) + ", " + std::string(method->name) + ": energy less work");
    for (const double x : rest) worst.see(std::abs(x - rest[0]));
    EXPECT_LT(worst.value(), method->adaptive() ? 1e-8 : std::max(1e-8, of_rk4));
  }
}

TEST(Work, OfMotorsAndDampersIsWhatTheEnergyGains) {
  RobotDescription robot;
  robot.name = "pendulum";
  robot.links = {rod("bar", 1, 1, x_axis)};
  robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), y_axis)};
  robot.joints[0].coordinates = {Coordinate{.damping = 0.2, .stiffness = 3, .rest = 0.4}};
  System system(build_model(robot));
  const BodyPoint tip(system.model.frame("bar").body, {1, 0, 0});
  system.apply("spring", std::make_shared<SpringDamper>(BodyPoint(world, Vec3<>(0, 0, 2)), tip, 5, 0.3, 1.2));
  system.apply("motor", std::make_shared<FunctionForce>(
                            [](const Movement<double>& now, VecX<>& tau) { tau[0] += 2 * std::cos(3 * now.t); }));
  VecX<> q(1), v(1);
  q << 0.3;
  v << 1;
  expect_balance("pendulum", system, State(0.5, q, v), 8, 10);
}

TEST(Work, OfFrictionIsCountedOnce) {
  RobotDescription robot;
  robot.name = "bead";
  Link carrier, bob;
  carrier.name = "carrier";
  bob.name = "bob";
  bob.mass = 1.5;
  robot.links = {carrier, bob};
  robot.joints = {turning("x", "world", "carrier", Vec3<>::Zero(), x_axis),
                  turning("z", "carrier", "bob", Vec3<>::Zero(), z_axis)};
  for (Joint& joint : robot.joints) joint.type = JointType::prismatic;
  System system(build_model(robot));
  const BodyPoint bead(system.model.frame("bob"));
  system.constrain("ring", std::make_shared<Distance>(BodyPoint(), bead, 0.8));
  NamedConstraint& ring = system.constraints.back();
  ring.working = std::make_shared<CoulombFriction>(*ring.law, 0.3, bead, world, 1e-9);
  // fast enough to press outwards all the way round
  const double speed = 12, radius = 0.8;
  expect_balance("bead on a rough ring", system, State(0, Eigen::Vector2d(radius, 0), Eigen::Vector2d(0, speed)),
                 speed / radius, 0.5 * 1.5 * speed * speed);
}

}  // namespace
}  // namespace trammel
