#include "trammel/motion/power_balance.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "motion/led_five_bar.h"
#include "support/count_allocations.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/torques.h"
#include "trammel/system/matrix_system.h"

namespace trammel {
namespace {

using namespace trammel::test;
using Kind = PowerChannel::Kind;

// Everything that can do work: joints with springs, dampers and friction, forces, a path that moves, a rod that rubs; and motors, where
// control rows are tracked.
System random_working_system(Random& random) {
  System system = random_busy_system(random);
  const auto point = [&] { return BodyPoint(random.integer(0, system.model.body_count() - 1), random.vector(0.5)); };
  const BodyPoint led = point(), rubbed = point();
  const Vec3<> pace = random.vector(2);
  system.apply("spring", std::make_shared<SpringDamper>(BodyPoint(world, random.vector(2)), point(), 30, 4, 0.5));
  system.constrain("path", std::make_shared<PointOnPath>(
                               led, [pace](const Jet& t) { return Vec3<Jet>(t * pace[0], t * t * pace[1], Jet(0.0)); },
                               PointOnPath::Axes{true, false, false}));
  system.constrain("rough rod", std::make_shared<Distance>(BodyPoint(world, random.vector(3)), rubbed, 1));
  system.constraints.back().working =
      std::make_shared<CoulombFriction>(*system.constraints.back().law, random.uniform(0, 0.3), rubbed);
  if (random.integer(0, 1) == 0) system.constraints[0].baumgarte = Baumgarte{3, 40};
  if (random.integer(0, 1) == 0)
    for (int i = 0; i < system.model.nv(); ++i)
      system.drive({.name = system.model.velocity_name(i), .velocity = i, .limit = 20});
  return system;
}

double power_of(const PowerBalance& balance, const VecX<>& powers, const std::string& name) {
  for (std::size_t i = 0; i < balance.channels().size(); ++i)
    if (balance.channels()[i].name == name) return powers[static_cast<int>(i)];
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

// The size of what powers are sums of, W.
double size_of_powers(const VecX<>& v, const Data& data) {
  return (data.tau.norm() + data.motion.Qc.norm() + data.held().C.norm()) * v.norm();
}

TEST(PowerBalance, OfRandomSystemsAddsUpToThePowerOfAllForcesAndSplitsItAsTheLedgerDoes) {
  Worst sum("Σ P beside the power of all forces"), by_ledger("P of a constraint beside the ledger's"),
      by_force("P of a force asked by itself"), by_motor("P of a motor");
  int solved = 0, driven = 0;
  for (int seed = 0, all = cases(2000); seed < all; ++seed) {
    Random random(seed);
    const System system = random_working_system(random);
    const MotionOptions options{.baumgarte = random.integer(0, 3) == 0 ? Baumgarte{2, 9} : Baumgarte{}};
    Data data(compile(system, options));
    solve(random.uniform(0, 1), random_configuration(random, system.model), random.vector(system.model.nv(), 2), data);
    if (data.motion.status != Status::regular && data.motion.status != Status::redundant) continue;
    ++solved;
    const VecX<> v = data.at.v;
    PowerBalance balance(data.problem);
    const VecX<> powers = balance.evaluate(data);
    const double size = size_of_powers(v, data);
    sum.see(std::abs(powers.sum() - power(v, data)) / size);

    double ideal = 0;
    for (const ConstraintForce& force : force_ledger(data, data.held())) {
      const double P = force.generalised.dot(v);
      const bool own = std::ranges::count(balance.channels(), force.name, &PowerChannel::name) == 1;
      if (own)
        by_ledger.see(std::abs(power_of(balance, powers, force.name) - P) / size);
      else
        ideal += P;
    }
    if (balance.channels().back().kind == Kind::ideal_constraints)
      by_ledger.see(std::abs(power_of(balance, powers, "ideal constraints") - ideal) / size);
    for (const NamedForce& force : system.forces) {
      VecX<> tau = VecX<>::Zero(system.model.nv());
      force.law->add_to(system.model, data.turned_movement(), tau);
      by_force.see(std::abs(power_of(balance, powers, force.name) - tau.dot(v)) / size);
    }
    if (!data.motors) continue;
    ++driven;
    for (std::size_t j = 0; j < system.actuators.size(); ++j)
      by_motor.see(std::abs(power_of(balance, powers, "motor " + system.actuators[j].name) -
                            data.motors->torques.u[static_cast<int>(j)] * v[static_cast<int>(j)]));
  }
  EXPECT_GT(solved, cases(2000) / 4);
  EXPECT_GT(driven, cases(2000) / 40);
  EXPECT_LT(sum.value(), 200 * eps);
  EXPECT_LT(by_ledger.value(), 1e-9);  // λ from Y, as the ledger's tests have it
  EXPECT_LT(by_force.value(), 50 * eps);
  EXPECT_EQ(by_motor.value(), 0);
}

TEST(PowerBalance, OfJointsIsThatOfTheirSpringDamperAndFriction) {
  RobotDescription robot = chain(2);
  robot.joints[0].coordinates = {Coordinate{.damping = 0.7, .stiffness = 3, .rest = 0.4}};
  robot.joints[1].coordinates = {Coordinate{.friction = 1.5}};
  Data data(compile(System(build_model(robot))));
  const Eigen::Vector2d q(0.9, -0.2), v(1.1, -0.6);
  solve(0, q, v, data);
  PowerBalance balance(data.problem);
  ASSERT_EQ(balance.channels().size(), 3u);
  const VecX<> P = balance.evaluate(data);
  const std::vector<std::string> joints{robot.joints[0].name, robot.joints[1].name};
  EXPECT_NEAR(power_of(balance, P, "spring of " + joints[0]), -3 * 0.5 * 1.1, 4 * eps);
  EXPECT_NEAR(power_of(balance, P, "friction of " + joints[0]), -0.7 * 1.1 * 1.1, 4 * eps);
  EXPECT_NEAR(power_of(balance, P, "friction of " + joints[1]), -1.5 * 0.6 / std::hypot(1, friction_speed / 0.6),
              4 * eps);
}

TEST(PowerBalance, NamesEveryChannelOnce) {
  VecX<> q;
  System system = led_five_bar({"left", "right"}, q);
  const auto nothing = std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>&) {});
  system.apply("motor left", nothing);
  system.apply("ideal constraints", nothing);
  system.apply("stroke", nothing);
  std::vector<std::string> names;
  for (const PowerChannel& channel : power_channels(compile(system))) names.push_back(channel.name);
  EXPECT_EQ(names, (std::vector<std::string>{"motor left", "motor right", "motor left (force)", "ideal constraints",
                                             "stroke", "ideal constraints (ideal constraints)"}));
  system.actuators.clear();  // the stroke holds by itself
  names.clear();
  for (const PowerChannel& channel : power_channels(compile(system))) names.push_back(channel.name);
  EXPECT_EQ(names, (std::vector<std::string>{"motor left", "ideal constraints", "stroke", "stroke (constraint)",
                                             "ideal constraints (ideal constraints)"}));
}

TEST(PowerBalance, AllocatesNothing) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const System system = random_working_system(random);
    Data data(compile(system));
    solve(0, random_configuration(random, system.model), random.vector(system.model.nv(), 2), data);
    if (!has_motion(data.motion.status)) continue;
    PowerBalance balance(data.problem);
    std::vector<double> powers(balance.channels().size());
    const std::size_t before = allocation_count();
    balance.evaluate(data, powers);
    EXPECT_EQ(allocation_count() - before, 0u);
  }
}

