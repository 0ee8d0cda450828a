#include "trammel/math/rotation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Rotations are compared entry by entry; each entry is a sum of a few products of numbers up to 1.
constexpr double few_eps = 16 * eps;

bool is_rotation(const Mat3<>& R) {
  const double det = R.row(0).dot(cross<double>(R.row(1), R.row(2)));
  return (R * R.transpose() - Mat3<>::Identity()).cwiseAbs().maxCoeff() < few_eps && std::abs(det - 1) < few_eps;
}

// The exponential by its defining power series, scaled so that 30 terms are exact.
Mat3<> exp_by_series(const Vec3<>& w) {
  const int halvings = 6;
  const Mat3<> W = skew<double>(w / std::pow(2, halvings));
  Mat3<> term = Mat3<>::Identity(), sum = term;
  for (int k = 1; k <= 30; ++k) sum += term = term * W / k;
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

TEST(Rotation, CrossProductAndSkewAgreeWithTheDeterminant) {
  Random random(1);
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Vec3<> a = random.vector(), b = random.vector(), c = random.vector();
    Mat3<> abc;
    abc << a, b, c;
    const double det = abc(0, 0) * (abc(1, 1) * abc(2, 2) - abc(1, 2) * abc(2, 1)) -
                       abc(0, 1) * (abc(1, 0) * abc(2, 2) - abc(1, 2) * abc(2, 0)) +
                       abc(0, 2) * (abc(1, 0) * abc(2, 1) - abc(1, 1) * abc(2, 0));
    EXPECT_NEAR(cross(a, b).dot(c), det, few_eps);
    EXPECT_NEAR((skew(a) * b - cross(a, b)).norm(), 0, few_eps);
  }
}

RC_GTEST_PROP(Rotation, ExponentialEqualsItsPowerSeries, ()) {
  Random random(*any_seed());
  const Vec3<> w = random.direction() * random.log_uniform(1e-12, 10);
  // the reference squares six times: its own error grows to about 2⁶ eps times the angle
  RC_ASSERT((exp_so3(w) - exp_by_series(w)).cwiseAbs().maxCoeff() < 64 * few_eps);
  RC_ASSERT(is_rotation(exp_so3(w)));
  RC_ASSERT((rotation_from_quaternion(exp_quaternion(w)) - exp_so3(w)).cwiseAbs().maxCoeff() < 2 * few_eps);
}

RC_GTEST_PROP(Rotation, LogarithmUndoesTheExponentialUpToHalfATurn, ()) {
  Random random(*any_seed());
  const Vec3<> w =
      random.direction() * (random.integer(0, 1) ? random.log_uniform(1e-12, pi) : pi - random.log_uniform(1e-12, 1));
  RC_ASSERT((exp_so3(log_so3(exp_so3(w))) - exp_so3(w)).cwiseAbs().maxCoeff() < few_eps);
  // within 1e-6 of half a turn the sign of the axis hangs on the last digits
  if (w.norm() < pi - 1e-6) RC_ASSERT((log_so3(exp_so3(w)) - w).norm() < few_eps * (1 + w.norm()));
}

TEST(Rotation, LogarithmOfHalfTurnsAndOfNothing) {
  EXPECT_EQ(log_so3(Mat3<>::Identity()), Vec3<>(Vec3<>::Zero()));
  for (int i = 0; i < 3; ++i) {
    const Mat3<> half_turn = exp_so3(pi * Vec3<>::Unit(i));
    EXPECT_NEAR(std::abs(log_so3(half_turn)[i]), pi, few_eps);
  }
}

RC_GTEST_PROP(Rotation, QuaternionsMultiplyLikeRotations, ()) {
  Random random(*any_seed());
  const Quaternion<> a = random.quaternion(), b = random.quaternion();
  const Mat3<> R = rotation_from_quaternion(quaternion_product(a, b));
  RC_ASSERT((R - rotation_from_quaternion(a) * rotation_from_quaternion(b)).cwiseAbs().maxCoeff() < few_eps);
  const Quaternion<> back = quaternion_from_rotation(rotation_from_quaternion(a));
  RC_ASSERT(std::min((back - a).norm(), (back + a).norm()) < few_eps);
  RC_ASSERT(back[0] >= 0.0);
}

