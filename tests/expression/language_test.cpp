#include <cmath>

#include <gtest/gtest.h>

#include "expression/vocabulary.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double pi = std::numbers::pi;

struct Row {
  const char* text;
  double value;
};
void expect_values(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_DOUBLE_EQ(value_of(row.text), row.value) << row.text;
}

TEST(Precedence, IsThatOfPaperMathematics) {
  expect_values({{"2 + 3*4", 14},  {"(2 + 3)*4", 20}, {"10 - 4 - 3", 3},  {"10 - (4 - 3)", 9}, {"24/4/3", 2},
                 {"24/(4/3)", 18}, {"24/4*3", 18},    {"2^3^2", 512},     {"(2^3)^2", 64},     {"-2^2", -4},
                 {"(-2)^2", 4},    {"2^-2", 0.25},    {"2^-2^2", 0.0625}, {"2*-3", -6},        {"2 - -3", 5},
                 {"--3", 3},       {"+3", 3},         {"-+-3", 3},        {"6/2*(1 + 2)", 9},  {"2*3^2", 18},
                 {"-3*2 + 1", -5}, {"1 + 2^2*3", 13}, {"((((7))))", 7},   {"\t2\n +\r 3 ", 5}});
}

TEST(Numbers, AreReadInAllTheirForms) {
  expect_values({{"12", 12},
                 {"1.5", 1.5},
                 {".5", 0.5},
                 {"2.", 2},
                 {"1e3", 1000},
                 {"1.5E-3", 0.0015},
                 {"2.e+2", 200},
                 {"007", 7}});
}

TEST(Units, ScaleTheNumberBeforeThem) {
  expect_values({{"30 deg", pi / 6},
                 {"180deg", pi},
                 {"1 rad", 1},
                 {"0.05 m", 0.05},
                 {"35 mm", 0.035},
                 {"3 s", 3},
                 {"20 ms", 0.02},
                 {"3 kg", 3},
                 {"2 N", 2},
                 {"-90 deg", -pi / 2},
                 {"1e1 mm", 0.01},
                 {"2*30 deg", pi / 3},
                 {"(5 mm)^2", 25e-6},
                 {"0.1 m/20 ms", 5},
                 {"if(1 m < 2 m and 1 < 2, 1, 2)", 1}});
}

TEST(Functions, HaveTheirClosedForms) {
  expect_values({{"sin(0.3)", std::sin(0.3)},
                 {"cos(0.3)", std::cos(0.3)},
                 {"tan(0.3)", std::tan(0.3)},
                 {"asin(0.3)", std::asin(0.3)},
                 {"acos(0.3)", std::acos(0.3)},
                 {"atan(3)", std::atan(3)},
                 {"atan2(1, -2)", std::atan2(1, -2)},
                 {"sqrt(2)", std::sqrt(2)},
                 {"exp(2)", std::exp(2)},
                 {"log(2)", std::log(2)},
                 {"abs(-2)", 2},
                 {"abs(2)", 2},
                 {"min(3, 2)", 2},
                 {"min(3, 4, 1, 2)", 1},
                 {"max(3, 2)", 3},
                 {"max(3, 5, 4)", 5},
                 {"pi", pi},
                 {"cycloid(0.3)", 0.3 - std::sin(0.6 * pi) / (2 * pi)},
                 {"cycloid(-1)", 0},
                 {"cycloid(2)", 1},
                 {"minjerk(0.5)", 0.5},
                 {"minjerk(0.2)", 0.05792},
                 {"minjerk(-1)", 0},
                 {"minjerk(1.5)", 1},
                 {"sinh(0.3)", std::sinh(0.3)},
                 {"cosh(0.3)", std::cosh(0.3)},
                 {"tanh(0.3)", std::tanh(0.3)},
                 {"tanh(1000)", 1},
                 {"hypot(3, 4)", 5},
                 {"hypot(2, 3, 6)", 7},
                 {"hypot(3e200, 4e200)", 5e200},
                 {"sign(-2)", -1},
                 {"sign(0)", 0},
                 {"sign(3)", 1},
                 {"floor(2.7)", 2},
                 {"floor(-2.1)", -3},
                 {"mod(7, 3)", 1},
                 {"mod(-7, 3)", 2},
                 {"mod(7, -3)", -2},
                 {"mod(-7, -3)", -1},
                 {"mod(5.5, 2)", 1.5},
                 {"mod(6, 3)", 0},
                 {"smoothstep(0.5)", 0.5},
                 {"smoothstep(0.25)", 1 / (1 + std::exp(4 - 4.0 / 3))},
                 {"smoothstep(0.75)", 1 / (1 + std::exp(4.0 / 3 - 4))},
                 {"smoothstep(1e-200)", 0},
                 {"smoothstep(-1)", 0},
                 {"smoothstep(1.5)", 1},
                 {"sin (0)", 0}});
}

