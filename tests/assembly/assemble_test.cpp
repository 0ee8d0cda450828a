#include "trammel/assembly/assemble.h"

#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/golden.h"
#include "support/linear_algebra.h"
#include "support/paper_systems.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/expression_constraint.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/constraints/weld.h"
#include "trammel/model/configuration.h"
#include "trammel/urdf/urdf.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A step of up to `angle` rad along angular velocities and `length` m along linear ones.
VecX<> random_step(Random& random, const Model& model, double angle, double length) {
  VecX<> step(model.nv());
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k)
      step[body.v + k] = is_angular(body.type, k) ? random.uniform(-angle, angle) : random.uniform(-length, length);
  return step;
}

Looped parallel() {
  System system = parallel_robot();
  const VecX<> q = parallel_start(system.model);
  return {std::move(system), q};
}

class Closing : public ::testing::TestWithParam<std::pair<const char*, Looped (*)()>> {};

TEST_P(Closing, NearlyEveryStartNearAClosedPostureClosesAtTheFirstAttempt) {
  Random random(5);
  const Looped looped = GetParam().second();
  ASSERT_LT(position_errors(looped.system, looped.q, 0).norm(), 1e-11) << "the posture itself is closed";
  Worst open(std::string(GetParam().first) + ": open after assembly"), rate(std::string(GetParam().first) + ": rate");
  AssemblyOptions once;
  once.restarts = 0;
  int closed = 0, with_restarts = 0;
  const int all = cases(1000);
  for (int i = 0; i < all; ++i) {
    const VecX<> q = retract(looped.system.model, looped.q, random_step(random, looped.system.model, 0.5, 0.2));
    const VecX<> v = random.vector(looped.system.model.nv(), 1);
    Assembly assembly = assemble(looped.system, q, v, 0, once);
    if (assembly.closed())
      ++closed;
    else
      assembly = assemble(looped.system, q, v);
    if (!assembly.closed()) {
      EXPECT_FALSE(assembly.open.empty());
      EXPECT_EQ(assembly.attempts, 41);
      continue;
    }
    ++with_restarts;
    open.see(position_errors(looped.system, assembly.q, 0).norm());
    const Equation e = dense_equation(looped.system, assembly.q, assembly.v);
    rate.see((e.A * assembly.v).norm());  // the loops do not depend on the time
  }
  std::printf("%s: %d of %d at the first attempt, %d with restarts\n", GetParam().first, closed, all, with_restarts);
  EXPECT_GE(closed, 0.99 * all);
  EXPECT_LT(open.value(), 1e-13);
  EXPECT_LT(rate.value(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Closing,
                         ::testing::Values(std::pair{"five-bar", &five_bar}, std::pair{"Stewart platform", &stewart},
                                           std::pair{"3-RRR", &three_rrr}, std::pair{"parallel robot", &parallel}),
                         [](const auto& mechanism) {
                           std::string name = mechanism.param.first;
                           std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return name;
                         });

TEST(Assemble, KeptCoordinatesStayAndOnlyTheOthersMove) {
  const Looped looped = five_bar();
  VecX<> q = looped.q;
  q[0] += 0.1;
  q[3] -= 0.2;
  AssemblyOptions options;
  options.keep = options.keep_speeds = {0, 1};
  const Assembly assembly = assemble(looped.system, q, Eigen::Vector4d(1, 0.5, 0, 0), 0, options);
  ASSERT_TRUE(assembly.closed()) << assembly.text();
  EXPECT_EQ(assembly.q.head(2), q.head(2));
  EXPECT_EQ(assembly.v.head(2), VecX<>(Eigen::Vector2d(1, 0.5)));
  EXPECT_GT((assembly.q - q).tail(2).norm(), 0.01);
}

TEST(Assemble, TakesTheLeastStepInTheMetricOfM) {
  // close to the constraints the step is Newton's least one: no other that closes as well is shorter
  Random random(8);
  const Looped looped = five_bar();
  for (int i = 0; i < 20; ++i) {
    const VecX<> q = looped.q + random.vector(4, 1e-5);
    const Assembly assembly = assemble(looped.system, q, VecX<>::Zero(4));
    const Equation e = dense_equation(looped.system, looped.q, VecX<>::Zero(4));
    const VecX<> step = assembly.q - q;
    const VecX<> force = e.M * step;  // M-least: the step is M⁻¹ of a constraint force
    const MatX<> N = kernel_of(e.A);
    EXPECT_LT((N.transpose() * force).norm(), 1e-3 * force.norm() * N.norm());
  }
}

TEST(Assemble, TheScaleOfAConstraintDoesNotChangeTheWay) {
  Looped looped = five_bar();
  const VecX<> q = looped.q + VecX<>(Eigen::Vector4d(0.1, -0.05, 0.2, 0.1)), v = Eigen::Vector4d(1, 0, 2, 0);
  const Assembly plain = assemble(looped.system, q, v);
  looped.system.constraints[0].scale = 50;
  const Assembly scaled = assemble(looped.system, q, v);
  ASSERT_TRUE(plain.closed() && scaled.closed()) << scaled.text();
  EXPECT_LT((scaled.q - plain.q).norm(), 1e-12);
  EXPECT_LT((scaled.v - plain.v).norm(), 1e-12);
  EXPECT_LE(std::abs(scaled.iterations - plain.iterations), 1);
}

TEST(Assemble, RowsOfSpeedsHaveNoSayInWhereThingsGo) {
  RobotDescription robot;
  robot.name = "slider";
  robot.links = {rod("slider", 1, 1, x_axis)};
  robot.joints = {turning("x", "world", "slider", Vec3<>::Zero(), x_axis)};
  robot.joints[0].type = JointType::prismatic;
  System system(build_model(robot));
  system.constrain("place",
                   std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1.0}}, 0.5));
  system.constrain("rest", std::make_shared<JointSpeed>(system.model, 0, 0.0));
  const Assembly assembly = assemble(system, VecX<>::Zero(1), VecX<>::Ones(1));
  ASSERT_TRUE(assembly.closed()) << assembly.text();
  EXPECT_EQ(assembly.iterations, 1);  // the row is linear
  EXPECT_EQ(assembly.q[0], 0.5);
  EXPECT_NEAR(assembly.v[0], 0, 1e-15);
}

