#include "trammel/simulate/projection.h"

#include <gtest/gtest.h>

#include "support/linear_algebra.h"
#include "support/mechanisms.h"
#include "support/paper_systems.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Two rods of 1 m that turn about z, without weight.
System two_rods() {
  RobotDescription robot;
  robot.name = "two rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "b", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  return System(build_model(robot, Vec3<>::Zero()));
}

SimulateOptions rk4_for(double duration) {
  SimulateOptions out;
  out.method = &rk4;
  out.step = out.record_every = 0.01;
  out.duration = duration;
  return out;
}

TEST(Projection, BringsSpeedsOntoARowThatIsNotLinearInThemToTheLastDigits) {
  System system = two_rods();
  const auto pace = [](std::span<const Jet> w, const Jet&) { return w[0] * w[0] + w[1] * w[1] - 4.0; };
  system.constrain("pace", std::make_shared<JetEquation>(
                               std::vector{Quantity::speed(system.model, 0), Quantity::speed(system.model, 1)}, pace));
  // a start that is far off: several rounds are needed
  const Simulation run = simulate(system, State(0, vector({0.3, 0.7}), vector({1, 1.5})), rk4_for(0.1));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_LT(std::abs(run.recording(0, "phidot.pace")), 1e-14);
  EXPECT_LT(run.worst_rate, 1e-14);
}

TEST(Projection, WeighsErrorsOfPlacesBesideRowsOfSpeedsAsTheirRows) {
  System system = two_rods();
  const double angle = 1, length = 0.05;
  system.constrain("heading",
                   std::make_shared<FixedAngle>(BodyDirection{world, x_axis},
                                                BodyDirection{system.model.frame("b").body, x_axis}, angle, length));
  system.constrain("crank",
                   std::make_shared<JointSpeed>(system.model, 0, [](const Jet& t) { return 2.0 + sin(t * 5.0); }));
  const Simulation run = simulate(system, State(0, vector({0.3, angle - 0.3}), vector({2, -2})), rk4_for(1));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_LT(run.worst_phi, 1e-14);
}

TEST(Projection, StepsOfPlacesBesideRowsOfSpeedsAreTheLeastThatTheirOwnRowsAsk) {
  // s = M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹c with the rows of the heading and the height alone, whatever lengths their angles are told to be
  RobotDescription robot;
  robot.name = "three rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis), rod("c", 2, 0.5, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis),
                  turning("q3", "b", "c", {1, 0, 0}, z_axis)};
  System system(build_model(robot, Vec3<>::Zero()));
  system.constrain("crank", std::make_shared<JointSpeed>(system.model, 0, [](const Jet&) { return Jet(2.0); }));
  system.constrain("heading",
                   std::make_shared<FixedAngle>(BodyDirection{world, x_axis},
                                                BodyDirection{system.model.frame("c").body, x_axis}, 1, 0.05));
  system.constrain("height", std::make_shared<PointOnPath>(
                                 BodyPoint(system.model.frame("c")),
                                 [](const Jet&) { return Vec3<Jet>(Jet(0.0), Jet(0.5), Jet(0.0)); },
                                 PointOnPath::Axes{false, true, false}));
  Data data(compile(system));
  Random random(8);
  Worst worst("least steps of places against the dense formula");
  for (int i = 0, all = cases(100); i < all; ++i) {
    const State at(0, random.vector(3, 1), random.vector(3, 1));
    ASSERT_TRUE(factorize(at, data));
    const VecX<> change = random.vector(3, 0.1);
    VecX<> step(3);
    least_position_step(change, data, step);
    const Equation e = dense_equation(system, at.q, at.v);
    const MatX<> A = e.A.bottomRows(2), MinvAt = inverse_of(e.M) * A.transpose();
    const MatX<> delassus = A * MinvAt;
    if (std::abs((delassus(0, 0) * delassus(1, 1) - delassus(0, 1) * delassus(1, 0))) < 1e-2 * delassus.squaredNorm())
      continue;
    const VecX<> least = MinvAt * inverse_of(delassus) * change.tail(2);
    worst.see((step - least).norm() / least.norm());
  }
  EXPECT_LT(worst.value(), 1e-12);  // 1 / 1e-2 of the determinant, and cond(M) of about 100
}

TEST(Projection, TakesLeastStepsWithFactorsOfAStateNearbyWhereTheseLeadOntoTheConstraints) {
  const System system = parallel_robot();
  const int n = system.model.nv();
  Data data(compile(system));
  const ModelManifold manifold(system.model);
  Projection projection(data, manifold);
  Random random(9);
  State on(0, parallel_start(system.model), random.vector(n, 1));
  ASSERT_TRUE(factorize(on, data) && projection.onto_constraints(on));
  EXPECT_EQ(projection.correct(on), Projection::Correction::not_needed);

  Worst places("|φ| after a least step (m)"), speeds("|φ̇| after a least step (m/s)");
  for (int i = 0, all = cases(100); i < all; ++i) {
    // the factors of a state that is a step of 1 ms away
    ASSERT_TRUE(factorize(State(0, on.q + random.vector(n, 1e-3), on.v), data));
    State at(0, on.q + random.vector(n, 1e-13), on.v + random.vector(n, 1e-13));
    evaluate_rows(at, data);
    ASSERT_EQ(projection.correct(at), Projection::Correction::converged);
    evaluate_rows(at, data);
    ASSERT_TRUE(projection.holds(at));
    places.see(largest_error(held_phi(data), data.problem.held().weight));
    speeds.see(largest_error(held_rate(data), data.problem.held().weight));
  }
  EXPECT_LT(places.value(), 1e-14);
  EXPECT_LT(speeds.value(), 1e-14);

  // several steps from further away
  State off(0, on.q + random.vector(n, 1e-6), on.v + random.vector(n, 1e-6));
  evaluate_rows(off, data);
  EXPECT_EQ(projection.correct(off), Projection::Correction::converged);
  evaluate_rows(off, data);
  EXPECT_TRUE(projection.holds(off));
  // and none where they do not come nearer
  const State elsewhere(0, on.q + random.vector(n, 1), on.v);
  State lost = elsewhere;
  evaluate_rows(lost, data);
  EXPECT_EQ(projection.correct(lost), Projection::Correction::diverged);
  EXPECT_EQ(lost.q, elsewhere.q);
  EXPECT_EQ(lost.v, elsewhere.v);
}

TEST(Projection, SaysSoWhereThePlaceIsOutOfReach) {
  System system = two_rods();
  system.constrain("path", std::make_shared<PointOnPath>(
                               BodyPoint(system.model.frame("tip")),
                               [](const Jet& t) { return Vec3<Jet>(t * 4.0 + 1.0, Jet(0.0), Jet(0.0)); },
                               PointOnPath::Axes{true, true, false}));
  // the tip at x = 1: the arm is stretched out at t = 0.25, inside a step
  SimulateOptions options = rk4_for(1);
  options.step = 0.1;
  const VecX<> q = vector({pi / 3, -2 * pi / 3});
  const Simulation run = simulate(system, State(0, q, VecX<>::Zero(2)), options);
  EXPECT_EQ(run.status, RunStatus::left_constraints) << name_of(run.status) << ": " << run.what;
  EXPECT_LT(run.worst_phi, 1e-14);
}

}  // namespace
}  // namespace trammel
