#include "math/jet_cases.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(JetEdges, TheRootOfAConstantZeroIsZeroAndOfAMovingZeroHasNoRates) {
  EXPECT_TRUE(same(sqrt(Jet(0)), 0));
  for (const Jet& u : {Jet(0, 3, 0), Jet(0, 3, -1), Jet(0, -2, 5), Jet(0, 0, 2), Jet(0, 0, -2)})
    EXPECT_TRUE(without_rates(sqrt(u), 0)) << u;
  EXPECT_EQ(sqrt(Jet(0, 2, 0)).dx, inf);
  EXPECT_TRUE(same(sqrt(Jet(-1, 2, 3)), Jet(nan, nan, nan)));
  EXPECT_TRUE(same(sqrt(Jet(-1)), Jet(nan, nan, nan)));
}

TEST(JetEdges, AWholePowerOfZeroHasTheRatesOfThePolynomial) {
  const Jet u(0, 3, 5);
  EXPECT_TRUE(same(pow(u, 0), Jet(1, 0, 0)));
  EXPECT_TRUE(same(pow(u, 1), Jet(0, 3, 5)));
  EXPECT_TRUE(same(pow(u, 2), Jet(0, 0, 18)));
  EXPECT_TRUE(same(pow(u, 3), Jet(0, 0, 0)));
  EXPECT_TRUE(same(pow(u, 7), Jet(0, 0, 0)));
  EXPECT_TRUE(same(pow(Jet(0, 0, -5), 1), Jet(0, 0, -5)));
  EXPECT_TRUE(same(pow(Jet(0, 0, -5), 3), Jet(0, 0, 0)));
  for (const double p : {0.0, 1.0, 2.0, 3.0}) {
    EXPECT_TRUE(same(pow(Jet(0), p), p == 0 ? 1 : 0)) << p;
    EXPECT_TRUE(same(pow(u, Jet(p)), pow(u, p))) << p;  // a constant exponent is a number
  }
}

TEST(JetEdges, AFractionalPowerOfZeroHasItsOneSidedRatesOrNone) {
  // u^1.5: rate 1.5 √u u′ = 0, second rate 0.75 u′²/√u
  EXPECT_TRUE(same(pow(Jet(0, 2, 1), 1.5), Jet(0, 0, inf)));
  EXPECT_TRUE(same(pow(Jet(0, -2, 1), 1.5), Jet(0, 0, inf)));
  EXPECT_TRUE(same(pow(Jet(0, 0, 1), 1.5), Jet(0, 0, 0)));       // (t²/2)^1.5 ~ |t|³
  EXPECT_TRUE(same(pow(Jet(0, 0, -1), 1.5), Jet(0, nan, nan)));  // (−t²/2)^1.5 lives at t = 0 only
  EXPECT_TRUE(same(pow(Jet(0, 2, 1), 2.5), Jet(0, 0, 0)));
  EXPECT_TRUE(same(pow(Jet(0, 0, -1), 2.5), Jet(0, nan, nan)));
  EXPECT_TRUE(same(pow(Jet(0), 0.5), 0) && same(pow(Jet(0), 1.5), 0));  // constants
  for (const Jet& u : {Jet(0, 2, 0), Jet(0, 2, 3), Jet(0, 0, 3), Jet(0, -2, 0)})
    EXPECT_TRUE(without_rates(pow(u, 0.5), 0)) << u;
}

TEST(JetEdges, ANegativePowerOfZeroIsInfiniteAndHasNoRates) {
  for (const double p : {-0.5, -1.0, -2.0, -3.0})
    for (const Jet& u : {Jet(0), Jet(0, 2, 0), Jet(0, 0, 3), Jet(0, -2, 1)})
      EXPECT_TRUE(without_rates(pow(u, p), inf)) << u << p;
}

