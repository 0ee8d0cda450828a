#include "trammel/sweep/measure.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace trammel::sweep {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Unequal steps, so that means of time and of samples differ.
Recording recording() {
  std::vector<Column> columns{{ColumnKind::time, "t", "t", "s"},
                              {ColumnKind::torque, "u.left motor", "u", "N·m"},
                              {ColumnKind::path_error, "path.pen[0]", "φ", "m"},
                              {ColumnKind::path_error, "path.pen[1]", "φ", "m"},
                              {ColumnKind::multiplier, "lambda.rod[0]", "λ", "N"},
                              {ColumnKind::coordinate, "q.base[0]", "q", "m"},
                              {ColumnKind::coordinate, "q.base[1]", "q", "rad"}};
  Recording out(columns, 4);
  const double rows[4][7] = {
      {0, -2, 3, 4, nan, 1, 0}, {1, 1, 0, 1, 5, 1, 0}, {3, -6, 0, 0, 7, 1, 0}, {3.5, 4, 6, 8, nan, 1, 0}};
  for (const auto& row : rows) out.add_row() = Eigen::Map<const Eigen::Matrix<double, 7, 1>>(row);
  return out;
}

double measured(const std::string& text) {
  const Recording of = recording();
  std::vector<Column> columns;
  for (int c = 0; c < of.columns(); ++c) columns.push_back(of.about(c));
  return parse_measure("a", text, {}, columns, {}).of(of, {});
}

std::string unit_of(const std::string& text) {
  const Recording of = recording();
  std::vector<Column> columns;
  for (int c = 0; c < of.columns(); ++c) columns.push_back(of.about(c));
  return parse_measure("a", text, {}, columns, {}).unit;
}

// By hand: u is −2, 1, −6, 4 at 0, 1, 3, 3.5 s.
TEST(Measure, IsWhatIsComputedByHand) {
  EXPECT_EQ(measured("max(u.`left motor`)"), 4);
  EXPECT_EQ(measured("min(u.`left motor`)"), -6);
  EXPECT_EQ(measured("max(abs(u.`left motor`))"), 6);
  EXPECT_EQ(measured("argmax(u.`left motor`)"), 3.5);
  EXPECT_EQ(measured("argmin(u.`left motor`)"), 3);
  EXPECT_EQ(measured("first(u.`left motor`)"), -2);
  EXPECT_EQ(measured("last(u.`left motor`)"), 4);
  const double integral = 1 * -0.5 + 2 * -2.5 + 0.5 * -1;
  EXPECT_DOUBLE_EQ(measured("integral(u.`left motor`)"), integral);
  EXPECT_DOUBLE_EQ(measured("mean(u.`left motor`)"), integral / 3.5);
  const double squares = 1 * (4 + 1) / 2.0 + 2 * (1 + 36) / 2.0 + 0.5 * (36 + 16) / 2.0;
  EXPECT_DOUBLE_EQ(measured("integral(u.`left motor`^2)"), squares);
  EXPECT_DOUBLE_EQ(measured("rms(u.`left motor`)"), std::sqrt(squares / 3.5));
  EXPECT_EQ(measured("percentile(0, u.`left motor`)"), -6);
  EXPECT_EQ(measured("percentile(100, u.`left motor`)"), 4);
  EXPECT_DOUBLE_EQ(measured("percentile(50, u.`left motor`)"), -0.5);
  EXPECT_DOUBLE_EQ(measured("percentile(25, u.`left motor`)"), -3);  // at place 0.75 between −6 and −2
  EXPECT_DOUBLE_EQ(measured("integral(t)"), 3.5 * 3.5 / 2);
}

TEST(Measure, IsArithmeticOfReductions) {
  EXPECT_EQ(measured("max(u.`left motor`) - min(u.`left motor`)"), 10);
  EXPECT_EQ(measured("max(max(u.`left motor`), -min(u.`left motor`), 2)"), 6);
  EXPECT_EQ(measured("2*max(min(u.`left motor`, 0.5))"), 1);
  EXPECT_EQ(measured("if(max(t) > 3, 1, 2)"), 1);
  EXPECT_EQ(measured("sqrt(max(t) + 0.5)"), 2);
  EXPECT_EQ(measured("max(if(t < 2, t, 0))"), 1);
}

TEST(Measure, OfSeveralRowsIsTheirLength) {
  EXPECT_EQ(measured("max(path.pen)"), 10);
  EXPECT_EQ(measured("first(path.pen)"), 5);
  EXPECT_EQ(measured("max(path.pen[1])"), 8);
  EXPECT_EQ(measured("min(lambda.rod)"), 5);
}

TEST(Measure, LeavesOutWhatIsNoNumber) {
  EXPECT_EQ(measured("max(lambda.rod[0])"), 7);
  EXPECT_EQ(measured("mean(lambda.rod[0])"), 6);
  EXPECT_EQ(measured("percentile(50, lambda.rod[0])"), 6);
  EXPECT_EQ(measured("argmax(lambda.rod[0])"), 3);
  EXPECT_TRUE(std::isnan(measured("first(lambda.rod[0])")));
  EXPECT_TRUE(std::isnan(measured("max(lambda.rod[0]/(t - t))")) || std::isinf(measured("max(lambda.rod[0]/(t - t))")));
}

TEST(Measure, HasAUnitWhereItIsPlain) {
  EXPECT_EQ(unit_of("max(abs(u.`left motor`))"), "N·m");
  EXPECT_EQ(unit_of("integral(u.`left motor`^2)"), "(N·m)²·s");
  EXPECT_EQ(unit_of("argmax(u.`left motor`)"), "s");
  EXPECT_EQ(unit_of("max(path.pen)"), "m");
  EXPECT_EQ(unit_of("max(t*path.pen)"), "");
  EXPECT_EQ(unit_of("max(u.`left motor`) - min(u.`left motor`)"), "N·m");
}

TEST(Measure, MayUseThoseBeforeIt) {
  const Recording of = recording();
  std::vector<Column> columns;
  for (int c = 0; c < of.columns(); ++c) columns.push_back(of.about(c));
  std::vector<Measure> measures{parse_measure("peak torque", "max(u.`left motor`)", {}, columns, {})};
  measures.push_back(parse_measure("least", "min(u.`left motor`)", {}, columns, measures));
  const Measure ratio = parse_measure("ratio", "least/`peak torque`", {}, columns, measures);
  const std::vector<double> before{4, -6};
  EXPECT_EQ(ratio.of(of, before), -1.5);
}

TEST(Measure, RefusesALengthOfMixedUnits) {
  try {
    measured("max(q.base)");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "found 'q.base' with parts in m and in rad, which have no length at character 5; allowed: an index from "
              "[0] to [1] "
              "behind it");
  }
}

}  // namespace
}  // namespace trammel::sweep