TEST(Conditions, PickTheirBranch) {
  expect_values({{"if(1 < 2, 3, 4)", 3},
                 {"if(2 < 1, 3, 4)", 4},
                 {"if(1 < 1, 3, 4)", 4},
                 {"if(1 <= 1, 3, 4)", 3},
                 {"if(2 <= 1, 3, 4)", 4},
                 {"if(1 > 1, 3, 4)", 4},
                 {"if(2 > 1, 3, 4)", 3},
                 {"if(1 >= 1, 3, 4)", 3},
                 {"if(1 >= 2, 3, 4)", 4},
                 {"if(not 1 < 2, 3, 4)", 4},
                 {"if(not not 1 < 2, 3, 4)", 3},
                 {"if(1 < 2 and 2 < 3, 3, 4)", 3},
                 {"if(1 < 2 and 2 < 1, 3, 4)", 4},
                 {"if(2 < 1 or 1 < 2, 3, 4)", 3},
                 {"if(2 < 1 or 2 < 1, 3, 4)", 4},
                 {"if(1 < 2 or 1 < 2, 3, 4)", 3},
                 {"if(1 < 2 or 2 < 1 and 2 < 1, 3, 4)", 3},
                 {"if((1 < 2 or 2 < 1) and 2 < 1, 3, 4)", 4},
                 {"if(not 1 < 2 or 1 < 2, 3, 4)", 3},
                 {"if((1 + 1) < 3, 3, 4)", 3},
                 {"if(t > 0 and t < 1, 3, 4)", 3},
                 {"if(t > 0.3 or not t < 1, 3, 4)", 4}});
}

std::vector<Leaf> leaves_of(const std::string& text) {
  const Expression expression = parse_expression(text, some_vocabulary());
  return {expression.leaves().begin(), expression.leaves().end()};
}

TEST(Leaves, EachNameFindsItsLeaf) {
  using L = std::vector<Leaf>;
  EXPECT_EQ(leaves_of("t"), L({{LeafKind::time, ""}}));
  EXPECT_EQ(leaves_of("q1"), L({{LeafKind::coordinate, "q1"}}));
  EXPECT_EQ(leaves_of("q1[0]"), L({{LeafKind::coordinate, "q1"}}));
  EXPECT_EQ(leaves_of("base[6]"), L({{LeafKind::coordinate, "base", 6}}));
  EXPECT_EQ(leaves_of("v(q1)"), L({{LeafKind::speed, "q1"}}));
  EXPECT_EQ(leaves_of("v(base[5])"), L({{LeafKind::speed, "base", 5}}));
  EXPECT_EQ(leaves_of("tool.x + tool.y + tool.z"), L({{LeafKind::frame_position, "tool", 0},
                                                      {LeafKind::frame_position, "tool", 1},
                                                      {LeafKind::frame_position, "tool", 2}}));
  EXPECT_EQ(leaves_of("tool.vx + tool.vy + tool.vz"), L({{LeafKind::frame_velocity, "tool", 0},
                                                         {LeafKind::frame_velocity, "tool", 1},
                                                         {LeafKind::frame_velocity, "tool", 2}}));
  EXPECT_EQ(leaves_of("push + 2*`push`"), L({{LeafKind::input, "push"}}));
}

