#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/random.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A 2 kg block that slides along x, with the given joint.
Model slider(const Coordinate& joint) {
  RobotDescription robot;
  robot.name = "slider";
  Link block;
  block.name = "block";
  block.mass = 2;
  robot.links.push_back(block);
  Joint slide = turning("x", "world", "block", Vec3<>::Zero(), x_axis);
  slide.type = JointType::prismatic;
  slide.coordinates = {joint};
  robot.joints.push_back(slide);
  return build_model(robot);
}

double acceleration(const Coordinate& joint, double x, double speed, double push) {
  return forward_dynamics(slider(joint), VecX<>::Constant(1, x), VecX<>::Constant(1, speed),
                          VecX<>::Constant(1, push))[0];
}

TEST(JointForces, DampingPullsBackInProportionToSpeed) {
  EXPECT_DOUBLE_EQ(acceleration({.damping = 3}, 0, 0.5, 4), (4 - 3 * 0.5) / 2);
}

TEST(JointForces, ASpringPullsBackToItsRest) {
  EXPECT_DOUBLE_EQ(acceleration({.stiffness = 7, .rest = 0.2}, 1.2, 0, 4), (4 - 7 * 1.0) / 2);
}

TEST(JointForces, CoulombFrictionActsAgainstTheMotionAndNotAtRest) {
  EXPECT_NEAR(acceleration({.friction = 3}, 0, 5, 4), (4 - 3) / 2.0, 3 * friction_speed * friction_speed / 25);
  EXPECT_NEAR(acceleration({.friction = 3}, 0, -5, 4), (4 + 3) / 2.0, 3 * friction_speed * friction_speed / 25);
  EXPECT_DOUBLE_EQ(acceleration({.friction = 3}, 0, 0, 4), 2);
}

TEST(JointForces, ARotorAddsToTheInertiaOfItsJointAlone) {
  EXPECT_DOUBLE_EQ(acceleration({.rotor_inertia = 6}, 0, 0, 4), 4.0 / (2 + 6));

  RobotDescription robot = arm7();
  const Model plain = build_model(robot);
  for (int i = 0; i < 7; ++i) robot.joints[i].coordinates = {Coordinate{.rotor_inertia = 0.1 * (i + 1)}};
  const Model geared = build_model(robot);
  Random random(3);
  const VecX<> q = random.vector(7, pi);
  const MatX<> added = mass_matrix(geared, q) - mass_matrix(plain, q);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) EXPECT_NEAR(added(i, j), i == j ? 0.1 * (i + 1) : 0, 1e-14);
}

TEST(JointForces, InverseDynamicsAsksTheMotorsToOvercomeThem) {
  const Model model = slider({.damping = 1, .friction = 2, .stiffness = 3, .rest = 0.5, .rotor_inertia = 4});
  const double speed = 10;
  const VecX<> tau =
      inverse_dynamics(model, VecX<>::Constant(1, 1.5), VecX<>::Constant(1, speed), VecX<>::Constant(1, 0.25));
  const double friction = 2 * speed / std::hypot(speed, friction_speed);
  EXPECT_DOUBLE_EQ(tau[0], (2 + 4) * 0.25 + 1 * speed + friction + 3 * (1.5 - 0.5));
}

}  // namespace
}  // namespace trammel