TEST(JetEdges, ANegativeBaseTakesWholeExponentsOnly) {
  EXPECT_TRUE(same(pow(Jet(-2, 3, 5), 3), Jet(-8, 36, -48)));  // 3u²u′ = 36; 6u u′² + 3u²u″ = −108 + 60
  EXPECT_TRUE(same(pow(Jet(-2, 3, 5), Jet(3)), Jet(-8, 36, -48)));
  EXPECT_TRUE(same(pow(Jet(-2, 3, 5), 4), Jet(16, -96, 272)));  // 4u³u′; 12u²u′² + 4u³u″ = 432 − 160
  EXPECT_TRUE(same(pow(Jet(-2, 3, 5), 0), 1));
  EXPECT_TRUE(same(pow(Jet(-2, 4, 0), -1), Jet(-0.5, -1, -4)));  // −u′/u²; 2u′²/u³
  EXPECT_TRUE(same(pow(Jet(-1), 3), -1) && same(pow(-1, Jet(3)), -1));
  for (const double p : {0.5, 1.5, -0.5, 1e-20}) {
    EXPECT_TRUE(same(pow(Jet(-2, 3, 5), p), Jet(nan, nan, nan))) << p;
    EXPECT_TRUE(same(pow(Jet(-2), p), Jet(nan, nan, nan))) << p;
  }
  // beyond 2⁵³ every double is even, p − 1 is not one of them, and the rate −p u′ must keep its sign
  EXPECT_EQ(pow(Jet(-1, 1, 0), 0x1p54).dx, -0x1p54);
}

TEST(JetEdges, AMovingExponentNeedsAPositiveBase) {
  for (const Jet& v : {Jet(2, 1, 0), Jet(2, 0, 1), Jet(2, -1, 3)}) {
    EXPECT_TRUE(without_rates(pow(Jet(-3), v), 9)) << v;
    EXPECT_TRUE(without_rates(pow(Jet(-3, 1, 1), v), 9)) << v;
    for (const Jet& zero : {Jet(0), Jet(0, 1, 0), Jet(0, -1, 0), Jet(0, 0, 1), Jet(0, 2, 3)}) {
      EXPECT_TRUE(without_rates(pow(zero, v), 0)) << zero << v;
      EXPECT_TRUE(without_rates(pow(zero, v - 2), 1)) << zero << v;
    }
  }
  EXPECT_TRUE(same(pow(1.0, Jet(5, 2, 3)), 1));
}

TEST(JetEdges, AbsKinksOnlyWhereItsArgumentMovesThroughZero) {
  EXPECT_TRUE(same(abs(Jet(0)), 0));
  EXPECT_TRUE(same(abs(Jet(0, 2, 1)), Jet(0, nan, nan)));
  EXPECT_TRUE(same(abs(Jet(0, -2, 0)), Jet(0, nan, nan)));
  EXPECT_TRUE(same(abs(Jet(0, 0, 3)), Jet(0, 0, 3)));   // |1.5 t²|
  EXPECT_TRUE(same(abs(Jet(0, 0, -3)), Jet(0, 0, 3)));  // |−1.5 t²|
  EXPECT_TRUE(same(abs(Jet(0, nan, 0)), Jet(0, nan, nan)));
  EXPECT_FALSE(std::signbit(abs(Jet(-0.0)).x));
  EXPECT_TRUE(std::isnan(abs(Jet(nan, 1, 1)).x));
}

TEST(JetEdges, TiesOfMinAndMaxKinkUnlessTheRatesAgree) {
  const Jet u(2, 1, 5), crossing(2, -1, 0), touching(2, 1, 7), broken(nan, 1, 5);
  EXPECT_TRUE(same(min(u, crossing), Jet(2, nan, nan)) && same(max(u, crossing), Jet(2, nan, nan)));
  EXPECT_TRUE(same(min(crossing, u), Jet(2, nan, nan)) && same(max(crossing, u), Jet(2, nan, nan)));
  EXPECT_TRUE(same(min(u, 2), Jet(2, nan, nan)) && same(max(2.0, u), Jet(2, nan, nan)));
  EXPECT_TRUE(same(min(u, touching), u) && same(min(touching, u), u));
  EXPECT_TRUE(same(max(u, touching), touching) && same(max(touching, u), touching));
  EXPECT_TRUE(same(min(u, u), u) && same(max(u, u), u) && same(max(Jet(2), 2), 2));
  for (const Jet& v : {min(u, broken), min(broken, u), max(u, broken), max(broken, u)})
    EXPECT_TRUE(same(v, Jet(nan, nan, nan)));
  EXPECT_TRUE(same(min(u, Jet(2, 1, nan)), Jet(2, nan, nan)) && same(max(Jet(2, nan, 0), u), Jet(2, nan, nan)));
}