TEST(Rotation, QuaternionOfATurnThatLeavesAnyOneComponentSmall) {
  for (int small = 0; small < 4; ++small)
    for (const double tiny : {0.0, 1e-16, 1e-9, -1e-9}) {
      Quaternion<> k = Quaternion<>::Constant(0.5);
      k[small] = tiny;
      k.normalize();
      const Quaternion<> back = quaternion_from_rotation(rotation_from_quaternion(k));
      EXPECT_LT(std::min((back - k).norm(), (back + k).norm()), few_eps) << "component " << small << " = " << tiny;
    }
}

RC_GTEST_PROP(Rotation, TurningAboutAnOwnAxisIsMultiplicationFromTheRight, ()) {
  Random random(*any_seed());
  const Mat3<> R = random.rotation();
  const double angle = random.uniform(-10, 10);
  RC_ASSERT((turned_about_z(R, angle) - R * exp_so3(angle * Vec3<>::UnitZ())).cwiseAbs().maxCoeff() < few_eps);
  RC_ASSERT((turned_about_x(R, angle) - R * exp_so3(angle * Vec3<>::UnitX())).cwiseAbs().maxCoeff() < few_eps);
}

RC_GTEST_PROP(Rotation, RollPitchYawTurnAboutTheFixedAxesInThatOrder, ()) {
  Random random(*any_seed());
  const Vec3<> rpy = random.vector(pi);
  const Mat3<> R =
      exp_so3(rpy[2] * Vec3<>::UnitZ()) * exp_so3(rpy[1] * Vec3<>::UnitY()) * exp_so3(rpy[0] * Vec3<>::UnitX());
  RC_ASSERT((rotation_from_rpy(rpy) - R).cwiseAbs().maxCoeff() < few_eps);
  // near the vertical the angles are ill-determined (like 1/cos pitch), the rotation they give is not
  RC_ASSERT((rotation_from_rpy(rpy_from_rotation(R)) - R).cwiseAbs().maxCoeff() < few_eps);
}

TEST(Rotation, RollPitchYawAtTheVerticalPutAllTheTurnIntoYaw) {
  for (const double sign : {-1.0, 1.0}) {
    const Mat3<> R = rotation_from_rpy({0.3, sign * pi / 2, 0.5});
    const Vec3<> rpy = rpy_from_rotation(R);
    EXPECT_EQ(rpy[0], 0);
    EXPECT_LT((rotation_from_rpy(rpy) - R).cwiseAbs().maxCoeff(), few_eps);
  }
}

RC_GTEST_PROP(Rotation, AFrameCanBeBuiltOnAnyAxis, ()) {
  Random random(*any_seed());
  const Vec3<> axis = random.direction();
  const Mat3<> R = frame_with_z(axis);
  RC_ASSERT(is_rotation(R));
  RC_ASSERT(Vec3<>(R.col(2)) == axis);
}

TEST(Rotation, AFrameOnACoordinateAxisIsExactAndOnZIsTheIdentity) {
  for (int i = 0; i < 3; ++i)
    for (const double sign : {-1.0, 1.0}) {
      const Mat3<> R = frame_with_z(sign * Vec3<>::Unit(i));
      EXPECT_EQ(Vec3<>(R.col(2)), Vec3<>(sign * Vec3<>::Unit(i)));
      EXPECT_EQ(Mat3<>(R * R.transpose()), Mat3<>(Mat3<>::Identity()));
      EXPECT_TRUE(is_rotation(R));
    }
  EXPECT_EQ(frame_with_z(Vec3<>::UnitZ()), Mat3<>(Mat3<>::Identity()));
}

// ω = J ẇ with J = Σ (−[w])ᵏ / (k+1)!, the differential of the exponential as its power series.
TEST(Rotation, TheRateOfARotationVectorGivesTheAngularVelocityByThePowerSeries) {
  Random random(31);
  Worst worst("rate of a rotation vector");
  for (int i = 0, all = cases(400); i < all; ++i) {
    const Vec3<> w = random.direction() * (i % 2 == 0 ? random.uniform(0, 6) : random.log_uniform(1e-9, 0.1));
    const Vec3<> omega = random.vector(2), rate = rotation_vector_rate(w, omega);
    Vec3<> term = rate, sum = rate;
    for (int k = 1; k < 60; ++k) sum += term = Vec3<>(cross<double>(term, w) / (k + 1));
    worst.see((sum - omega).norm() / (1 + rate.norm()));
  }
  EXPECT_LT(worst.value(), 400 * eps);  // the terms of the series grow to 6⁵/5!
}

}  // namespace
}  // namespace trammel