TEST(Assemble, InputsHaveTheValuesThatTheSystemHolds) {
  System system(build_model(scara()));
  system.add_input("place");
  system.add_input("speed", 0.4);
  const auto hold = [&](const char* name, const char* text) {
    const Expression law = parse_equation(text, vocabulary_of(system));
    system.constrain(
        name, std::make_shared<ExpressionConstraint>(system.model, law, std::vector<double>{}, system.input_names()));
  };
  hold("led", "q1 = 0.1 + 2*place");
  hold("turning", "v(q2) = speed");
  for (const double place : {0.0, 0.3}) {
    system.inputs[0].value = place;
    EXPECT_NEAR(position_errors(system, VecX<>::Zero(4), 0)[0], -0.1 - 2 * place, 1e-15);
    const Assembly start = assemble(system, VecX<>::Zero(4), VecX<>::Zero(4));
    ASSERT_TRUE(start.closed()) << start.text();
    EXPECT_NEAR(start.q[0], 0.1 + 2 * place, 1e-12);
    EXPECT_NEAR(start.v[1], 0.4, 1e-12);
  }
}

TEST(Assemble, AJointThatAnEquationLeadsIsAsManyTurnsAwayAsItSays) {
  System system(build_model(scara()));
  const Expression law = parse_equation("q1 = 5000", vocabulary_of(system));
  system.constrain("led", std::make_shared<ExpressionConstraint>(system.model, law));
  const Assembly start = assemble(system, VecX<>::Zero(4), VecX<>::Zero(4));
  ASSERT_TRUE(start.closed()) << start.text();
  EXPECT_NEAR(start.q[0], 5000, 1e-9);
  EXPECT_LT(start.iterations, 5);
}

TEST(Assemble, OfManyPlacesThatCloseItTakesTheNearest) {
  // a stretched arm cannot bend by Newton's steps: restarts must, and find both elbows with any number of turns
  RobotDescription robot;
  robot.name = "two rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "b", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  System system(build_model(robot));
  system.constrain("tip",
                   std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0)), BodyPoint(system.model.frame("tip")),
                                                world, Mat3<>::Identity().leftCols(2)));
  const Assembly assembly = assemble(system, VecX<>::Zero(2), VecX<>::Zero(2));
  ASSERT_TRUE(assembly.closed()) << assembly.text();
  EXPECT_GT(assembly.attempts, 1);
  EXPECT_NEAR(std::abs(assembly.q[0]), pi / 3, 1e-9);
  EXPECT_NEAR(std::abs(assembly.q[1]), 2 * pi / 3, 1e-9);
}

TEST(Assemble, ALoopThatCannotCloseIsOutOfReachByNameAndDistance) {
  // bases 1.3 m apart, arms of 0.6 m: 0.1 m are missing
  Looped looped = five_bar();
  System far(looped.system.model);
  far.constrain(
      "reach", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(0.7, 0, 0)), BodyPoint(far.model.frame("left tip")),
                                            world, Mat3<>::Identity().leftCols(2)));
  const Assembly assembly = assemble(far, looped.q, VecX<>::Zero(4));
  EXPECT_EQ(assembly.status, AssemblyStatus::out_of_reach);
  EXPECT_EQ(assembly.open, "reach");
  EXPECT_NEAR(assembly.residual.size(), 0.1, 1e-4);
  EXPECT_NE(assembly.text().find("'reach' is out of reach by 0.1 m"), std::string::npos) << assembly.text();
}

