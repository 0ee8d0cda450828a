#include "trammel/constraints/bound_expression.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/mechanisms.h"
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
