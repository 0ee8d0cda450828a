#include "trammel/constraints/expression_constraint.h"

#include <gtest/gtest.h>

#include "constraints/in_lanes.h"
#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/contract.h"
#include "trammel/constraints/dense_rows.h"
#include "trammel/math/lanes.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A robot with every plain joint, so that every kind of leaf exists: joint0 … joint5, frame0 … frame5.
Model plain_robot(Random& random) {
  const JointType types[] = {JointType::revolute,    JointType::prismatic, JointType::helical,
                             JointType::cylindrical, JointType::universal, JointType::planar};
  RobotDescription robot = random_robot(random, 6, types);
  for (int i = 0; i < 6; ++i) robot.joints[i].type = types[i];
  return build_model(robot);
}

const char* const equations[] = {
    "joint0 + 2*joint1 = 0.3",
    "joint2 = -3*joint0",
    "joint3[1]*sin(joint4[0]) = joint5[2]^2",
    "frame5.x = 0.05*sin(0.4*pi*t)",
    "frame3.x^2 + frame3.y^2 + frame3.z^2 = 1.5",
    "frame1.x*frame4.y - frame4.x*frame1.y = t*joint0",
    "exp(-frame2.z)*cos(joint1) = sqrt(2 + frame5.y^2)",
    "cycloid(t/5)*joint0 = minjerk(t/4) + world.x",
    "atan2(frame1.y, 3 + frame1.x) - joint2^3/(4 + joint2^2) = log(3 + sin(joint1)) - tan(joint0/9)",
    "v(joint0) = 3",
    "frame4.vx = 0.1*frame4.y",
    "frame4.vx^2 + frame4.vy^2 = 4*frame4.vz^2",
    "v(joint3[0])*frame2.vz + v(joint5[1])*joint1 = sin(t)",
    "frame2.x_axis.z + frame4.y_axis.x*frame1.z_axis.y = 0.3*t + joint0",
    "hypot(frame5.z_axis.x, frame5.z_axis.y, 0.5) = tanh(frame3.x_axis.x)",
    "sin(frame3.roll) + cos(frame3.yaw)*world.x_axis.x = 0.2*frame2.y",
    "frame4.wx = 0.1*frame4.y",
    "frame2.wz^2 + frame5.wy*frame3.vx = frame1.z_axis.z*sin(t)",
};

class Equations : public testing::TestWithParam<const char*> {};

TEST_P(Equations, KeepTheContract) {
  Random random(17);
  Worst worst(GetParam());
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Model model = plain_robot(random);
    const ExpressionConstraint law(model, parse_equation(GetParam(), vocabulary_of(model)));
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 2);
    worst.see(check_contract(model, law, q, v, random.vector(model.nv(), 2), random.uniform(0, 5)).worst());
  }
  EXPECT_LT(worst.value(), 1e-11);  // as for the other kinds; products of leaves add their digits
}

TEST_P(Equations, HaveTheSameRowsInLanes) {
  Random random(19);
  Worst worst(GetParam() + std::string(", in lanes"));
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Model model = plain_robot(random);
    const ExpressionConstraint law(model, parse_equation(GetParam(), vocabulary_of(model)));
    MatX<> q(model.nq(), lane_count), v(model.nv(), lane_count);
    for (int lane = 0; lane < lane_count; ++lane) {
      q.col(lane) = random_configuration(random, model);
      v.col(lane) = random.vector(model.nv(), 2);
    }
    worst.see(difference_in_lanes(model, law, q, v, random.uniform(0, 5)));
  }
  EXPECT_LT(worst.value(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Texts, Equations, testing::ValuesIn(equations),
                         [](const auto& test) { return "equation" + std::to_string(test.index); });

TEST(ExpressionConstraint, KeepsTheContractWhateverTheInputsAre) {
  Random random(18);
  Worst worst("equations with inputs");
  const std::vector<std::string> names{"push", "gain"};
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Model model = plain_robot(random);
    Vocabulary vocabulary = vocabulary_of(model);
    vocabulary.inputs = names;
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 2),
                 vdot = random.vector(model.nv(), 2);
    const std::vector<double> inputs{random.uniform(-2, 2), random.uniform(-2, 2)};
    for (const char* text : {"frame5.x = push + gain*t", "push*joint0 + abs(gain)*frame3.y^2 = sin(gain*joint1)",
                             "v(joint0) = push - gain*joint0", "frame4.vx*push = gain*frame4.vy^2"}) {
      const ExpressionConstraint law(model, parse_equation(text, vocabulary), {}, names);
      worst.see(check_contract(model, law, q, v, vdot, random.uniform(0, 5), inputs).worst());
    }
  }
  EXPECT_LT(worst.value(), 1e-11);
}

TEST(ExpressionConstraint, AnInputMovesTheRowsTargetAndNothingElse) {
  const Model model = build_model(scara());
  Vocabulary vocabulary = vocabulary_of(model);
  vocabulary.inputs = {"push"};
  const ExpressionConstraint law(model, parse_equation("q1^2 = push", vocabulary), {}, vocabulary.inputs);
  Kinematics<> kin(model);
  const VecX<> q{{0.3, 0, 0, 0}}, v{{2, 0, 0, 0}};
  kinematics<double>(model, q, v, kin);
  for (const double push : {0.0, 0.7}) {
    Rows rows(1, 0, 1);
    law.evaluate({kin, q, v, 0, std::span(&push, 1)}, rows);
    EXPECT_DOUBLE_EQ(rows.phi[0], 0.09 - push);
    EXPECT_DOUBLE_EQ(rows.rate[0], 2 * 0.3 * 2);
    EXPECT_DOUBLE_EQ(rows.b[0], -2 * 2 * 2);
    EXPECT_DOUBLE_EQ(rows.coefficients(0, 0), 2 * 0.3);
  }
}

TEST(ExpressionConstraint, StartValuesAreConstantsOfTheRun) {
  const Model model = build_model(scara());
  const Expression law = parse_equation("tool.x = start(tool.x) + 0.1*t", vocabulary_of(model));
  ASSERT_EQ(law.starts().size(), 1u);
  const ExpressionConstraint constraint(model, law, {0.25});
  Kinematics<> kin(model);
  const VecX<> q = VecX<>::Zero(4), v = VecX<>::Zero(4);
  kinematics<double>(model, q, v, kin);
  Rows rows(1, 1, 0);
  constraint.evaluate({kin, q, v, 2.0}, rows);
  EXPECT_DOUBLE_EQ(rows.phi[0], 0 - 0.25 - 0.2);
  EXPECT_DOUBLE_EQ(rows.rate[0], -0.1);
  EXPECT_THROW(ExpressionConstraint(model, law), Error);
}

TEST(ExpressionConstraint, RefusesKinksAndQuaternions) {
  const Model arm = build_model(scara());
  EXPECT_THROW(ExpressionConstraint(arm, parse_equation("abs(q1) = 1", vocabulary_of(arm))), Error);
  const Model flier = build_model(tree36());
  EXPECT_THROW(ExpressionConstraint(flier, parse_equation("base[3] = 1", vocabulary_of(flier))), Error);
}

}  // namespace
}  // namespace trammel