TEST(Assemble, SpeedsThatAreKeptAndCannotGoTogetherAreNamed) {
  const Looped looped = five_bar();
  AssemblyOptions options;
  options.keep_speeds = {0, 1, 2, 3};
  const Assembly assembly = assemble(looped.system, looped.q, Eigen::Vector4d(1, 0, 0, 0), 0, options);
  EXPECT_EQ(assembly.status, AssemblyStatus::velocities_open);
  EXPECT_EQ(assembly.open, "tips");
}

TEST(Assemble, AJointThatIsKeptInPlaceTakesTheSpeedOfItsPath) {
  Looped looped = five_bar();
  const double there = looped.q[0];
  const ScalarPath path = [there](const Jet& t) { return there + 3.0 * t; };
  looped.system.constrain(
      "lead", std::make_shared<JointCoupling>(looped.system.model, std::vector<JointCoupling::Term>{{0, 1.0}}, path),
      Layer::control, 0.1);
  AssemblyOptions options;
  options.keep = {0};
  const Assembly assembly = assemble(looped.system, looped.q, VecX<>::Zero(4), 0, options);
  ASSERT_TRUE(assembly.closed()) << assembly.text();
  EXPECT_EQ(assembly.q[0], there);
  EXPECT_NEAR(assembly.v[0], 3, 1e-12);
  // an angle is told in rad, unweighted
  options.keep_speeds = {0};
  EXPECT_EQ(assemble(looped.system, looped.q, VecX<>::Zero(4), 0, options).text(),
            "'lead' moves apart at 3 rad/s, and no speeds that may be changed prevent it");
  EXPECT_EQ(assemble(looped.system, looped.q, VecX<>::Zero(4), 0.1, options).text(),
            "'lead' is open by 0.3 rad, and what 'keep' holds is the reason: without it the start closes");
}

TEST(Assemble, FalseSolutionsOfAWeldAreLeft) {
  RobotDescription robot;
  robot.name = "free body";
  robot.links.push_back(rod("body", 1, 1, x_axis));
  Joint joint;
  joint.name = "free";
  joint.type = JointType::floating;
  joint.parent = "world";
  joint.child = "body";
  robot.joints.push_back(joint);
  System system(build_model(robot));
  system.constrain("grip", std::make_shared<Weld>(Frame{"world", world, {}}, system.model.frame("body")));
  Random random(3);
  int closed = 0;
  for (int i = 0; i < 200; ++i) {
    const VecX<> q = random_configuration(random, system.model);
    const Assembly assembly = assemble(system, q, VecX<>::Zero(6));
    if (!assembly.closed()) continue;
    ++closed;
    EXPECT_NEAR(std::abs(assembly.q[3]), 1, 1e-12);  // no rotation at all
  }
  std::printf("weld: %d of 200 random orientations closed\n", closed);
  EXPECT_EQ(closed, 200);
}

// A robot whose root floats, from a seeded pose: anywhere within 2 m, turned anyhow, its joints anywhere within their limits.
VecX<> random_pose(Random& random, const Model& model) {
  VecX<> q = neutral_configuration(model);
  for (const Body& body : model.bodies()) {
    if (body.type == JointType::floating) {
      q.segment<3>(body.q) = random.vector(2);
      q.segment<4>(body.q + 3) = random.quaternion();
      continue;
    }
    const Coordinate& c = model.coordinates()[body.v];
    q[body.q] = random.uniform(std::max(c.lower, -pi), std::min(c.upper, pi));
  }
  return q;
}

// Welds a foot to the world from 100 seeded poses: the base goes there, and the joints stay where they are.
void expect_base_goes_to_foot(RobotDescription robot, const std::string& foot) {
  std::vector<std::string> children;
  for (const Joint& joint : robot.joints) children.push_back(joint.child);
  const auto root = std::ranges::find_if(
      robot.links, [&](const Link& link) { return std::ranges::find(children, link.name) == children.end(); });
  ASSERT_NE(root, robot.links.end());
  Joint base;
  base.name = "floating base";
  base.type = JointType::floating;
  base.parent = "world";
  base.child = root->name;
  robot.joints.insert(robot.joints.begin(), base);
  System system(build_model(robot));
  system.constrain("sole", std::make_shared<Weld>(Frame{"ground", world, {Mat3<>::Identity(), Vec3<>(0.3, -0.2, 0)}},
                                                  system.model.frame(foot)));
  Random random(22);
  Worst open(robot.name + ": open after assembly");
  const int nv = system.model.nv();
  for (int i = 0; i < 100; ++i) {
    const VecX<> q = random_pose(random, system.model);
    const Assembly assembly = assemble(system, q, VecX<>::Zero(nv));
    ASSERT_TRUE(assembly.closed()) << i << ": " << assembly.text();
    open.see(position_errors(system, assembly.q, 0).norm());
    EXPECT_EQ(assembly.q.tail(nv - 6), q.tail(nv - 6));
  }
  EXPECT_LT(open.value(), 1e-13);
}