TEST(Leaves, FramesHaveAxesAnglesAndAngularVelocities) {
  using L = std::vector<Leaf>;
  EXPECT_EQ(leaves_of("tool.wx + tool.wz"),
            L({{LeafKind::frame_angular_velocity, "tool", 0}, {LeafKind::frame_angular_velocity, "tool", 2}}));
  EXPECT_EQ(leaves_of("tool.x_axis.z"), L({{LeafKind::frame_axis, "tool", 2}}));
  EXPECT_EQ(leaves_of("left.tool.z_axis.y"), L({{LeafKind::frame_axis, "left.tool", 7}}));
  EXPECT_EQ(leaves_of("`my tool`.y_axis.x"), L({{LeafKind::frame_axis, "my tool", 3}}));
  EXPECT_EQ(leaves_of("tool.roll"), L({{LeafKind::frame_axis, "tool", 5}, {LeafKind::frame_axis, "tool", 8}}));
  EXPECT_EQ(leaves_of("tool.yaw"), L({{LeafKind::frame_axis, "tool", 1}, {LeafKind::frame_axis, "tool", 0}}));
  EXPECT_TRUE(parse_expression("tool.wy", some_vocabulary()).has_speeds());
  EXPECT_FALSE(parse_expression("tool.pitch", some_vocabulary()).has_speeds());
  Vocabulary vocabulary = some_vocabulary();
  vocabulary.frames.emplace_back("tool.x_axis");  // the longest reading
  EXPECT_EQ(parse_expression("tool.x_axis.z", vocabulary).leaves()[0],
            (Leaf{LeafKind::frame_position, "tool.x_axis", 2}));
}

Vocabulary with_definitions(const std::vector<std::pair<std::string, std::string>>& definitions) {
  Vocabulary out = some_vocabulary();
  out.definitions = std::make_shared<Definitions>();
  int line = 10;
  for (const auto& [name, text] : definitions)
    out.definitions->all.emplace(
        name, std::make_shared<const Expression>(parse_expression(text, out, Place{"a.yaml", line++, 5})));
  return out;
}

std::string refusal(const std::string& text, const Vocabulary& vocabulary) {
  try {
    parse_expression(text, vocabulary, Place{"a.yaml", 30, 1}).check_differentiable();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Definitions, StandForWhatTheySay) {
  const Vocabulary names = with_definitions({{"lean", "tool.x - 0.3"}, {"pull", "-20*lean^2 + t"}, {"two", "2"}});
  const auto value = [&](const char* text) { return value_of(parse_expression(text, names)); };
  EXPECT_EQ(value("lean"), value_of("tool.x - 0.3"));
  EXPECT_EQ(value("two*pull + lean"), value_of("2*(-20*(tool.x - 0.3)^2 + t) + (tool.x - 0.3)"));
  EXPECT_EQ(value_of(parse_equation("pull = lean", names)), value_of("-20*(tool.x - 0.3)^2 + t - (tool.x - 0.3)"));
  const Expression e = parse_expression("lean*pull + lean", names);
  EXPECT_EQ(e.leaves().size(), 2u);  // each leaf once
  EXPECT_TRUE(parse_expression("two^3", names).is_constant());
}

TEST(Definitions, BringTheirStartValuesOnce) {
  const Vocabulary names = with_definitions({{"moved", "q1 - start(q1)"}, {"both", "moved + 2*start(q2)"}});
  const Expression e = parse_expression("start(t) + both - moved", names);
  ASSERT_EQ(e.starts().size(), 4u);  // of t; of both, which has that of moved with it; of moved by itself
  std::vector<double> leaves;
  const double start[] = {7, 3, 5, 3};
  for (const Leaf& leaf : e.leaves()) leaves.push_back(leaf.kind == LeafKind::start ? start[leaf.component] : 4);
  ExpressionWorkspace work;
  e.make_room(work);
  EXPECT_EQ(e.value(leaves, work), 7 + (4 - 3) + 2 * 5 - (4 - 3));
}

TEST(Definitions, AreRefusedWhereTheyCannotStand) {
  Vocabulary names = with_definitions({{"driven", "q1 + push"}, {"moved", "q1 - start(q1)"}});
  EXPECT_EQ(refusal("start(driven)", names),
            "a.yaml:30:7: found 'driven', which has the input 'push' in it, in start(…); allowed: an expression "
            "without inputs");
  EXPECT_EQ(refusal("start(moved)", names),
            "a.yaml:30:7: found 'moved', which has start(…) in it, in start(…); allowed: one start");
  names.is_path = true;
  EXPECT_EQ(refusal("t + driven", names),
            "a.yaml:30:5: found 'driven', which has the input 'push' in it, in a path; allowed: an expression without "
            "inputs; for those use an equation");
  EXPECT_EQ(refusal("drivn", names).substr(0, 35), "a.yaml:30:1: found the name 'drivn'");
  EXPECT_EQ(refusal("driven[0]", names),
            "a.yaml:30:8: found an index behind 'driven'; allowed: an index behind joints only");
}

TEST(Definitions, AKinkInOneIsToldAtItsOwnLine) {
  const Vocabulary names = with_definitions({{"size", "2*abs(q1)"}, {"area", "size*size + floor(q2)"}});
  const std::string tail =
      "; allowed: functions with the derivatives that a constraint needs; cycloid, minjerk and smoothstep are smooth "
      "steps";
  EXPECT_EQ(refusal("q2 + size", names), "a.yaml:10:7: found 'abs', which has a kink (used in line 30)" + tail);
  EXPECT_EQ(refusal("sin(area)", names), "a.yaml:10:7: found 'abs', which has a kink (used in line 30)" + tail);
  EXPECT_EQ(refusal("start(size)*t", names), "");
}

TEST(Definitions, DoNotGrowWithoutBound) {
  std::vector<std::pair<std::string, std::string>> definitions{{"d0", "sin(q1)"}};
  for (int k = 1; k < 3000; ++k) {
    const std::string before = "d" + std::to_string(k - 1);
    definitions.emplace_back("d" + std::to_string(k), "sin(" + before + ") + cos(" + before + ")");
  }
  try {
    (void)with_definitions(definitions);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.found().substr(error.found().find(", with")),
              ", with which definitions come to more than 1000000 operations");
  }
}

