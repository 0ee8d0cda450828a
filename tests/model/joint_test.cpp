#include "trammel/model/joint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random_robot.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/math/jet.h"
#include "trammel/model/place_joint.h"
#include "trammel/model/positions.h"

namespace trammel {
namespace {

using namespace trammel::test;

struct OneJoint {
  JointType type;
  double pitch;
  VecX<> q;
};

OneJoint random_one(Random& random, JointType type) {
  const JointSize size = size_of(type);
  VecX<> zero(size.q), q(size.q);
  set_neutral(type, zero.data());
  const VecX<> step = random.vector(size.v, 2.0);
  retract(type, zero.data(), step.data(), q.data());
  return {type, random.uniform(-0.3, 0.3), q};
}

// The joint's coordinates as jets along the motion that has v and v̇ now.
VecX<Jet> coordinate_jets(const OneJoint& joint, const VecX<>& v, const VecX<>& vdot) {
  const int n = size_of(joint.type).q;
  VecX<> qdot(n), qddot(n);
  coordinate_rates(joint.type, joint.q.data(), v.data(), qdot.data());
  coordinate_accelerations(joint.type, joint.q.data(), v.data(), vdot.data(), qddot.data());
  VecX<Jet> out(n);
  for (int i = 0; i < n; ++i) out[i] = {joint.q[i], qdot[i], qddot[i]};
  return out;
}

// ω from R(t): [ω] = Ṙ Rᵀ, [ω̇] = the skew part of R̈ Rᵀ.
struct Rates {
  Vec6<> velocity, acceleration;
};
Rates rates_of(const Pose<Jet>& X) {
  Mat3<> R, dR, ddR;
  Vec3<> dp, ddp;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R(i, j) = X.R(i, j).x;
      dR(i, j) = X.R(i, j).dx;
      ddR(i, j) = X.R(i, j).ddx;
    }
    dp[i] = X.p[i].dx;
    ddp[i] = X.p[i].ddx;
  }
  const auto axial = [](const Mat3<>& A) {
    return Vec3<>(0.5 * (A(2, 1) - A(1, 2)), 0.5 * (A(0, 2) - A(2, 0)), 0.5 * (A(1, 0) - A(0, 1)));
  };
  return {spatial<double>(axial(dR * R.transpose()), dp), spatial<double>(axial(ddR * R.transpose()), ddp)};
}

class EveryJoint : public testing::TestWithParam<JointType> {};

TEST_P(EveryJoint, SubspaceAndBiasAreTheDerivativesOfThePlacement) {
  Random random(7);
  Worst worst(std::string(name_of(GetParam())) + " velocity and acceleration");
  const int nv = size_of(GetParam()).v;
  for (int i = 0, all = cases(200); i < all; ++i) {
    const OneJoint joint = random_one(random, GetParam());
    const VecX<> v = random.vector(nv, 2.0), vdot = random.vector(nv, 2.0);
    const Pose<> X_WF = random.pose();

    Pose<Jet> X_WM_jet;
    std::vector<Vec6<Jet>> S_jet(6);
    place_joint<Jet>(joint.type, joint.pitch, coordinate_jets(joint, v, vdot).data(), X_WF.cast<Jet>(), X_WM_jet,
                     S_jet.data());
    const Rates truth = rates_of(X_WM_jet);

    Pose<> X_WM;
    std::vector<Vec6<>> S(6);
    place_joint<double>(joint.type, joint.pitch, joint.q.data(), X_WF, X_WM, S.data());
    Vec6<> velocity = Vec6<>::Zero(), acceleration = Vec6<>::Zero();
    acceleration.head<3>() = joint_bias<double>(joint.type, S.data(), v.data());
    for (int k = 0; k < nv; ++k) velocity += S[k] * v[k], acceleration += S[k] * vdot[k];
    worst.see((velocity - truth.velocity).norm());
    worst.see((acceleration - truth.acceleration).norm());
  }
  EXPECT_LT(worst.value(), 500 * eps);  // a few dozen products of numbers up to 2·2·2
}

TEST_P(EveryJoint, StepsAndDifferencesUndoEachOther) {
  Random random(8);
  const JointSize size = size_of(GetParam());
  for (int i = 0, all = cases(200); i < all; ++i) {
    const OneJoint joint = random_one(random, GetParam());
    const VecX<> step = random.vector(size.v, 1.7);  // below half a turn in all
    VecX<> moved(size.q), back(size.v);
    retract(joint.type, joint.q.data(), step.data(), moved.data());
    difference(joint.type, joint.q.data(), moved.data(), back.data());
    EXPECT_LT((back - step).norm(), 50 * eps) << name_of(joint.type);
    retract(joint.type, joint.q.data(), step.data(), const_cast<double*>(joint.q.data()));  // in place
    EXPECT_EQ(joint.q, moved);
  }
}

TEST_P(EveryJoint, StandsAtItsFixedFrameWhenNeutral) {
  Random random(9);
  VecX<> q(size_of(GetParam()).q);
  set_neutral(GetParam(), q.data());
  const Pose<> X_WF = random.pose();
  Pose<> X_WM;
  std::vector<Vec6<>> S(6);
  place_joint<double>(GetParam(), 0.1, q.data(), X_WF, X_WM, S.data());
  EXPECT_LT((X_WM.R - X_WF.R).norm() + (X_WM.p - X_WF.p).norm(), 10 * eps);
}

TEST_P(EveryJoint, AngularVelocitiesTurnAndLinearOnesDoNot) {
  Random random(10);
  const OneJoint joint = random_one(random, GetParam());
  Pose<> X_WM;
  std::vector<Vec6<>> S(6);
  place_joint<double>(joint.type, joint.pitch, joint.q.data(), random.pose(), X_WM, S.data());
  for (int k = 0; k < size_of(joint.type).v; ++k)
    EXPECT_NEAR(S[k].head<3>().norm(), is_angular(joint.type, k) ? 1 : 0, 10 * eps);
}

TEST_P(EveryJoint, ARetractionAtSmallStepsFollowsTheRates) {
  Random random(11);
  const JointSize size = size_of(GetParam());
  const OneJoint joint = random_one(random, GetParam());
  const VecX<> v = random.vector(size.v, 1.0);
  const double h = 1e-5;  // central difference: error about h²/6 from the third derivative
  VecX<> ahead(size.q), behind(size.q), rates(size.q);
  const VecX<> forward_step = h * v, backward_step = -h * v;
  retract(joint.type, joint.q.data(), forward_step.data(), ahead.data());
  retract(joint.type, joint.q.data(), backward_step.data(), behind.data());
  coordinate_rates(joint.type, joint.q.data(), v.data(), rates.data());
  EXPECT_LT(((ahead - behind) / (2 * h) - rates).norm(), 10 * h * h + 10 * eps / h);
}

INSTANTIATE_TEST_SUITE_P(Types, EveryJoint, testing::ValuesIn(moving_joint_types),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(Normalize, RefusesAQuaternionWithoutDirection) {
  double zero[] = {0, 0, 0, 0}, nan[] = {NAN, 0, 0, 1}, stretched[] = {2, 0, 0, 0};
  EXPECT_FALSE(normalize(JointType::spherical, zero));
  EXPECT_FALSE(normalize(JointType::spherical, nan));
  EXPECT_TRUE(normalize(JointType::spherical, stretched));
  EXPECT_EQ(stretched[0], 1);
}

}  // namespace
}  // namespace trammel