class OthersHumanoids : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OthersHumanoids, WeldedAtAFootCloseWithinTheirLimits) {
  const std::filesystem::path file = others_robot(GetParam().first);
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  expect_base_goes_to_foot(read_urdf(file), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Robots, OthersHumanoids,
                         ::testing::Values(std::pair{"simple_humanoid_description/urdf/simple_humanoid.urdf",
                                                     "LLEG_LINK5"},
                                           std::pair{"solo_description/robots/solo12.urdf", "FL_FOOT"}),
                         [](const auto& robot) { return robot_name(robot.param.first); });

TEST(Assemble, ALegStaysWithinItsLimitsWhereItClosesSo) {
  // a leg of two rods of 1 m from a hip at the origin, knee within 0.1 … 2.5: both sides reach, one of them within the limits
  RobotDescription robot;
  robot.name = "leg";
  robot.links = {rod("thigh", 1, 1, x_axis), rod("shin", 1, 1, x_axis)};
  robot.joints = {turning("hip", "world", "thigh", Vec3<>::Zero(), z_axis),
                  turning("knee", "thigh", "shin", {1, 0, 0}, z_axis)};
  robot.joints[1].coordinates.push_back({.lower = 0.1, .upper = 2.5});
  robot.frames = {{"toe", "shin", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  System system(build_model(robot));
  const auto reach = [&](double x, double y) {
    System there = system;
    there.constrain("toe",
                    std::make_shared<Coincident>(BodyPoint(world, Vec3<>(x, y, 0)), BodyPoint(there.model.frame("toe")),
                                                 world, Mat3<>::Identity().leftCols(2)));
    return there;
  };
  Random random(4);
  int beyond = 0;
  for (int i = 0; i < 100; ++i) {
    const double distance = random.uniform(0.7, 1.95), angle = random.uniform(-pi, pi);
    const System there = reach(distance * std::cos(angle), distance * std::sin(angle));
    const Eigen::Vector2d q(random.uniform(-pi, pi), random.uniform(0.1, 2.5));
    const Assembly within = assemble(there, q, VecX<>::Zero(2));
    ASSERT_TRUE(within.closed()) << within.text();
    EXPECT_NEAR(within.q[1], 2 * std::acos(distance / 2), 1e-9) << i;  // the side that the limits allow
    AssemblyOptions free;
    free.within_limits = false;
    const Assembly anyhow = assemble(there, q, VecX<>::Zero(2), 0, free);
    if (anyhow.q[1] < 0.1 || anyhow.q[1] > 2.5) ++beyond;
  }
  std::printf("leg: %d of 100 pass their limits where these do not count\n", beyond);
  EXPECT_GT(beyond, 0);
  // at 0.2 m no knee within the limits reaches: it closes beyond
  const Assembly must = assemble(reach(0.2, 0), Eigen::Vector2d(0, 1), VecX<>::Zero(2));
  ASSERT_TRUE(must.closed()) << must.text();
  EXPECT_GT(std::abs(must.q[1]), 2.5);
}

TEST(Assemble, WhatIsAtItsLimitLeavesTheRestToOthers) {
  // by the metric of M the light slider would go nearly all of the way, and its limit lets it go a tenth
  RobotDescription robot;
  robot.name = "sliders";
  robot.links = {rod("light", 0.01, 1, x_axis), rod("heavy", 10, 1, x_axis)};
  robot.joints = {turning("x", "world", "light", Vec3<>::Zero(), x_axis),
                  turning("y", "world", "heavy", Vec3<>::Zero(), x_axis)};
  for (Joint& joint : robot.joints) joint.type = JointType::prismatic;
  robot.joints[0].coordinates.push_back({.lower = -1, .upper = 0.1});
  System system(build_model(robot));
  system.constrain(
      "sum", std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1.0}, {1, 1.0}}, 1.0));
  const Assembly assembly = assemble(system, VecX<>::Zero(2), VecX<>::Zero(2));
  ASSERT_TRUE(assembly.closed()) << assembly.text();
  EXPECT_EQ(assembly.q[0], 0.1);
  EXPECT_NEAR(assembly.q[1], 0.9, 1e-12);
  EXPECT_LE(assembly.iterations, 3);
}

}  // namespace
}  // namespace trammel
