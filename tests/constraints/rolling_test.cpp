#include "trammel/constraints/rolling.h"

#include <gtest/gtest.h>

#include "constraints/dense.h"
#include "constraints/free_body.h"
#include "trammel/constraints/joint_speed.h"

namespace trammel {
namespace {

using namespace trammel::test;

const Vec3<> up = Vec3<>::UnitZ();

TEST(RollingDisc, TurnsSteadilyAtTheSpeedOfTheClosedForm) {
  // leaning inward by α, centre on a circle of radius b: Ω² = m g r sin α / (cos α (m r b + J b/r + I sin α))
  const double m = 1.3, r = 0.5, b = 2, alpha = 0.2, J = m * r * r / 2, I = J / 2;
  const double sa = std::sin(alpha), ca = std::cos(alpha);
  const double Omega = std::sqrt(m * gravity * r * sa / (ca * (m * r * b + J * b / r + I * sa)));
  EXPECT_NEAR(Omega, 0.81081426256993249, 1e-15);

  const Model model = build_model(free_body(m, {I, I, J}));
  const RollingDisc disc({0, Vec3<>::Zero()}, up, r, {world, Vec3<>::Zero()}, up);
  const Vec3<> axis(ca, 0, sa);
  const Mat3<> R = frame_with_z(axis);
  const Vec3<> v(0, Omega * b, 0), w = Omega * up - (Omega * b / r + Omega * sa) * axis;
  const VecX<> q = free_coordinates({b, 0, r * ca}, R), speeds = free_velocities(R, v, w);

  const DenseRows rows = rows_at(model, {&disc}, q, speeds);
  EXPECT_LT(rows.phi.norm(), 1e-15);
  EXPECT_LT(rows.rate.norm(), 1e-15);
  const DenseMotion motion = motion_at(model, {&disc}, q, speeds);
  EXPECT_LT((motion.vdot - free_velocities(R, cross<double>(Omega * up, v), cross<double>(Omega * up, w))).norm(),
            1e-13);
  EXPECT_NEAR(motion.lambda[0], m * gravity, 1e-13);

  Kinematics<> kin(model);
  kinematics<double>(model, q, speeds, kin);
  EXPECT_LT((disc.contact(kin) - Vec3<>(b + r * sa, 0, 0)).norm(), 1e-15);
}

TEST(RollingSphere, OnATurntableItsCentreCirclesAtTwoSeventhsOfTheTable) {
  const double m = 0.7, r = 0.2, I = 0.4 * m * r * r, Omega = 1.7;
  RobotDescription robot = free_body(m, {I, I, I});
  robot.links.push_back(robot.links[0]);
  robot.links[1].name = "table";
  Joint axle;
  axle.name = "axle", axle.parent = "world", axle.child = "table";
  axle.at.p = {0, 0, 0.4};
  robot.joints.push_back(axle);
  const Model model = build_model(robot);
  const int ball = model.joint("free"), table = model.joint("axle");
  const RollingSphere rolls({ball, Vec3<>::Zero()}, r, {table, {0.1, -0.3, 0}}, up);
  const JointSpeed turns(model, model.bodies()[table].v, Omega);

  // rolling on the table: v − r ω × z = Ω z × p, so ω = z × (v − Ω z × p)/r and any spin about z
  const Vec3<> p(0.6, -0.2, 0.4 + r), v(0.3, 0.5, 0), slip = v - cross<double>(Omega * up, p);
  const Vec3<> w = cross<double>(up, slip) / r + 2.5 * up;
  VecX<> q(8), speeds(7);
  const Body& body = model.bodies()[ball];
  q[model.bodies()[table].q] = 0.3;
  q.segment(body.q, 7) = free_coordinates(p, Mat3<>::Identity());
  speeds[model.bodies()[table].v] = Omega;
  speeds.segment(body.v, 6) = free_velocities(Mat3<>::Identity(), v, w);

  const DenseRows rows = rows_at(model, {&rolls, &turns}, q, speeds);
  EXPECT_LT(rows.phi.norm(), 1e-15);
  EXPECT_LT(rows.rate.norm(), 1e-15);
  const DenseMotion motion = motion_at(model, {&rolls, &turns}, q, speeds);
  EXPECT_LT((motion.vdot.segment(body.v, 3) - 2.0 / 7 * cross<double>(Omega * up, v)).norm(), 1e-13);
  EXPECT_NEAR(motion.lambda[0], m * gravity, 1e-13);
}

TEST(Rolling, DownASlopeASphereTakesFiveSeventhsAndADiscTwoThirdsOfTheFreeAcceleration) {
  const double m = 2, r = 0.3, slope = 0.5;
  const Vec3<> n(std::sin(slope), 0, std::cos(slope)), down(std::cos(slope), 0, -std::sin(slope));
  const VecX<> q = free_coordinates(n * r, Mat3<>::Identity()), rest = VecX<>::Zero(6);
  const BodyPoint centre(0, Vec3<>::Zero()), ground(world, Vec3<>::Zero());

  const double I = 0.4 * m * r * r;
  const RollingSphere sphere(centre, r, ground, n);
  const DenseMotion ball = motion_at(build_model(free_body(m, {I, I, I})), {&sphere}, q, rest);
  EXPECT_LT((ball.vdot.head(3) - 5.0 / 7 * gravity * std::sin(slope) * down).norm(), 1e-13);
  EXPECT_NEAR(ball.lambda[0], m * gravity * std::cos(slope), 1e-13);

  const double J = m * r * r / 2;
  const RollingDisc disc(centre, Vec3<>::UnitY(), r, ground, n);
  const DenseMotion wheel = motion_at(build_model(free_body(m, {J / 2, J, J / 2})), {&disc}, q, rest);
  EXPECT_LT((wheel.vdot.head(3) - 2.0 / 3 * gravity * std::sin(slope) * down).norm(), 1e-13);
}

TEST(RollingWheel, StandsARimAndATyreHighAndTheDiscOnlyARim) {
  const Model model = build_model(free_body(1, {1, 1, 1}));
  const BodyPoint centre(0, Vec3<>::Zero()), ground(world, Vec3<>::Zero());
  const double lean = 0.4;
  const Vec3<> axis(std::cos(lean), 0, std::sin(lean));
  const RollingWheel wheel(centre, axis, 0.3, 0.05, ground, up);
  const RollingDisc disc(centre, axis, 0.3, ground, up);
  const VecX<> q = free_coordinates({0, 0, 1}, Mat3<>::Identity()), rest = VecX<>::Zero(6);
  EXPECT_NEAR(rows_at(model, {&wheel}, q, rest).phi[0], 1 - 0.3 * std::cos(lean) - 0.05, 1e-15);
  EXPECT_NEAR(rows_at(model, {&disc}, q, rest).phi[0], 1 - 0.3 * std::cos(lean), 1e-15);
}

TEST(RollingDisc, LyingFlatHasNoFiniteRows) {
  const Model model = build_model(free_body(1, {1, 1, 1}));
  const RollingDisc flat({0, Vec3<>::Zero()}, up, 0.3, {world, Vec3<>::Zero()}, up);
  const VecX<> q = free_coordinates({0, 0, 0}, Mat3<>::Identity());
  EXPECT_TRUE(std::isnan(rows_at(model, {&flat}, q, VecX<>::Zero(6)).A(0, 3)));
}

TEST(Rolling, RefusesWhatHasNoSize) {
  const BodyPoint S(0, Vec3<>::Zero()), O(world, Vec3<>::Zero());
  EXPECT_THROW(RollingSphere(S, 0, O, up), Error);
  EXPECT_THROW(RollingDisc(S, up, -1, O, up), Error);
  EXPECT_THROW(RollingDisc(S, Vec3<>::Zero(), 1, O, up), Error);
  EXPECT_THROW(RollingWheel(S, up, 1, 0, O, up), Error);
  EXPECT_THROW(RollingSphere(S, 1, O, Vec3<>::Zero()), Error);
}

}  // namespace
}  // namespace trammel
