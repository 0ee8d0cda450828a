// Points on surfaces and paths: forces by closed forms.
#include <gtest/gtest.h>

#include "constraints/dense.h"
#include "constraints/free_body.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/point_on_sphere.h"

namespace trammel {
namespace {

using namespace trammel::test;

const double m = 1.5;
const Model particle = build_model(free_body(m, {1, 1, 1}));
const BodyPoint P(0, Vec3<>::Zero()), O(world, {0.2, -0.1, 0.3});
const Mat3<> straight = Mat3<>::Identity();

VecX<> place(const Vec3<>& p) { return free_coordinates(O.p_BP + p, straight); }
VecX<> moving_with(const Vec3<>& v) { return free_velocities(straight, v, Vec3<>::Zero()); }

TEST(PointOnPlane, ASlopeCarriesTheWeightsComponentAlongItsNormal) {
  const Vec3<> n = Vec3<>(1, 2, 3).normalized(), across = cross<double>(n, Vec3<>::UnitX());
  const PointOnPlane slope(P, O, 5 * n);
  const DenseMotion motion = motion_at(particle, {&slope}, place(across), moving_with(across));
  EXPECT_NEAR(motion.lambda[0], m * gravity * n.z(), 1e-13);
  EXPECT_NEAR(rows_at(particle, {&slope}, place(0.2 * n), moving_with(across)).phi[0], 0.2, 1e-15);
}

TEST(PointOnLine, ABeadOnAStraightWireFallsAlongIt) {
  const Vec3<> a = Vec3<>(1, 2, 3).normalized();
  const PointOnLine wire(P, O, 0.1 * a);
  const VecX<> vdot = motion_at(particle, {&wire}, place(0.4 * a), moving_with(2 * a)).vdot;
  EXPECT_LT((vdot.head(3) + gravity * a.z() * a).norm(), 1e-13);
}

TEST(PointOnCylinder, CirclingInsideAPipePressesWithMassTimesSpeedSquaredOverRadius) {
  // the speed along the axis does not count
  const double r = 0.4, speed = 3;
  const PointOnCylinder pipe(P, O, 2 * Vec3<>::UnitZ(), r);
  const DenseMotion motion = motion_at(particle, {&pipe}, place({0, r, 0.7}), moving_with({speed, 0, -5}));
  EXPECT_NEAR(motion.lambda[0], -m * speed * speed / r, 1e-12);
  EXPECT_LT((motion.vdot.head(3) - Vec3<>(0, -speed * speed / r, -gravity)).norm(), 1e-13);
  EXPECT_THROW(PointOnCylinder(P, O, Vec3<>::UnitZ(), 0), Error);
  EXPECT_THROW(PointOnCylinder(P, O, Vec3<>::Zero(), 1), Error);
}

TEST(PointOnCylinder, OnItsAxisHasNoFiniteRow) {
  const PointOnCylinder pipe(P, O, Vec3<>::UnitZ(), 0.4);
  EXPECT_TRUE(std::isnan(rows_at(particle, {&pipe}, place({0, 0, 0.7}), moving_with({1, 0, 0})).A(0, 0)));
}

TEST(PointOnSphere, AtTheBottomOfABowlItCarriesWeightAndCentripetalForce) {
  const double r = 0.4, speed = 3;
  const PointOnSphere bowl(P, O, r);
  const DenseMotion motion = motion_at(particle, {&bowl}, place({0, 0, -r}), moving_with({speed, 0, 0}));
  EXPECT_NEAR(motion.lambda[0], -m * (gravity + speed * speed / r), 1e-12);
  EXPECT_THROW(PointOnSphere(P, O, 0), Error);
}

TEST(PointOnPath, LeadsTheChosenAxesOfAFrameAndLeavesTheOthersToGravity) {
  // x and z of a frame turned about x by a quarter: the world's x and the negative y
  const Frame F{"F", world, {exp_so3(Vec3<>(pi / 2, 0, 0)), O.p_BP}};
  const VectorPath path = [](const Jet& t) { return Vec3<Jet>(0.1 * sin(2 * t), Jet(100.0), t * t); };
  const PointOnPath led(P, path, F, {true, false, true});
  const double t = 0.6;
  const Vec3<> p(0.1 * std::sin(2 * t), -t * t, 0.9), v(0.2 * std::cos(2 * t), -2 * t, 0.5);
  const DenseRows rows = rows_at(particle, {&led}, place(p), moving_with(v), t);
  EXPECT_EQ(rows.phi.size(), 2);
  EXPECT_LT(rows.phi.norm() + rows.rate.norm(), 1e-15);
  const DenseMotion motion = motion_at(particle, {&led}, place(p), moving_with(v), t);
  EXPECT_LT((motion.vdot.head(3) - Vec3<>(-0.4 * std::sin(2 * t), -2, -gravity)).norm(), 1e-13);
  EXPECT_NEAR(motion.lambda[1], m * 2, 1e-14);
  EXPECT_THROW(PointOnPath(P, path, {false, false, false}), Error);
  EXPECT_THROW(PointOnPath(P, VectorPath()), Error);
}

}  // namespace
}  // namespace trammel
