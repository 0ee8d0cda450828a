// Alignment, weld and orientations on paths: what the contract cannot see, because it only compares derivatives.
#include <gtest/gtest.h>

#include "constraints/dense.h"
#include "constraints/free_body.h"
#include "support/mechanisms.h"
#include "support/worst.h"
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/axis_on_path.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/weld.h"

namespace trammel {
namespace {

using namespace trammel::test;

const Model lone_body = build_model(free_body(1, {1, 2, 3}));
const Frame on_world{"F", world, {}}, on_body{"M", 0, {}};
const VecX<> at_rest = VecX<>::Zero(6);

VecX<> turned(const Mat3<>& R) { return free_coordinates(Vec3<>::Zero(), R); }

ScalarPath constant(double x) {
  return [x](const Jet&) { return Jet(x); };
}

TEST(Weld, MeasuresASmallRotationAboutTheFirstFramesAxes) {
  const Weld weld(on_world, on_body);
  const Vec3<> theta(1e-6, -2e-6, 3e-6);
  const DenseRows rows = rows_at(lone_body, {&weld}, turned(exp_so3(theta)), at_rest);
  EXPECT_LT((rows.phi.tail(3) - theta).norm(), 2 * theta.squaredNorm());
  EXPECT_LT((rows.A - MatX<>(MatX<>::Identity(6, 6))).norm(), 2 * theta.norm());
}

TEST(Weld, HoldsAtSevenFalseOrientationsWhoseTraceIsNotThree) {
  const Weld weld(on_world, on_body);
  const auto look = [&](const Mat3<>& R) {
    const DenseRows rows = rows_at(lone_body, {&weld}, turned(R), at_rest);
    EXPECT_LT(rows.phi.norm(), 1e-15);
    EXPECT_EQ(rank_of(rows.A), 6);
    return R.trace();
  };
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(look(exp_so3(pi * Vec3<>::Unit(i))), -1, 1e-14);
  // a third of a turn about a diagonal takes each axis to the next or to the one before; the rows allow one of the two
  const double third = -2 * pi / 3 / std::sqrt(3);
  for (const Vec3<>& diagonal : {Vec3<>(1, 1, 1), Vec3<>(1, -1, -1), Vec3<>(-1, 1, -1), Vec3<>(-1, -1, 1)})
    EXPECT_NEAR(look(exp_so3(third * diagonal)), 0, 1e-14);
  EXPECT_EQ(look(Mat3<>::Identity()), 3);
}

TEST(Aligned, HoldsForwardsAndBackwardsAndLeavesTheSpinFree) {
  Random random(3);
  const Vec3<> a = random.direction();
  const Aligned aligned({world, a}, {0, Vec3<>::UnitX()});
  for (const double sign : {1.0, -1.0}) {
    Mat3<> R;  // its x along ±a
    const Mat3<> F = frame_with_z(sign * a);
    R << F.col(2), F.col(0), F.col(1);
    const DenseRows rows = rows_at(lone_body, {&aligned}, turned(R), at_rest);
    EXPECT_LT(rows.phi.norm(), 1e-15);
    EXPECT_EQ(rank_of(rows.A), 2);
    EXPECT_LT((rows.A * VecX<>(VecX<>::Unit(6, 3))).norm(), 1e-15);
  }
}

TEST(FixedAngle, RefusesTheAnglesWhereItsRowVanishes) {
  const BodyDirection f{world, Vec3<>::UnitX()}, m{0, Vec3<>::UnitX()};
  EXPECT_THROW(FixedAngle(f, m, 0), Error);
  EXPECT_THROW(FixedAngle(f, m, pi), Error);
  EXPECT_THROW(FixedAngle(f, {0, Vec3<>::Zero()}, 1), Error);
  EXPECT_THROW(Aligned(f, {0, Vec3<>::Zero()}), Error);
}

TEST(OrientationOnPath, FollowsEulerAnglesAsThePaperWritesThem) {
  // R = Rz(φ) Ry(θ) Rz(ψ), each turn by exp_so3
  const double phi = 0.4, theta = 1.1, psi = -2.3;
  const Mat3<> R = exp_so3(phi * Vec3<>::UnitZ()) * exp_so3(theta * Vec3<>::UnitY()) * exp_so3(psi * Vec3<>::UnitZ());
  EXPECT_LT((at(zyz_path(constant(phi), constant(theta), constant(psi)), 0.0) - R).norm(), 1e-15);
}

TEST(OrientationOnPath, OnAScaraIsTheSumOfItsAnglesThoughEulerAnglesDegenerate) {
  // q1 + q2 + q3 = 0, eq. (46): θ = 0, where φ and ψ are not defined apart
  RobotDescription robot;
  robot.links = {rod("link1", 1, 0.2, y_axis), rod("link2", 1, 0.25, y_axis), rod("tool", 1, 0.1, z_axis)};
  robot.joints = {turning("q1", "world", "link1", {0, 0, 0}, z_axis),
                  turning("q2", "link1", "link2", {0, 0.2, 0}, z_axis),
                  turning("q3", "link2", "tool", {0, 0.25, 0}, z_axis)};
  const Model scara = build_model(robot);
  // two ways to share the heading 0.2 t − 0.1 t² between φ and ψ: the same rotation, the same rows
  const ScalarPath part = [](const Jet& t) { return sin(3 * t) + t; };
  const ScalarPath remainder = [=](const Jet& t) { return 0.2 * t - 0.1 * t * t - part(t); };
  const ScalarPath heading = [](const Jet& t) { return 0.2 * t - 0.1 * t * t; };
  const OrientationOnPath one(scara.frame("tool"), zyz_path(part, constant(0), remainder));
  const OrientationOnPath two(scara.frame("tool"), zyz_path(constant(0), constant(0), heading));

  const double t = 0.8;
  const Jet h = moving(heading, t);
  VecX<> q(3), v(3);
  q << 0.7, -1.9, h.x - 0.7 + 1.9;
  v << 0.3, 0.5, h.dx - 0.8;
  for (const Constraint* kind : {&one, &two}) {
    const DenseRows rows = rows_at(scara, {kind}, q, v, t);
    EXPECT_LT(rows.phi.norm() + rows.rate.norm(), 1e-14);
    EXPECT_LT(rows.A.topRows(2).norm(), 1e-15);
    EXPECT_LT(rows.b.head(2).norm(), 1e-15);
    EXPECT_LT((rows.A.row(2) - Eigen::RowVector3d(1, 1, 1)).norm(), 1e-14);
    EXPECT_NEAR(rows.b[2], h.ddx, 1e-14);
  }
}

TEST(AxisOnPath, ADirectionThatCirclesTurnsTheBodyWithItAndLeavesTheSpinFree) {
  // m = z along n(t) = (cos t, sin t, 0), the body turning at 1 rad/s about the vertical and spinning about m: ω̇ = ẑ × ω
  const AxisOnPath follows({0, Vec3<>::UnitZ()},
                           [](const Jet& t) { return Vec3<Jet>(7 * cos(t), 7 * sin(t), Jet(0)); });
  const Model ball = build_model(free_body(1, {1, 1, 1}));
  const double t = 0.6;
  const Vec3<> n(std::cos(t), std::sin(t), 0), w = Vec3<>::UnitZ() + 2 * n;
  const Mat3<> R = frame_with_z(n);
  const VecX<> q = turned(R), v = free_velocities(R, Vec3<>::Zero(), w);
  const DenseRows rows = rows_at(ball, {&follows}, q, v, t);
  EXPECT_LT(rows.phi.norm() + rows.rate.norm(), 1e-15);
  // of a ball, the moment across m gives ω̇ = 2 ẑ × n, and none is left along m
  const VecX<> vdot = motion_at(ball, {&follows}, q, v, t).vdot;
  EXPECT_LT((R * vdot.tail(3) - 2 * cross<double>(Vec3<>::UnitZ(), n)).norm(), 1e-14);
}

TEST(Paths, AnEmptyFunctionIsRefused) {
  EXPECT_THROW(OrientationOnPath(on_body, RotationPath()), Error);
  EXPECT_THROW(AxisOnPath({0, Vec3<>::UnitZ()}, VectorPath()), Error);
  EXPECT_THROW(zyz_path(constant(0), ScalarPath(), constant(0)), Error);
}

}  // namespace
}  // namespace trammel
