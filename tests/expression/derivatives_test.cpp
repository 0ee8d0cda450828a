#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expression/random_tree.h"
#include "expression/vocabulary.h"
#include "support/count_allocations.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/expression/operations.h"

namespace trammel {
namespace {

using namespace trammel::test;

[[maybe_unused]] const int fixed_seed = fix_seed(20, 20000);

std::vector<Jet> random_leaves(Random& random) {
  std::vector<Jet> leaves;
  for (std::size_t k = 0; k < tree_leaves.size(); ++k)
    leaves.emplace_back(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
  return leaves;
}

// The tree's leaves in the expression's order: indices into tree_leaves.
std::vector<int> order_of(const Expression& expression) {
  std::vector<int> order;
  for (const Leaf& leaf : expression.leaves())
    order.push_back(static_cast<int>(std::ranges::find(tree_leaves, leaf, &NamedLeaf::leaf) - tree_leaves.begin()));
  return order;
}

std::vector<Jet> in_order(const std::vector<int>& order, const std::vector<Jet>& leaves) {
  std::vector<Jet> out;
  for (const int k : order) out.push_back(leaves[k]);
  return out;
}

std::vector<double> values_of(const std::vector<Jet>& jets) {
  std::vector<double> out;
  for (const Jet& jet : jets) out.push_back(jet.x);
  return out;
}

// |got − want| / (eps |want|), 0 for two that are equally infinite or NaN.
double error(double got, double want) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return 0;
  return std::abs(got - want) / (eps * std::abs(want));
}

RC_GTEST_PROP(RandomTrees, PrintedAndParsedEvaluateOnJetsAsTheTreeDoes, ()) {
  static Worst worst("jets of random trees, in eps");
  Random random(*any_seed());
  const Tree tree = random_tree(random, 5);
  const std::string text = print(tree, random);
  if (has_a_value_nowhere(tree)) {
    RC_ASSERT_THROWS_AS(parse_expression(text, some_vocabulary()), Error);
    return;
  }
  const Expression expression = parse_expression(text, some_vocabulary());
  const std::vector<Jet> leaves = random_leaves(random);
  const std::vector<int> order = order_of(expression);
  ExpressionWorkspace work;
  expression.make_room(work);

  // the same operations in the same order: equal to the last bit
  const Jet got = expression.evaluate(in_order(order, leaves), work), want = evaluate(tree, leaves);
  const double value = expression.value(values_of(in_order(order, leaves)), work);
  const double e =
      std::max({error(got.x, want.x), error(got.dx, want.dx), error(got.ddx, want.ddx), error(value, want.x)});
  worst.see(e);
  RC_CLASSIFY(isfinite(want), "has a value and two rates");
  if (!(e <= 0)) RC_FAIL(fmt::format("{}: off by {} eps", text, e));
}

RC_GTEST_PROP(RandomTrees, TheGradientIsTheRateOfJetsWithOneMovingLeaf, ()) {
  static Worst worst("gradients of random trees, in eps × sum over paths");
  Random random(*any_seed());
  const Tree tree = random_tree(random, 5);
  RC_PRE(!has_a_value_nowhere(tree));
  const Expression expression = parse_expression(print(tree, random), some_vocabulary());
  std::vector<Jet> leaves = random_leaves(random);
  const std::vector<int> order = order_of(expression);
  ExpressionWorkspace work;
  expression.make_room(work);
  std::vector<double> gradient(order.size()), path_sums(tree_leaves.size());
  expression.gradient(values_of(in_order(order, leaves)), work, gradient);
  add_path_sums(tree, leaves, 1, path_sums);

  for (std::size_t k = 0; k < order.size(); ++k) {
    for (Jet& leaf : leaves) leaf = leaf.x;
    leaves[order[k]].dx = 1;
    const double rate = expression.evaluate(in_order(order, leaves), work).dx, scale = path_sums[order[k]];
    if (!std::isfinite(scale) || !std::isfinite(rate)) continue;  // no derivative here
    const double e = rate == gradient[k] ? 0 : std::abs(rate - gradient[k]) / (eps * scale);
    worst.see(e);
    RC_ASSERT(e <= 16);
  }
}

TEST(RandomTrees, HaveEveryFunctionOfTheLanguage) {
  for (const expression::Function& function : expression::functions()) {
    if (function.op == expression::Op::choose) continue;  // has tests of its own: its branches are no numbers to derive
    EXPECT_EQ(std::ranges::count(tree_operations, function.name, &TreeOperation::word), 1) << function.name;
  }
}

TEST(Gradient, OfEveryOperationIsTheRateOfJets) {
  ExpressionWorkspace work;
  for (const char* text : {"q1 + q2",
                           "q1 - q2",
                           "q1*q2",
                           "q1/q2",
                           "q1^q2",
                           "q1^2",
                           "q1^3",
                           "q1^0.5",
                           "-q1",
                           "sin(q1)",
                           "cos(q1)",
                           "tan(q1)",
                           "asin(q1)",
                           "acos(q1)",
                           "atan(q1)",
                           "atan2(q1, q2)",
                           "atan2(q2, q1)",
                           "sqrt(q1)",
                           "exp(q1)",
                           "log(q1)",
                           "abs(q1)",
                           "abs(-q1)",
                           "min(q1, q2)",
                           "max(q1, q2)",
                           "min(q2, q1)",
                           "max(q2, q1)",
                           "cycloid(q1)",
                           "minjerk(q1)",
                           "smoothstep(q1)",
                           "sinh(q1)",
                           "cosh(q1)",
                           "tanh(q1)",
                           "hypot(q1, q2)",
                           "sign(q1)",
                           "floor(7*q1)",
                           "mod(q2, q1)",
                           "mod(-q2, q1)",
                           "mod(q2, -q1)",
                           "if(q1 < q2, q1*q2, q2)",
                           "if(q2 < q1, q1*q2, q2)"}) {
    const Expression e = parse_expression(text, some_vocabulary());
    e.make_room(work);
    const std::size_t n = e.leaves().size();
    std::vector<double> at{0.3, 0.7}, gradient(n);
    at.resize(n);
    e.gradient(at, work, gradient);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Jet> moving(at.begin(), at.end());
      moving[k].dx = 1;
      EXPECT_DOUBLE_EQ(gradient[k], e.evaluate(moving, work).dx) << text << ", leaf " << k;
    }
  }
}

TEST(Gradient, ABranchNotTakenLeavesNoTrace) {
  const Expression e = parse_expression("if(q1 > 0, q1, sqrt(q1))", some_vocabulary());
  ExpressionWorkspace work;
  e.make_room(work);
  std::vector<double> one(1);
  EXPECT_EQ(e.gradient(std::vector{2.0}, work, one), 2);
  EXPECT_EQ(one[0], 1);
  const Expression root = parse_expression("if(t > 0, q1, sqrt(q1))", some_vocabulary());
  root.make_room(work);
  std::vector<double> both(2);
  root.gradient(std::vector{1.0, 0.0}, work, both);
  EXPECT_EQ(both, (std::vector{0.0, 1.0}));
}

// As u moves through the step at unit speed.
Jet step_at(const std::string& name, double u) {
  const Expression e = parse_expression(name + "(t)", some_vocabulary());
  ExpressionWorkspace work;
  e.make_room(work);
  return e.evaluate(std::vector{Jet(u, 1, 0)}, work);
}

class Steps : public testing::TestWithParam<std::string> {};

TEST_P(Steps, JoinTheirEndsWithTwoContinuousDerivatives) {
  const double h = 1e-6;  // the third derivative stays below 100
  for (const double end : {0.0, 1.0})
    for (const double side : {-h, 0.0, h}) {
      const Jet s = step_at(GetParam(), end + side);
      EXPECT_NEAR(s.x, end, 100 * h * h * h + eps);
      EXPECT_LE(s.x, 1);
      EXPECT_NEAR(s.dx, 0, 100 * h * h);
      EXPECT_NEAR(s.ddx, 0, 100 * h);
    }
}

TEST_P(Steps, AreExactlyStillBeyondTheirEnds) {
  for (const double u : {-3.0, 0.0, 1.0, 4.0}) {
    const Jet s = step_at(GetParam(), u);
    EXPECT_EQ(s.x, u > 0 ? 1 : 0);
    EXPECT_EQ(s.dx, 0);
    EXPECT_EQ(s.ddx, 0);
  }
}

TEST_P(Steps, RiseAsTheIntegralOfTheirRates) {
  // Simpson's rule on n intervals, whose error is of order h⁴
  const int n = 2000;
  double x = 0, dx = 0;
  for (int k = 0; k < n; ++k) {
    const Jet a = step_at(GetParam(), double(k) / n), m = step_at(GetParam(), (k + 0.5) / n),
              b = step_at(GetParam(), double(k + 1) / n);
    x += (a.dx + 4 * m.dx + b.dx) / (6 * n);
    dx += (a.ddx + 4 * m.ddx + b.ddx) / (6 * n);
    ASSERT_NEAR(x, b.x, 1e-11);
    ASSERT_NEAR(dx, b.dx, 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Smooth, Steps, testing::Values("cycloid", "minjerk", "smoothstep"));

std::string complaint(const std::string& text) {
  try {
    parse_expression(text, some_vocabulary(), Place{"a.yaml", 3, 10}).check_differentiable();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Differentiability, AKinkIsRefusedWhereItStands) {
  const std::string tail =
      ", which has a kink; allowed: functions with the derivatives that a constraint needs; cycloid, minjerk "
      "and smoothstep are smooth steps";
  EXPECT_EQ(complaint("q1 + abs(q2)"), "a.yaml:3:15: found 'abs'" + tail);
  EXPECT_EQ(complaint("min(q1, 2)"), "a.yaml:3:10: found 'min'" + tail);
  EXPECT_EQ(complaint("min(push, q1)"), "a.yaml:3:10: found 'min'" + tail);
  EXPECT_EQ(complaint("sin(max(2, t))"), "a.yaml:3:14: found 'max'" + tail);
  for (const char* text : {"sign(q1)", "floor(t)", "mod(t, 2)", "mod(2, q1)"}) {
    const std::string word(text, std::strchr(text, '(')), jumps = "a.yaml:3:10: found '" + word + "', which jumps";
    EXPECT_EQ(complaint(text), jumps + tail.substr(tail.find(';'))) << text;
  }
  EXPECT_EQ(complaint("2*if(t < 1, 0, t - 1)"), "a.yaml:3:12: found 'if'" + tail);
  EXPECT_EQ(complaint("if(start(q1) < 1, abs(q2), q1)"), "a.yaml:3:28: found 'abs'" + tail);
}

TEST(Differentiability, WhatDoesNotMoveMayHaveKinks) {
  for (const char* text : {"q1 + abs(-2)", "q1 + min(r, 2)", "q1*abs(start(q1))", "if(start(q1) < 1, q1, 2*q1)",
                           "q1*abs(push)", "if(push < 1, q1, 2*q1)", "start(max(q1, q2)) - q1",
                           "cycloid(t) + minjerk(t)", "smoothstep(t)*tanh(q1) + hypot(q1, q2)",
                           "q1*sign(push) + floor(start(q1))*q2 + mod(7, 4)*q1", "sqrt(q1) + q1^0.5 + asin(q1)"})
    EXPECT_EQ(complaint(text), "") << text;
}

TEST(Allocations, NoneInEvaluations) {
  const Expression e = parse_expression(
      "if(t < 1, sin(q1)^2 + atan2(tool.x, tool.y)*min(v(q1), 3, t), cycloid(t/5)/minjerk(q2)) - start(q1 + q2)",
      some_vocabulary());
  ExpressionWorkspace work;
  e.make_room(work);
  const std::vector<double> at(e.leaves().size(), 0.3);
  const std::vector<Jet> moving(e.leaves().size(), Jet(0.3, 1, 2));
  std::vector<double> gradient(at.size());
  const std::size_t before = allocation_count();
  const double sum = e.value(at, work) + e.evaluate(moving, work).ddx + e.gradient(at, work, gradient);
  EXPECT_EQ(allocation_count() - before, 0u);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace trammel