TEST(JetEdges, Atan2OnTheAxesHasTheRatesOfTheTurningPoint) {
  // at distance 2, with speed ω r along e_θ and acceleration α r e_θ − ω² r e_r: θ′ = ω, θ″ = α
  const double r = 2, omega = 3, alpha = 5;
  const struct {
    double c, s, angle;
  } axes[] = {{1, 0, 0}, {0, 1, pi / 2}, {-1, 0, pi}, {0, -1, -pi / 2}, {-1, -0.0, -pi}};
  for (const auto& [c, s, angle] : axes) {
    const Jet u(r * c, -r * omega * s, -r * alpha * s - r * omega * omega * c);
    const Jet v(r * s, r * omega * c, r * alpha * c - r * omega * omega * s);
    EXPECT_TRUE(same(atan2(v, u), Jet(angle, omega, alpha))) << angle;
    EXPECT_TRUE(same(hypot(u, v), Jet(r, 0, 0))) << angle;
  }
  EXPECT_TRUE(same(atan2(Jet(1), Jet(1)), pi / 4) && same(atan2(Jet(-1), -1), -3 * pi / 4));
  EXPECT_TRUE(same(atan2(Jet(0, 1, 0), 1), Jet(0, 1, 0)));  // a double on one side
}

TEST(JetEdges, AtTheOriginAnAngleHasNoRatesUnlessTheCentreIsConstant) {
  EXPECT_TRUE(same(atan2(Jet(0), Jet(0)), 0));
  EXPECT_TRUE(same(hypot(Jet(0), Jet(0)), 0));
  for (const Jet& moved : {Jet(0, 1, 0), Jet(0, 0, 1), Jet(0, -2, 3)}) {
    EXPECT_TRUE(same(atan2(moved, Jet(0)), Jet(0, nan, nan)));
    EXPECT_TRUE(same(atan2(Jet(0), moved), Jet(0, nan, nan)));
    EXPECT_TRUE(same(hypot(moved, Jet(0)), abs(moved)) && same(hypot(Jet(0), moved), abs(moved)));
  }
  EXPECT_TRUE(same(hypot(Jet(0, 0, 3), Jet(0, 0, -4)), Jet(0, 0, 5)));
  EXPECT_TRUE(same(hypot(Jet(0, 3, 0), Jet(0, 4, 0)), Jet(0, nan, nan)));
}

TEST(JetEdges, FarAndNearPointsNeitherOverflowNorUnderflow) {
  for (const double r : {1e-200, 1e200}) {  // r² is not a double
    EXPECT_LE(error("atan2, far", atan2(Jet(3 * r, r, 0), Jet(4 * r, 0, r)), {std::atan2(3, 4), 4.0 / 25, -99.0 / 625},
                    1 + Jet(0, 1, 1)),
              4);
    EXPECT_LE(error("hypot, far", hypot(Jet(3 * r, r, 0), Jet(4 * r, 0, r)), Jet(5, 0.6, 0.928) * r, Jet(5, 1, 1) * r),
              4);
  }
  EXPECT_TRUE(same(pow(Jet(1e-200, 1, 0), 2), Jet(0, 2e-200, 2)));  // u² underflows, its rates do not
  EXPECT_LE(error("u³, near", pow(Jet(1e-120, 1, 0), 3), {0, 3e-240, 6e-120}, {1, 3e-240, 6e-120}), 4);
}

TEST(JetEdges, ArcSineAndCosineEndAtPlusAndMinusOne) {
  EXPECT_TRUE(same(asin(Jet(1)), pi / 2) && same(asin(Jet(-1)), -pi / 2));
  EXPECT_TRUE(same(acos(Jet(1)), 0) && same(acos(Jet(-1)), pi));
  for (const double end : {-1.0, 1.0})
    for (const double b : {-2.0, 0.0, 2.0})
      for (const double c : {-1.0, 0.0, 1.0}) {
        if (b == 0 && c == 0) continue;
        EXPECT_TRUE(without_rates(asin(Jet(end, b, c)), std::asin(end))) << end << " " << b << " " << c;
        EXPECT_TRUE(without_rates(acos(Jet(end, b, c)), std::acos(end))) << end << " " << b << " " << c;
      }
  for (const Jet& u : {Jet(1.5), Jet(1.5, 1, 2), Jet(-1.5), Jet(-1.5, 1, 0), Jet(std::nextafter(1.0, 2.0), 1, 0)}) {
    EXPECT_TRUE(same(asin(u), Jet(nan, nan, nan))) << u;
    EXPECT_TRUE(same(acos(u), Jet(nan, nan, nan))) << u;
  }
}

