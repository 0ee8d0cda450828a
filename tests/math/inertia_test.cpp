#include "trammel/math/inertia.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random.h"

namespace trammel {
namespace {

using namespace trammel::test;

struct PointMass {
  double mass;
  Vec3<> at;
};

std::vector<PointMass> random_points(Random& random) {
  std::vector<PointMass> points;
  for (int i = random.integer(1, 8); i > 0; --i) points.push_back({random.uniform(0.1, 3), random.vector(2)});
  return points;
}

Inertia<> inertia_of(const std::vector<PointMass>& points) {
  Inertia<> sum;
  for (const PointMass& p : points) sum = sum + Inertia<>::from_com(p.mass, p.at, {});
  return sum;
}

// about 30 terms of size up to 3·2²·2
constexpr double tolerance = 1000 * eps;

RC_GTEST_PROP(Inertia, MomentumIsThatOfThePointsItIsMadeOf, ()) {
  Random random(*any_seed());
  const std::vector<PointMass> points = random_points(random);
  const Vec6<> V = random.vector6();
  Vec6<> momentum = Vec6<>::Zero();
  for (const PointMass& p : points) {
    const Vec3<> velocity = V.tail<3>() + cross<double>(V.head<3>(), p.at);
    momentum += spatial<double>(cross<double>(p.at, p.mass * velocity), p.mass * velocity);
  }
  RC_ASSERT((inertia_of(points) * V - momentum).norm() < tolerance);
  RC_ASSERT((inertia_of(points).matrix() * V - momentum).norm() < tolerance);
}

RC_GTEST_PROP(Inertia, MovesWithThePointsItIsMadeOf, ()) {
  Random random(*any_seed());
  const std::vector<PointMass> points = random_points(random);
  const Pose<> X = random.pose();
  std::vector<PointMass> moved = points;
  for (PointMass& p : moved) p.at = X * p.at;
  RC_ASSERT((inertia_of(points).transformed(X).matrix() - inertia_of(moved).matrix()).cwiseAbs().maxCoeff() <
            tolerance);
}

RC_GTEST_PROP(Inertia, MassCentreAndInertiaAboutItComeBack, ()) {
  Random random(*any_seed());
  const Inertia<> centred = random.inertia();
  const Symmetric3<> about_com = centred.about_com();
  const Vec3<> com = random.vector();
  const Inertia<> body = Inertia<>::from_com(2.5, com, about_com);
  RC_ASSERT((body.com() - com).norm() < tolerance);
  RC_ASSERT((body.about_com().matrix() - about_com.matrix()).norm() < tolerance);
  RC_ASSERT(is_physical(about_com));
}

RC_GTEST_PROP(Inertia, KineticEnergyIsNeverNegativeAndTheSameInEveryFrame, ()) {
  Random random(*any_seed());
  const Inertia<> body = random.inertia();
  const Vec6<> V = random.vector6();
  const Pose<> X = random.pose();
  const Vec6<> V_A = adjoint(X) * V;
  RC_ASSERT(V.dot(body * V) >= 0.0);
  RC_ASSERT(std::abs(V.dot(body * V) - V_A.dot(body.transformed(X) * V_A)) < 10 * tolerance);
}

TEST(Inertia, OfARodABoxAndADiscArePhysicalUpToTheEdgeOfTheTriangleInequality) {
  EXPECT_TRUE(is_physical({1, 1, 0}));                  // a thin rod: 1 + 0 ≥ 1
  EXPECT_TRUE(is_physical({1, 1, 2}));                  // a flat disc: 1 + 1 ≥ 2
  EXPECT_TRUE(is_physical({0, 0, 0}));                  // a point
  EXPECT_FALSE(is_physical({1, 1, 2.01}));              // flatter than flat
  EXPECT_FALSE(is_physical({-1, 1, 1}));                // negative
  EXPECT_FALSE(is_physical({{1, 1, 1}, {1.5, 0, 0}}));  // indefinite by its product of inertia
  EXPECT_FALSE(is_physical({NAN, 1, 1}));
  EXPECT_FALSE(is_physical({-1e-3, -1e-3, -2e-3}));
}

TEST(Inertia, OfNoMassHasItsMassCentreAtTheOrigin) { EXPECT_EQ(Inertia<>{}.com(), Vec3<>(Vec3<>::Zero())); }

RC_GTEST_PROP(Symmetric3, RotatesLikeTheFullMatrix, ()) {
  Random random(*any_seed());
  const Symmetric3<> A{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                       {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
  const Mat3<> R = random.rotation();
  RC_ASSERT((A.rotated(R).matrix() - R * A.matrix() * R.transpose()).cwiseAbs().maxCoeff() < 32 * eps);
  RC_ASSERT((A * random.vector()).allFinite());
}

}  // namespace
}  // namespace trammel
