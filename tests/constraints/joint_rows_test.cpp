#include <gtest/gtest.h>

#include "constraints/dense.h"
#include "constraints/free_body.h"
#include "support/mechanisms.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/joint_speed.h"

namespace trammel {
namespace {

using namespace trammel::test;

/// Two wheels on their own vertical axles.
RobotDescription two_wheels(double I1, double I2) {
  RobotDescription robot;
  for (const auto& [name, I] : {std::pair("a", I1), std::pair("b", I2)}) {
    Link wheel;
    wheel.name = name, wheel.mass = 1, wheel.inertia = {I, I, I};
    robot.links.push_back(wheel);
    robot.joints.push_back(turning(std::string("q") + name, "world", name, {0, 0, 0}, z_axis));
  }
  return robot;
}

TEST(JointCoupling, AGearSharesTheTorqueByItsRatio) {
  // q2 = −3 q1 + t²: with q̈2 = −3 q̈1 + 2 and no other torques, λ = 2/(1/I2 + 9/I1)
  const double I1 = 2, I2 = 0.5;
  const Model model = build_model(two_wheels(I1, I2));
  const JointCoupling gear(model, {{1, 1}, {0, 3}}, [](const Jet& t) { return t * t; });
  VecX<> q(2), v(2);
  q << 0.1, 0.2, v << 0.3, 0.4;
  const DenseRows rows = rows_at(model, {&gear}, q, v, 0.7);
  EXPECT_NEAR(rows.phi[0], 0.2 + 3 * 0.1 - 0.49, 1e-15);
  EXPECT_NEAR(rows.rate[0], 0.4 + 3 * 0.3 - 1.4, 1e-15);
  const DenseMotion motion = motion_at(model, {&gear}, q, v, 0.7);
  const double torque = 2 / (1 / I2 + 9 / I1);
  EXPECT_NEAR(motion.lambda[0], torque, 1e-14);
  EXPECT_NEAR(motion.vdot[0], 3 * torque / I1, 1e-14);
  EXPECT_NEAR(motion.vdot[1], torque / I2, 1e-14);
}

TEST(JointCoupling, AMimicJointFollowsItsSource) {
  RobotDescription robot = two_wheels(1, 1);
  robot.couplings.push_back({"qb", "qa", -2.5, 0.3, {}});
  const Model model = build_model(robot);
  const JointCoupling mimic(model, model.couplings()[0]);
  VecX<> q(2);
  q << 0.4, -2.5 * 0.4 + 0.3;
  const DenseRows rows = rows_at(model, {&mimic}, q, VecX<>::Zero(2));
  EXPECT_NEAR(rows.phi[0], 0, 1e-16);
  EXPECT_EQ(rows.A, Eigen::RowVector2d(2.5, 1));
}

TEST(JointCoupling, RefusesQuaternionsAndEmptyTermsByName) {
  const Model model = build_model(free_body(1, {1, 1, 1}));
  EXPECT_NO_THROW(JointCoupling(model, {{2, 1}}, 0.5));
  for (const int q : {3, 6, 7, -1}) EXPECT_THROW(JointCoupling(model, {{q, 1}}, 0), Error) << q;
  EXPECT_THROW(JointCoupling(model, {}, 0), Error);
  EXPECT_THROW(JointCoupling(model, {{0, 0}}, 0), Error);
  EXPECT_THROW(JointCoupling(model, {{0, 1}, {0, 2}}, 0), Error);
  EXPECT_THROW(JointCoupling(model, {{0, 1}}, ScalarPath()), Error);
  try {
    JointCoupling(model, {{4, 1}}, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'free'"), std::string::npos) << error.what();
  }
}

TEST(JointSpeed, ItsMultiplierIsTheDrivingTorque) {
  // I ṡ with s = 3 + sin 2t
  const Model model = build_model(two_wheels(2, 0.5));
  const JointSpeed drive(model, 0, [](const Jet& t) { return 3 + sin(2 * t); });
  VecX<> v(2);
  v << 3.2, 1;
  const double t = 0.4;
  EXPECT_NEAR(rows_at(model, {&drive}, VecX<>::Zero(2), v, t).rate[0], 3.2 - (3 + std::sin(2 * t)), 1e-15);
  EXPECT_NEAR(motion_at(model, {&drive}, VecX<>::Zero(2), v, t).lambda[0], 2 * 2 * std::cos(2 * t), 1e-14);
  EXPECT_THROW(JointSpeed(model, 2, 1.0), Error);
}

TEST(JetEquation, ABeadOnAParabolaMovesByTheClosedForm) {
  // z = x²: ẍ(1 + f′²) = −f′(g + f″ẋ²)
  const Model model = build_model(free_body(1.5, {1, 1, 1}));
  const BodyPoint P(0, Vec3<>::Zero());
  const JetEquation wire({Quantity::point(P, x_axis), Quantity::point(P, z_axis)},
                         [](std::span<const Jet> p, const Jet&) { return p[1] - p[0] * p[0]; });
  const double x = 0.7, xdot = 1.3, df = 2 * x, ddf = 2, g = 9.81;
  const VecX<> q = free_coordinates({x, 0, x * x}, Mat3<>::Identity());
  const VecX<> v = free_velocities(Mat3<>::Identity(), {xdot, 0, df * xdot}, Vec3<>::Zero());
  const DenseMotion motion = motion_at(model, {&wire}, q, v);
  EXPECT_NEAR(motion.vdot[0], -df * (g + ddf * xdot * xdot) / (1 + df * df), 1e-14);
  // the gradient (−f′, 1) has length √(1 + f′²)
  EXPECT_NEAR(motion.lambda[0] * std::sqrt(1 + df * df), 1.5 * (g + ddf * xdot * xdot) / std::sqrt(1 + df * df), 1e-13);
}

TEST(JetEquation, AppellHamelFallsSlowedAndIsEmptyAtRest) {
  // ẋ² + ẏ² = a² ż²: A = 2 (ẋ, ẏ, −a² ż), b = 0, z̈ = −g/(1 + a²)
  const double a = 1.7;
  const Model model = build_model(free_body(1, {1, 1, 1}));
  const JetEquation law(
      {Quantity::speed(model, 0), Quantity::speed(model, 1), Quantity::speed(model, 2)},
      [a](std::span<const Jet> v, const Jet&) { return v[0] * v[0] + v[1] * v[1] - a * a * v[2] * v[2]; });
  EXPECT_EQ(law.level(0), Level::velocity);
  const VecX<> q = free_coordinates(Vec3<>::Zero(), Mat3<>::Identity());
  VecX<> v = VecX<>::Zero(6);
  v.head(3) << 0.6 * a, 0.8 * a, -1;
  EXPECT_NEAR(rows_at(model, {&law}, q, v).rate[0], 0, 1e-15);
  EXPECT_NEAR(motion_at(model, {&law}, q, v).vdot[2], -9.81 / (1 + a * a), 1e-14);
  EXPECT_EQ(rows_at(model, {&law}, q, VecX<>::Zero(6)).A.norm(), 0);
}

TEST(JetEquation, RefusesTooFewAndTooManyQuantities) {
  const Model model = build_model(two_wheels(1, 1));
  const JetEquation::Law law = [](std::span<const Jet> x, const Jet&) { return x[0]; };
  EXPECT_THROW(JetEquation({}, law), Error);
  EXPECT_THROW(JetEquation(std::vector<Quantity>(33, Quantity::speed(model, 0)), law), Error);
  EXPECT_THROW(JetEquation({Quantity::speed(model, 0)}, {}), Error);
  EXPECT_THROW(Quantity::speed(model, 2), Error);
  EXPECT_THROW(Quantity::point({0, Vec3<>::Zero()}, Vec3<>::Zero()), Error);
}

}  // namespace
}  // namespace trammel