TEST(Leaves, OfADottedNameTheLongestReadingWins) {
  using L = std::vector<Leaf>;
  EXPECT_EQ(leaves_of("left.q1"), L({{LeafKind::coordinate, "left.q1"}}));
  EXPECT_EQ(leaves_of("v(left.q1)"), L({{LeafKind::speed, "left.q1"}}));
  EXPECT_EQ(leaves_of("left.tool.x"), L({{LeafKind::frame_position, "left.tool", 0}}));
  EXPECT_EQ(leaves_of("left.x"), L({{LeafKind::frame_position, "left", 0}}));
  EXPECT_EQ(value_of("left.gain"), 3);
  Vocabulary vocabulary = some_vocabulary();
  vocabulary.joints.push_back({"left.x"});
  EXPECT_EQ(parse_expression("left.x", vocabulary).leaves()[0], (Leaf{LeafKind::coordinate, "left.x"}));
}

TEST(Leaves, BackquotesHoldAnyName) {
  using L = std::vector<Leaf>;
  EXPECT_EQ(leaves_of("`joint-1` + 1"), L({{LeafKind::coordinate, "joint-1"}}));
  EXPECT_EQ(leaves_of("v(`joint-1`)"), L({{LeafKind::speed, "joint-1"}}));
  EXPECT_EQ(leaves_of("`left.tool`.x"), L({{LeafKind::frame_position, "left.tool", 0}}));
  EXPECT_EQ(leaves_of("left.`tool`.vx"), L({{LeafKind::frame_velocity, "left.tool", 0}}));
  EXPECT_EQ(leaves_of("`my tool`.z"), L({{LeafKind::frame_position, "my tool", 2}}));
  EXPECT_EQ(leaves_of("`base`[1]"), L({{LeafKind::coordinate, "base", 1}}));
}

TEST(Leaves, TheLanguagesOwnWordsWinUnlessInBackquotes) {
  using L = std::vector<Leaf>;
  EXPECT_EQ(leaves_of("`t`"), L({{LeafKind::coordinate, "t"}}));
  EXPECT_EQ(value_of("`pi`"), 7);
  EXPECT_EQ(leaves_of("3 m * m"), L({{LeafKind::coordinate, "m"}}));
  EXPECT_EQ(leaves_of("v + v(v)"), L({{LeafKind::coordinate, "v"}, {LeafKind::speed, "v"}}));
  for (const char* word : {"pi", "t", "start", "and", "or", "not", "sin"}) EXPECT_TRUE(is_reserved_word(word));
  EXPECT_FALSE(is_reserved_word("r"));
  // a file of the first version may have constants of these names
  for (const char* word : {"tanh", "floor", "mod", "sign", "hypot", "smoothstep"}) EXPECT_FALSE(is_reserved_word(word));
  Vocabulary vocabulary = some_vocabulary();
  vocabulary.constants["floor"] = 0.4;
  EXPECT_EQ(value_of(parse_expression("floor + floor(2.5)", vocabulary)), 2.4);
}

TEST(Leaves, EachStandsOnceAndNoneThatIsNotNeeded) {
  EXPECT_EQ(leaves_of("q1 + sin(q1)*q1 - v(q1) + v(q1)").size(), 2u);
  EXPECT_TRUE(leaves_of("2*pi*r").empty());
  EXPECT_EQ(leaves_of("if(1 < 2, q1, v(q2))"), std::vector<Leaf>({{LeafKind::coordinate, "q1"}}));
}

