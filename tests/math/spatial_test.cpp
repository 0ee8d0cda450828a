#include "trammel/math/spatial.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double spatial_eps = 32 * eps;  // sums of up to a dozen products of numbers of size about 1

Eigen::Matrix4d homogeneous(const Pose<>& X) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = X.R;
  T.topRightCorner<3, 1>() = X.p;
  return T;
}

// exp of the 4×4 matrix [ [ω] v; 0 0 ] by its power series.
Eigen::Matrix4d exp_by_series(const Vec6<>& V) {
  Eigen::Matrix4d twist = Eigen::Matrix4d::Zero();
  twist.topLeftCorner<3, 3>() = skew<double>(V.head<3>());
  twist.topRightCorner<3, 1>() = V.tail<3>();
  twist /= 64;
  Eigen::Matrix4d term = Eigen::Matrix4d::Identity(), sum = term;
  for (int k = 1; k <= 30; ++k) sum += term = term * twist / k;
  for (int k = 0; k < 6; ++k) sum = sum * sum;
  return sum;
}

RC_GTEST_PROP(Pose, ComposesInvertsAndActsLikeA4x4Matrix, ()) {
  Random random(*any_seed());
  const Pose<> X = random.pose(), Y = random.pose();
  const Vec3<> point = random.vector();
  RC_ASSERT((homogeneous(X * Y) - homogeneous(X) * homogeneous(Y)).cwiseAbs().maxCoeff() < spatial_eps);
  RC_ASSERT((homogeneous(X * X.inverse()) - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff() < spatial_eps);
  RC_ASSERT(((X * Y) * point - X * (Y * point)).norm() < spatial_eps);
}

RC_GTEST_PROP(Pose, ExponentialEqualsItsPowerSeries, ()) {
  Random random(*any_seed());
  const Vec6<> V = spatial<double>(random.direction() * random.log_uniform(1e-12, 6), random.vector(2));
  // the reference squares six times: 2⁶ eps of its own
  RC_ASSERT((homogeneous(exp_se3(V)) - exp_by_series(V)).cwiseAbs().maxCoeff() < 64 * spatial_eps);
}

RC_GTEST_PROP(Pose, LogarithmUndoesTheExponential, ()) {
  Random random(*any_seed());
  const double angle = random.integer(0, 1) ? random.log_uniform(1e-12, 3.1) : random.log_uniform(0.01, 1);
  const Vec6<> V = spatial<double>(random.direction() * angle, random.vector(2));
  RC_ASSERT((log_se3(exp_se3(V)) - V).norm() < 4 * spatial_eps);
}

TEST(Pose, LogarithmOfAPureTranslationIsTheTranslation) {
  const Vec6<> V = log_se3({Mat3<>::Identity(), Vec3<>(1, 2, 3)});
  EXPECT_EQ(V, (Vec6<>() << 0, 0, 0, 1, 2, 3).finished());
}

RC_GTEST_PROP(Spatial, PowerDoesNotDependOnTheReferencePointOrTheAxes, ()) {
  Random random(*any_seed());
  const Vec6<> V = random.vector6(), F = random.vector6();
  const Vec3<> r = random.vector();
  const Pose<> X = random.pose();
  // moving the reference point by r along a body: velocities go out by r, forces come from −r
  RC_ASSERT(std::abs(force_from<double>(F, -r).dot(motion_at(V, r)) - F.dot(V)) < spatial_eps * 4);
  const Vec6<> V_A = adjoint(X) * V, F_A = adjoint(X.inverse()).transpose() * F;
  RC_ASSERT(std::abs(F_A.dot(V_A) - F.dot(V)) < spatial_eps * 4);
}

RC_GTEST_PROP(Spatial, TheAdjointIsARepresentationOfThePoses, ()) {
  Random random(*any_seed());
  const Pose<> X = random.pose(), Y = random.pose();
  RC_ASSERT((adjoint(X * Y) - adjoint(X) * adjoint(Y)).cwiseAbs().maxCoeff() < spatial_eps);
  RC_ASSERT((adjoint(X) * adjoint(X.inverse()) - Mat6<>::Identity()).cwiseAbs().maxCoeff() < spatial_eps);
}

RC_GTEST_PROP(Spatial, ShiftsAreAdjointsOfTranslations, ()) {
  Random random(*any_seed());
  const Vec6<> V = random.vector6(), F = random.vector6();
  const Vec3<> r = random.vector();
  const Pose<> further{Mat3<>::Identity(), r};  // the new point in the old frame
  RC_ASSERT((motion_at(V, r) - adjoint(further.inverse()) * V).norm() < spatial_eps);
  RC_ASSERT((force_from(F, r) - adjoint(further.inverse()).transpose() * F).norm() < spatial_eps);
}

RC_GTEST_PROP(Spatial, TheCrossProductIsTheBracketOfThe4x4Twists, ()) {
  Random random(*any_seed());
  const Vec6<> V = random.vector6(), W = random.vector6(), F = random.vector6();
  const auto twist = [](const Vec6<>& U) {
    Eigen::Matrix4d T = Eigen::Matrix4d::Zero();
    T.topLeftCorner<3, 3>() = skew<double>(U.head<3>());
    T.topRightCorner<3, 1>() = U.tail<3>();
    return T;
  };
  const Eigen::Matrix4d bracket = twist(V) * twist(W) - twist(W) * twist(V);
  RC_ASSERT((twist(motion_cross(V, W)) - bracket).cwiseAbs().maxCoeff() < spatial_eps);
  // duality: F·(V × W) = −(V ×* F)·W
  RC_ASSERT(std::abs(F.dot(motion_cross(V, W)) + force_cross(V, F).dot(W)) < spatial_eps * 4);
}

}  // namespace
}  // namespace trammel
