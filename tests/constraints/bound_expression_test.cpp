#include "trammel/constraints/bound_expression.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/math/rotation.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

using namespace trammel::test;

const std::vector<std::string> input_names{"push", "gain"};

// A SCARA at some state at t = 0.7, with both inputs.
struct ScaraMoment {
  ScaraMoment() : kin(model) { kinematics<double>(model, q, v, kin); }
  Movement<double> now() const { return {kin, q, v, 0.7, inputs}; }
  BoundExpression bound(const std::string& text) const {
    Vocabulary names = vocabulary_of(model);
    names.inputs = input_names;
    return {model, parse_expression(text, names), {}, input_names};
  }

  Model model = build_model(scara());
  VecX<> q{{0.3, -0.5, 0.2, 0.1}}, v{{1.5, 0.4, -0.6, 0.2}};
  std::vector<double> inputs{3, 20};
  Kinematics<> kin;
};

TEST(BoundExpression, ReadsInputsFromTheMomentByTheirNames) {
  ScaraMoment at;
  const BoundExpression force = at.bound("push - gain*(q1 - 0.1) + t");
  EXPECT_NEAR(force.value(at.now()), 3 - 20 * 0.2 + 0.7, 1e-14);
  EXPECT_NEAR(force.value(at.now().placement()), 3 - 20 * 0.2 + 0.7, 1e-14);
  at.inputs = {-1, 5};
  EXPECT_NEAR(force.value(at.now()), -1 - 5 * 0.2 + 0.7, 1e-14);
}

TEST(BoundExpression, SeesTheAxesTheAnglesAndTheAngularVelocityOfAFrame) {
  Random random(5);
  for (int i = 0; i < 30; ++i) {
    const Model model = build_model(random_robot(random, 4));
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 2);
    Kinematics<> kin(model);
    kinematics<double>(model, q, v, kin);
    const Movement<double> now{kin, q, v, 0};
    const auto value = [&](const std::string& part) {
      return BoundExpression(model, parse_expression("frame2." + part, vocabulary_of(model))).value(now);
    };
    const Frame& frame = model.frame("frame2");
    const Mat3<> R = kin.pose(frame).R;
    const Vec6<> V = frame_velocity(kin, frame);
    const Vec3<> rpy = rpy_from_rotation(R);
    const char* const axes[] = {"x", "y", "z"};
    const char* const angles[] = {"roll", "pitch", "yaw"};
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(value(std::string("w") + axes[k]), V[k], 1e-13);
      EXPECT_NEAR(value(std::string("v") + axes[k]), V[3 + k], 1e-13);
      EXPECT_NEAR(value(angles[k]), rpy[k], 1e-13);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(value(fmt::format("{}_axis.{}", axes[j], axes[k])), R(k, j), 1e-15);
    }
  }
}

// Against jets of the frame's own rotation along a motion, which share none of the rows.
TEST(BoundExpression, HasTheRatesOfAnglesAlongAMotion) {
  Random random(6);
  for (int i = 0; i < 30; ++i) {
    const Model model = build_model(random_robot(random, 3));
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 1);
    const VecX<> vdot = random.vector(model.nv(), 1);
    Positions<Jet> where(model);
    const VecX<Jet> moving = coordinate_jets(model, q, v, vdot);
    positions<Jet>(model, moving, where);
    const Frame& frame = model.frame("frame2");
    const Mat3<Jet> R = where.bodies[frame.body].X_WB.R * frame.X_BF.R.cast<Jet>();
    const auto value = [&](const char* part) {
      const Expression law = parse_expression(std::string("frame2.") + part, vocabulary_of(model));
      return BoundExpression(model, law).value(Placement<Jet>{where, moving, {0, 1, 0}});
    };
    const auto expect = [&](const char* part, const Jet& tangent_y, const Jet& tangent_x) {
      const Jet angle = value(part), wanted = atan2(tangent_y, tangent_x);
      EXPECT_NEAR(angle.x, wanted.x, 1e-13) << part;
      EXPECT_NEAR(angle.dx, wanted.dx, 1e-11 * (1 + std::abs(wanted.dx))) << part;
      EXPECT_NEAR(angle.ddx, wanted.ddx, 1e-10 * (1 + std::abs(wanted.ddx))) << part;
    };
    expect("roll", R(2, 1), R(2, 2));
    expect("pitch", -R(2, 0), sqrt(R(2, 1) * R(2, 1) + R(2, 2) * R(2, 2)));
    expect("yaw", R(1, 0), R(0, 0));
  }
}

TEST(BoundExpression, InputsStandStillWhileTheRobotMoves) {
  const ScaraMoment at;
  const BoundExpression law = at.bound("push*q1^2 + gain*t");
  // along q1(t) with q̈1 = 2, at rest otherwise
  const VecX<> vdot{{2, 0, 0, 0}};
  const VecX<Jet> q = coordinate_jets(at.model, at.q, at.v, vdot);
  Positions<Jet> where(at.model);
  positions<Jet>(at.model, q, where);
  const Jet value = law.value(Placement<Jet>{where, q, {0.7, 1, 0}, at.inputs});
  EXPECT_NEAR(value.x, 3 * 0.09 + 20 * 0.7, 1e-14);
  EXPECT_NEAR(value.dx, 3 * 2 * 0.3 * 1.5 + 20, 1e-14);
  EXPECT_NEAR(value.ddx, 3 * 2 * (1.5 * 1.5 + 0.3 * 2), 1e-14);

  ASSERT_EQ(law.quantities().size(), 1);
  std::vector<double> slopes(1);
  const Jet bias = law.bias_jet(at.now(), slopes);
  EXPECT_NEAR(bias.x, 3 * 0.09 + 20 * 0.7, 1e-14);
  EXPECT_NEAR(bias.dx, 3 * 2 * 0.3 * 1.5 + 20, 1e-14);
  EXPECT_NEAR(bias.ddx, 3 * 2 * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(slopes[0], 3 * 2 * 0.3, 1e-14);
}

TEST(BoundExpression, RefusesAnInputThatWasNotDeclared) {
  const ScaraMoment at;
  Vocabulary names = vocabulary_of(at.model);
  names.inputs = {"pull"};
  const Expression pulled = parse_expression("2*pull", names);
  try {
    BoundExpression(at.model, pulled, {}, input_names);
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "found input 'pull' of '2*pull', which was not declared; allowed: one of push, gain");
  }
  EXPECT_THROW(BoundExpression(at.model, pulled), Error);
}

}  // namespace
}  // namespace trammel
