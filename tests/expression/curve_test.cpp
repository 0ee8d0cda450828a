#include "trammel/expression/curve.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "support/linear_algebra.h"
#include "trammel/expression/expression.h"
#include "trammel/expression/lane_program.h"

namespace trammel {
namespace {

using expression::Derivatives;

std::vector<double> uneven_points(int count, double step = 0.25) {
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> part(0.5, 1.5);
  std::vector<double> x{-0.5};
  for (int i = 1; i < count; ++i) x.push_back(x.back() + step * part(draw));
  return x;
}

std::vector<double> values_at(const std::vector<double>& x, const std::function<double(double)>& f) {
  std::vector<double> y;
  for (const double each : x) y.push_back(f(each));
  return y;
}

// Coefficients of d^k, k = 0 … 3, of each piece, from the conditions of a cubic spline as they are said: values, continuous slope and
// curvature, not-a-knot.
VecX<> spline_as_it_is_said(const std::vector<double>& x, const std::vector<double>& y) {
  const int n = static_cast<int>(x.size()) - 1;
  MatX<> A = MatX<>::Zero(4 * n, 4 * n);
  VecX<> b = VecX<>::Zero(4 * n);
  int row = 0;
  for (int i = 0; i < n; ++i) {
    const double h = x[i + 1] - x[i];
    A(row, 4 * i) = 1;
    b[row++] = y[i];
    for (int k = 0; k < 4; ++k) A(row, 4 * i + k) = std::pow(h, k);
    b[row++] = y[i + 1];
    if (i + 1 == n) break;
    for (int k = 1; k < 4; ++k) A(row, 4 * i + k) = k * std::pow(h, k - 1);
    A(row++, 4 * i + 5) = -1;
    for (int k = 2; k < 4; ++k) A(row, 4 * i + k) = k * (k - 1) * std::pow(h, k - 2);
    A(row++, 4 * i + 6) = -2;
  }
  for (const int i : {0, n - 2}) {
    A(row, 4 * i + 3) = 1;
    A(row++, 4 * i + 7) = -1;
  }
  return test::inverse_of(A) * b;
}

TEST(Curve, IsTheSplineThatItsConditionsDescribe) {
  const std::vector<double> x = uneven_points(12), y = values_at(x, [](double u) { return std::sin(3 * u) + u * u; });
  const Curve curve(x, y, Curve::Shape::cubic, Curve::Beyond::refuse);
  const VecX<> c = spline_as_it_is_said(x, y);
  for (int i = 0; i + 1 < std::ssize(x); ++i)
    for (const double part : {0.0, 0.2, 0.7}) {
      const double d = part * (x[i + 1] - x[i]), *const p = c.data() + 4 * i;
      const Derivatives at = curve.at(x[i] + d);
      EXPECT_NEAR(at.f, p[0] + d * (p[1] + d * (p[2] + d * p[3])), 1e-13);
      EXPECT_NEAR(at.df, p[1] + d * (2 * p[2] + d * 3 * p[3]), 1e-12);
      EXPECT_NEAR(at.ddf, 2 * p[2] + 6 * d * p[3], 2e-11);
    }
}

TEST(Curve, MeetsCubicsExactlyWithTheirRates) {
  const auto f = [](double u) { return 2 - u + 3 * u * u - 0.7 * u * u * u; };
  const std::vector<double> x = uneven_points(9);
  const Curve curve(x, values_at(x, f), Curve::Shape::cubic, Curve::Beyond::refuse);
  for (double u = x.front(); u < x.back(); u += 0.01) {
    const Derivatives at = curve.at(u);
    EXPECT_NEAR(at.f, f(u), 1e-13);
    EXPECT_NEAR(at.df, -1 + 6 * u - 2.1 * u * u, 1e-12);
    EXPECT_NEAR(at.ddf, 6 - 4.2 * u, 2e-11);
  }
  // few samples: the parabola, the line
  const std::vector<double> three{0, 1, 3}, squares{0, 1, 9}, two{1, 3}, ends{2, 5};
  EXPECT_NEAR(Curve(three, squares, Curve::Shape::cubic, Curve::Beyond::refuse).at(2.5).f, 6.25, 1e-15);
  EXPECT_NEAR(Curve(three, squares, Curve::Shape::cubic, Curve::Beyond::refuse).at(0.5).ddf, 2, 1e-14);
  EXPECT_NEAR(Curve(two, ends, Curve::Shape::cubic, Curve::Beyond::refuse).at(2).f, 3.5, 1e-15);
}

double worst_error(int count, double& worst_rate) {
  std::vector<double> x(count);
  for (int i = 0; i < count; ++i) x[i] = 3.0 * i / (count - 1);
  const Curve curve(x, values_at(x, [](double u) { return std::exp(u); }), Curve::Shape::cubic, Curve::Beyond::refuse);
  double worst = worst_rate = 0;
  for (double u = 0; u <= 3; u += 1e-3) {
    worst = std::max(worst, std::abs(curve.at(u).f - std::exp(u)));
    worst_rate = std::max(worst_rate, std::abs(curve.at(u).df - std::exp(u)));
  }
  return worst;
}

TEST(Curve, IsOfFourthOrderUpToItsEndsAndItsRateOfThird) {
  double rate = 0, finer_rate = 0;
  const double error = worst_error(41, rate), finer = worst_error(81, finer_rate);
  EXPECT_NEAR(std::log2(error / finer), 4, 0.15);
  EXPECT_NEAR(std::log2(rate / finer_rate), 3, 0.15);
}

// ∫f′ = Δf and ∫f″ = Δf′ inside each piece: three points of Gauss and Legendre are exact up to the fifth degree.
void expect_rates_of_values(const Curve& curve, const std::vector<double>& x) {
  const double node = std::sqrt(0.6), nodes[] = {-node, 0, node}, weights[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = x[i], b = x[i] + 0.999 * (x[i + 1] - x[i]);
    double slope = 0, curvature = 0;
    for (int k = 0; k < 3; ++k) {
      const Derivatives at = curve.at((a + b) / 2 + nodes[k] * (b - a) / 2);
      slope += weights[k] * at.df * (b - a) / 2;
      curvature += weights[k] * at.ddf * (b - a) / 2;
    }
    EXPECT_NEAR(slope, curve.at(b).f - curve.at(a).f, 1e-13);
    EXPECT_NEAR(curvature, curve.at(b).df - curve.at(a).df, 1e-12);
  }
}

TEST(Curve, HasTheRatesOfItsValues) {
  const std::vector<double> x = uneven_points(9), y = values_at(x, [](double u) { return std::cos(2 * u); });
  for (const Curve::Beyond beyond : {Curve::Beyond::refuse, Curve::Beyond::hold})
    expect_rates_of_values(Curve(x, y, Curve::Shape::cubic, beyond), x);
}

TEST(Curve, IsSmoothAtItsSamplesAndAtEndsThatHold) {
  for (const int count : {2, 3, 9}) {
    const std::vector<double> x = uneven_points(count);
    const std::vector<double> y = values_at(x, [](double u) { return std::cos(2 * u) + u; });
    const Curve curve(x, y, Curve::Shape::cubic, Curve::Beyond::hold);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double near = 1e-9;
      const Derivatives before = curve.at(x[i] - near), at = curve.at(x[i]), behind = curve.at(x[i] + near);
      EXPECT_NEAR(at.f, y[i], 1e-15);
      EXPECT_NEAR(before.f, behind.f, 1e-7);
      EXPECT_NEAR(before.df, behind.df, 1e-6);
      EXPECT_NEAR(before.ddf, behind.ddf, 1e-5);
    }
    for (const double beyond : {x.front() - 100, x.back() + 100}) {
      const Derivatives at = curve.at(beyond);
      EXPECT_EQ(at.f, beyond < 0 ? y.front() : y.back());
      EXPECT_EQ(at.df, 0);
      EXPECT_EQ(at.ddf, 0);
    }
  }
  // between two samples alone, it is the quintic from rest to rest
  const std::vector<double> x{0, 1}, y{0, 1};
  const Curve step(x, y, Curve::Shape::cubic, Curve::Beyond::hold);
  for (const double u : {0.1, 0.5, 0.8}) EXPECT_NEAR(step.at(u).f, expression::minjerk(u).f, 1e-15);
}

TEST(Curve, RefusesWhatIsBeyondItByMoreThanRounding) {
  const std::vector<double> x{0, 0.1, 0.2, 0.3}, y{1, 2, 4, 8};
  const Curve curve(x, y, Curve::Shape::cubic, Curve::Beyond::refuse);
  EXPECT_NEAR(curve.at(std::nextafter(0.3, 1)).f, 8, 1e-13);
  EXPECT_NEAR(curve.at(-1e-17).f, 1, 1e-13);
  for (const double u : {-1e-6, 0.300001, 5.0, std::nan("")}) EXPECT_TRUE(std::isnan(curve.at(u).f)) << u;
}

TEST(Curve, StraightPiecesHaveTheirSlopes) {
  const std::vector<double> x{0, 1, 3}, y{0, 2, 1};
  const Curve curve(x, y, Curve::Shape::linear, Curve::Beyond::hold);
  EXPECT_EQ(curve.at(0.5).f, 1);
  EXPECT_EQ(curve.at(0.5).df, 2);
  EXPECT_EQ(curve.at(1).df, -0.5);
  EXPECT_EQ(curve.at(2).ddf, 0);
  EXPECT_EQ(curve.at(7).f, 1);
}

Vocabulary with_table() {
  const std::vector<double> x{0, 1, 2, 4}, y{1, 0, 3, 2};
  Vocabulary out;
  out.joints = {{"q1"}};
  const auto curve = [&](Curve::Shape shape) {
    return std::make_shared<const Curve>(x, y, shape, Curve::Beyond::refuse);
  };
  out.tables["cam"].columns = {{"lift", curve(Curve::Shape::cubic)},
                               {"step 2", curve(Curve::Shape::linear)},
                               {"bad", nullptr, std::make_shared<const Error>(Place{"cam.csv", 3}, "'x'", "a number")}};
  return out;
}

TEST(Tables, HaveTheDerivativesOfTheirCurves) {
  const Vocabulary vocabulary = with_table();
  const Expression law = parse_expression("2*cam.lift(q1^2) + cam.`step 2`(t)*cam.lift(q1^2)", vocabulary);
  ASSERT_EQ(law.leaves().size(), 2u);
  ASSERT_EQ(law.leaves()[0].name, "q1");
  const Curve& lift = *vocabulary.tables.at("cam").columns[0].curve;
  const double q = 1.2, t = 0.5, step = 0.5, u = q * q;
  ExpressionWorkspace work;
  law.make_room(work);
  const double leaves[] = {q, t};
  EXPECT_NEAR(law.value(leaves, work), (2 + step) * lift.at(u).f, 1e-15);
  double slopes[2];
  (void)law.gradient(leaves, work, slopes);
  EXPECT_NEAR(slopes[0], (2 + step) * lift.at(u).df * 2 * q, 1e-14);
  EXPECT_NEAR(slopes[1], -lift.at(u).f, 1e-15);
  const double dq = 0.3;
  const Jet jets[] = {Jet(q, dq, 0.1), Jet(t)};
  const Jet out = law.evaluate(jets, work);
  const double du = 2 * q * dq, ddu = 2 * dq * dq + 2 * q * 0.1;
  EXPECT_NEAR(out.dx, (2 + step) * lift.at(u).df * du, 1e-14);
  EXPECT_NEAR(out.ddx, (2 + step) * (lift.at(u).ddf * du * du + lift.at(u).df * ddu), 1e-13);
}

TEST(Tables, AreTheSameInLanes) {
  const Expression law = parse_expression("q1*cam.lift(q1^2) + cam.`step 2`(t)", with_table());
  const expression::Program& program = law.program();
  ExpressionWorkspace work;
  law.make_room(work);
  std::vector<LaneJet> registers(program.registers());
  const std::vector<LaneJet> leaves{LaneJet::each([](int lane) { return Jet(0.9 + 0.1 * lane, 0.3, -0.2); }),
                                    LaneJet::each([](int lane) { return Jet(0.5 + 0.2 * lane, 1); })};
  const LaneJet together = expression::run_in_lanes<LaneJet>(program, leaves, registers);
  std::vector<Lanes> slopes(program.registers());
  expression::sweep_back_in_lanes(program, registers, slopes);
  for (int lane = 0; lane < lane_count; ++lane) {
    const Jet jets[] = {leaves[0][lane], leaves[1][lane]};
    const Jet alone = law.evaluate(jets, work);
    EXPECT_NEAR(together[lane].x, alone.x, 1e-15);
    EXPECT_NEAR(together[lane].dx, alone.dx, 1e-14);
    EXPECT_NEAR(together[lane].ddx, alone.ddx, 1e-13);
    const double values[] = {jets[0].x, jets[1].x};
    double out[2];
    (void)law.gradient(values, work, out);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(slopes[k][lane], out[k], 1e-14);
  }
}

std::string refusal_of_table(const std::string& text, bool is_constraint = false) {
  try {
    const Expression law = parse_expression(text, with_table(), {"a.yaml", 1, 1});
    if (is_constraint) law.check_differentiable();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Tables, AreRefusedByName) {
  EXPECT_EQ(parse_expression("cam.lift(1 + 1)", with_table()).program().constants.at(0), 3);
  EXPECT_EQ(refusal_of_table("1 + cam.lift(5)"),
            "a.yaml:1:5: found 5, beyond the table; allowed: 0 to 4, or `beyond: hold` of the table");
  EXPECT_EQ(refusal_of_table("cam.left(t)"),
            "a.yaml:1:1: found the column 'left' of the table 'cam'; allowed: one of lift, step 2, bad (did you mean "
            "'lift'?)");
  EXPECT_EQ(refusal_of_table("cam(t)"),
            "a.yaml:1:1: found the table 'cam' without a column; allowed: cam.COLUMN(…) with one of lift, step 2, bad");
  EXPECT_EQ(refusal_of_table("2*cam.lift"),
            "a.yaml:1:3: found 'cam.lift' without '('; allowed: a column of the table at a place: path.x(t)");
  EXPECT_EQ(refusal_of_table("cam.lift(t, 2)"), "a.yaml:1:1: found 'cam.lift' with 2 arguments; allowed: 1");
  EXPECT_EQ(refusal_of_table("cam.bad(t)"), "cam.csv:3: found 'x'; allowed: a number");
  EXPECT_EQ(refusal_of_table("cam.`step 2`(3)*cam.lift(t)", true), "");  // nothing moves in it
  EXPECT_EQ(refusal_of_table("1 - cam.`step 2`(t)", true),
            "a.yaml:1:5: found a table with straight pieces, which has kinks; allowed: interpolate: cubic, which has "
            "the derivatives that a constraint needs");
}

}  // namespace
}  // namespace trammel