TEST(JetEdges, TheLogarithmOfZeroIsInfiniteAndOfANegativeNumberUndefined) {
  for (const Jet& u : {Jet(0), Jet(0, 1, 0), Jet(0, 0, 1), Jet(0, -1, 2)})
    EXPECT_TRUE(without_rates(log(u), -inf)) << u;
  for (const Jet& u : {Jet(-1), Jet(-1, 1, 0), Jet(-1, 0, 1)}) EXPECT_TRUE(same(log(u), Jet(nan, nan, nan))) << u;
}

TEST(JetEdges, ANumberThatIsMissingStaysMissing) {
  for (const Elementary& f : elementary())
    for (const Jet& u : {Jet(0.5, nan, 0), Jet(0.5, nan, nan), Jet(0.5, 0, nan), Jet(0.5, inf, 0)}) {
      EXPECT_FALSE(isfinite(f.jet(u))) << f.name << u;
      EXPECT_FALSE(isfinite(0 * u) || isfinite(u - u) || isfinite(pow(u, 0)) || isfinite(atan2(u, 1) + hypot(u, 1)));
    }
  EXPECT_FALSE(isfinite(exp(log(Jet(0)))));  // back at the value 0, still without rates
}

// Where a path u(t) = a + b t + ½ c t² meets a singular point of f, every finite rate that comes out must be the slope
// on each side of t = 0 on which f(u(t)) exists, and there must be such a side. Slopes are one-sided differences in
// long double; |t|^½ terms leave an error of order √h ≈ 0.003, wrong rates are off by 0.1 and more.
void expect_true_slopes(const std::string& what, const Jet& got, const std::function<Long(Long)>& g) {
  const Long h = 1e-5L;
  EXPECT_TRUE(std::isfinite(got.dx) || !std::isfinite(got.ddx)) << what << got;
  if (!std::isfinite(got.dx)) return;
  int sides = 0;
  for (const Long step : {-h, h}) {
    const Long f0 = g(0), f1 = g(step), f2 = g(2 * step);
    if (std::isnan(f1)) continue;
    ++sides;
    EXPECT_NEAR(got.dx, double((4 * f1 - f2 - 3 * f0) / (2 * step)), 0.05) << what << got;
    if (!std::isfinite(got.ddx)) continue;
    EXPECT_NEAR(got.ddx, double((f0 - 2 * f1 + f2) / (step * step)), 0.05) << what << got;
  }
  EXPECT_GT(sides, 0) << what << got;
}

TEST(JetEdges, AFiniteRateAtASingularPointIsTheSlopeOnBothSides) {
  const double grid[] = {-2, -1, -0.5, 0, 0.5, 1, 3};
  for (const double b : grid)
    for (const double c : grid) {
      const auto path = [=](double a) { return [=](Long t) { return Long(a) + t * (Long(b) + t * Long(c) / 2); }; };
      const auto zero = path(0), one = path(1), minus_one = path(-1);
      const Jet u(0, b, c);
      expect_true_slopes("sqrt", sqrt(u), [&](Long t) { return std::sqrt(zero(t)); });
      expect_true_slopes("log", log(u), [&](Long t) { return std::log(zero(t)); });
      expect_true_slopes("abs", abs(u), [&](Long t) { return std::abs(zero(t)); });
      expect_true_slopes("1/u", 1 / u, [&](Long t) { return 1 / zero(t); });
      expect_true_slopes("asin", asin(u + 1), [&](Long t) { return std::asin(one(t)); });
      expect_true_slopes("acos", acos(u - 1), [&](Long t) { return std::acos(minus_one(t)); });
      for (const double p : {-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 1.75, 2.0, 2.75, 3.0, 3.5, 4.0})
        expect_true_slopes("u^" + std::to_string(p), pow(u, p), [&](Long t) { return std::pow(zero(t), Long(p)); });
      for (const double b2 : grid)
        for (const double c2 : grid) {
          const auto other = [=](Long t) { return t * (Long(b2) + t * Long(c2) / 2); };
          const Jet v(0, b2, c2);
          expect_true_slopes("min", min(u, v), [&](Long t) { return std::min(zero(t), other(t)); });
          expect_true_slopes("max", max(u, v), [&](Long t) { return std::max(zero(t), other(t)); });
          expect_true_slopes("hypot", hypot(u, v), [&](Long t) { return std::hypot(zero(t), other(t)); });
          expect_true_slopes("atan2", atan2(v, u), [&](Long t) { return std::atan2(other(t), zero(t)); });
          expect_true_slopes("u^v", pow(u, v + 1), [&](Long t) { return std::pow(zero(t), other(t) + 1); });
        }
    }
}

}  // namespace
}  // namespace trammel