TEST(Leaves, SpeedsMakeAnExpressionOneAtVelocityLevel) {
  const auto has_speeds = [](const char* text) { return parse_expression(text, some_vocabulary()).has_speeds(); };
  EXPECT_TRUE(has_speeds("q1 + v(q1)"));
  EXPECT_TRUE(has_speeds("tool.vx"));
  EXPECT_FALSE(has_speeds("q1 + tool.x + t + push"));
  EXPECT_FALSE(has_speeds("start(v(q1)) + q1"));
}

TEST(Equations, AreLeftMinusRight) {
  const auto phi = [](const char* text) { return value_of(parse_equation(text, some_vocabulary())); };
  EXPECT_EQ(phi("7 = 3"), 4);
  EXPECT_EQ(phi("q1 = 0"), value_of("q1"));
  EXPECT_EQ(phi("q2 = -3*q1"), value_of("q2 - (-3*q1)"));
  EXPECT_EQ(phi("tool.vx = 0.1*tool.y"), value_of("tool.vx - 0.1*tool.y"));
}

TEST(Start, IsALeafWithAnExpressionOfItsOwn) {
  const Expression e = parse_expression("q1 - start(q1 + 2*v(q2)) + t*start(tool.x)", some_vocabulary());
  ASSERT_EQ(e.starts().size(), 2u);
  EXPECT_EQ(e.starts()[0].text(), "q1 + 2*v(q2)");
  EXPECT_EQ(value_of(e.starts()[0]), value_of("q1 + 2*v(q2)"));
  EXPECT_EQ(value_of(e.starts()[1]), value_of("tool.x"));
  const std::vector<Leaf> expected{
      {LeafKind::coordinate, "q1"}, {LeafKind::start, "", 0}, {LeafKind::time, ""}, {LeafKind::start, "", 1}};
  EXPECT_EQ(std::vector<Leaf>(e.leaves().begin(), e.leaves().end()), expected);

  ExpressionWorkspace work;
  e.make_room(work);
  const Jet phi = e.evaluate(std::vector<Jet>{{5, 1, 2}, 3, {2, 1, 0}, 4}, work);
  EXPECT_EQ(phi.x, 5 - 3 + 2 * 4);
  EXPECT_EQ(phi.dx, 1 + 4);
  EXPECT_EQ(phi.ddx, 2);
}

TEST(Start, OfAConstantIsThatConstant) {
  EXPECT_TRUE(leaves_of("start(2*r)").empty());
  EXPECT_DOUBLE_EQ(value_of("start(2*r)"), 0.1);
}

TEST(Start, AloneIsALeafWhereTheCallerAllowsIt) {
  Vocabulary vocabulary = some_vocabulary();
  vocabulary.bare_start = true;
  const Expression e = parse_expression("start - 0.01 + 0.01*cos(t)", vocabulary);
  EXPECT_EQ(e.leaves()[0], (Leaf{LeafKind::bare_start, ""}));
  EXPECT_TRUE(e.starts().empty());
}

TEST(ParseNumber, TakesUnitsAndConstantsAndGivesTheNumber) {
  EXPECT_DOUBLE_EQ(parse_number("-55 deg", {}), -55 * pi / 180);
  EXPECT_DOUBLE_EQ(parse_number("0.4*pi", {}), 0.4 * pi);
  EXPECT_DOUBLE_EQ(parse_number("2*r", {{"r", 0.05}}), 0.1);
}

TEST(Expression, WithoutATextIsZero) {
  const Expression e;
  EXPECT_TRUE(e.is_constant());
  EXPECT_EQ(value_of(e), 0);
}

TEST(Expression, NotANumberNeverPicksABranch) {
  const auto value = [](const char* text) { return value_of(text); };
  for (const char* text : {"if(sqrt(-t) < 1, 2, 3)", "if(not sqrt(-t) < 1, 2, 3)", "if(sqrt(-t) < 1 or t > 0, 2, 3)",
                           "if(sqrt(-t) < 1 and t > 0, 2, 3)", "min(sqrt(-t), 1)", "max(1, sqrt(-t))"})
    EXPECT_TRUE(std::isnan(value(text))) << text;
  EXPECT_EQ(value("if(t > 0, 2, sqrt(-t))"), 2);
}

}  // namespace
}  // namespace trammel
