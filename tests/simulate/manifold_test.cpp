#include "trammel/simulate/manifold.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include "support/seeds.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(ModelManifold, AnIncrementThatChangesAtItsRateMovesQWithTheVelocity) {
  Random random(12);
  Worst worst("rates of increments, by differences");
  const double h = 1e-5;  // central difference: error about h²/6 of the third derivative
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Model model = build_model(random_robot(random, random.integer(1, 5)));
    const ModelManifold manifold(model);
    const VecX<> q = random_configuration(random, model), s = random.vector(model.nv(), 1.5),
                 velocity = random.vector(model.nv(), 1);
    VecX<> rate(model.nv()), at(model.nq()), ahead(model.nq()), behind(model.nq());
    ASSERT_TRUE(manifold.increment_rate(s, velocity, rate));
    manifold.retract(q, s, at);
    manifold.retract(q, s + h * rate, ahead);
    manifold.retract(q, s - h * rate, behind);
    worst.see(((ahead - behind) / (2 * h) - coordinate_rates(model, at, velocity)).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst.value(), 20 * h * h + 10 * eps / h);
}

TEST(ModelManifold, AFullTurnIsBeyondItsReach) {
  Random random(13);
  const JointType spherical[] = {JointType::spherical};
  const Model model = build_model(random_robot(random, 1, spherical));
  const ModelManifold manifold(model);
  VecX<> rate(3);
  EXPECT_TRUE(manifold.increment_rate(Vec3<>(0, 6.2, 0), Vec3<>(1, 2, 3), rate));
  EXPECT_FALSE(manifold.increment_rate(Vec3<>(0, 6.3, 0), Vec3<>(1, 2, 3), rate));
  EXPECT_FALSE(manifold.increment_rate(Vec3<>(0, NAN, 0), Vec3<>(1, 2, 3), rate));
}

TEST(ModelManifold, TheSizeOfACoordinateIsItsOwnAndThatOfAQuaternionOne) {
  Random random(14);
  const JointType types[] = {JointType::floating};
  const Model model = build_model(random_robot(random, 2, types));
  const ModelManifold manifold(model);
  const VecX<> q = random_configuration(random, model);
  for (int body = 0; body < 2; ++body)
    for (int k = 0; k < 6; ++k) EXPECT_EQ(manifold.size(q, 6 * body + k), k < 3 ? std::abs(q[7 * body + k]) : 1);
}

}  // namespace
}  // namespace trammel