TEST(PowerBalance, OfMatricesIsThatOfForcesAndConstraints) {
  MatrixSystem system;
  system.coordinates = {"x", "y"};
  system.mass = [](const VecX<>&, double, MatX<>& M) { M = MatX<>::Identity(2, 2) * 2; };
  system.forces = [](const VecX<>&, const VecX<>&, double, VecX<>& Q) { Q = Eigen::Vector2d(3, -1); };
  system.constraints.push_back(
      {"belt", 1, Level::velocity,
       [](const VecX<Jet>&, const VecX<Jet>& v, const Jet& t, Eigen::Ref<VecX<Jet>> out) { out[0] = v[0] - t * 5.0; }});
  Data data(compile(system));
  const Eigen::Vector2d v(4, 7);
  solve(0.8, Eigen::Vector2d::Zero(), v, data);
  PowerBalance balance(data.problem);
  const VecX<> P = balance.evaluate(data);
  EXPECT_EQ(balance.channels()[0].name, "forces");
  EXPECT_EQ(balance.channels()[1].name, "constraints");
  EXPECT_NEAR(P[0], 3 * 4 - 7, 1e-14);
  EXPECT_NEAR(P[1], (2 * 5 - 3) * 4, 1e-13);  // 2 v̇ = 3 + λ, v̇ = 5
  EXPECT_NEAR(P.sum(), power(v, data), 1e-13);
}

}  // namespace
}  // namespace trammel
