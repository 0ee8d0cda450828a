#include "math/jet_cases.h"

namespace trammel {

// Functions of doubles keep meaning what they mean beside Jet.
static_assert(std::is_same_v<decltype(sin(1.0)), double>);
static_assert(std::is_trivially_copyable_v<Jet> && sizeof(Jet) == 3 * sizeof(double));
static_assert((2 * Jet(3, 1, 0) * Jet(3, 1, 0)).ddx == 4 && (1 / Jet(1, 1, 0)).ddx == 2);  // (2u²)″ = 4, (1/u)″ = 2

namespace {

using namespace trammel::test;

// A polynomial over the whole numbers: every comparison is exact.
using Coefficients = std::vector<std::int64_t>;

rc::Gen<Coefficients> polynomial(std::size_t terms) {
  return rc::gen::container<Coefficients>(terms, rc::gen::inRange<std::int64_t>(-9, 10));
}

// p, p′, p″ at t from the coefficients: Σ cₙ tⁿ, Σ n cₙ tⁿ⁻¹, Σ n (n−1) cₙ tⁿ⁻².
Jet from_coefficients(const Coefficients& c, std::int64_t t) {
  std::int64_t p[3] = {0, 0, 0};
  for (std::size_t n = 0; n < c.size(); ++n) {
    const auto k = std::int64_t(n);
    const auto power = [t](std::int64_t m) {
      std::int64_t product = 1;
      for (; m > 0; --m) product *= t;
      return product;
    };
    p[0] += c[n] * power(k);
    if (k >= 1) p[1] += k * c[n] * power(k - 1);
    if (k >= 2) p[2] += k * (k - 1) * c[n] * power(k - 2);
  }
  return {double(p[0]), double(p[1]), double(p[2])};
}

Jet by_horner(const Coefficients& c, const Jet& t) {
  Jet p = 0;
  for (std::size_t n = c.size(); n-- > 0;) p = p * t + double(c[n]);
  return p;
}

RC_GTEST_PROP(JetArithmetic, APolynomialHasTheRatesOfItsCoefficientsExactly, ()) {
  const auto c = *polynomial(6);
  const auto t = *rc::gen::inRange<std::int64_t>(-9, 10);
  RC_ASSERT(same(by_horner(c, {double(t), 1, 0}), from_coefficients(c, t)));
}

RC_GTEST_PROP(JetArithmetic, AProductHasTheRatesOfTheConvolvedCoefficientsExactly, ()) {
  const auto a = *polynomial(4), b = *polynomial(4);
  const auto t = *rc::gen::inRange<std::int64_t>(-9, 10);
  Coefficients product(7, 0), sum(4), difference(4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) product[i + j] += a[i] * b[j];
    sum[i] = a[i] + b[i];
    difference[i] = a[i] - b[i];
  }
  const Jet u = from_coefficients(a, t), v = from_coefficients(b, t);
  RC_ASSERT(same(u * v, from_coefficients(product, t)));
  RC_ASSERT(same(u + v, from_coefficients(sum, t)));
  RC_ASSERT(same(u - v, from_coefficients(difference, t)));
  RC_ASSERT(same(-u, Jet(0) - u) && same(+u, u));
}

RC_GTEST_PROP(JetArithmetic, ADoubleActsAsAConstantJetOnEitherSide, ()) {
  const Jet u = moving(*decades(-6, 6));
  const double k = *decades(-6, 6);
  RC_ASSERT(same(u + k, u + Jet(k)) && same(k + u, Jet(k) + u));
  RC_ASSERT(same(u - k, u - Jet(k)) && same(k - u, Jet(k) - u));
  RC_ASSERT(same(u * k, u * Jet(k)) && same(k * u, Jet(k) * u));
  RC_ASSERT(same(u / k, u / Jet(k)) && same(k / u, Jet(k) / u));
  Jet a = u, b = u, c = u, d = u;
  RC_ASSERT(same(((a += k) -= 2) *= u, (u + k - 2) * u));
  RC_ASSERT(same((b /= u) += u, u / u + u) && same(c -= u, 0) && same((d *= 3) /= k, u * 3 / k));
}

RC_GTEST_PROP(JetArithmetic, AQuotientTimesItsDivisorIsTheDividend, ()) {
  const Jet u = moving(*decades(-6, 6)), v = moving(*decades(-6, 6));
  // magnitudes of the terms that q and q v are summed from: they cancel down to u, their rounding does not
  const Jet a(std::abs(u.x), std::abs(u.dx), std::abs(u.ddx)), w(std::abs(v.x), std::abs(v.dx), std::abs(v.ddx));
  const double q = a.x / w.x, dq = (a.dx + q * w.dx) / w.x, ddq = (a.ddx + 2 * dq * w.dx + q * w.ddx) / w.x;
  RC_ASSERT(error("(u / v) v = u", (u / v) * v, u, Jet(q, dq, ddq) * w) <= 8);
}

TEST(JetArithmetic, DivisionByZeroGivesTheValueOfDoublesAndNoRates) {
  for (const double db : {-1.0, 0.0, 1.0})
    for (const double ddb : {-1.0, 0.0, 1.0}) {
      EXPECT_TRUE(without_rates(Jet(1) / Jet(0, db, ddb), inf));
      EXPECT_TRUE(without_rates(Jet(-1, 2, 3) / Jet(0, db, ddb), -inf));
      EXPECT_TRUE(without_rates(Jet(0) / Jet(0, db, ddb), nan));
      EXPECT_TRUE(without_rates(Jet(0, 1, 0) / Jet(0, db, ddb), nan));  // sin(t)/t is not resolved
    }
  EXPECT_TRUE(without_rates(Jet(1) / 0.0, inf));
  EXPECT_TRUE(without_rates(Jet(1, 2, 3) / 0.0, inf));
  EXPECT_TRUE(without_rates(Jet(0, 2, 3) / 0.0, nan));
}

TEST(JetArithmetic, ComparisonsLookAtTheValueAlone) {
  const Jet u(2, 1, 0), faster(2, 5, 7), v(3, 0, 0), undefined(nan, 0, 0);
  EXPECT_TRUE(u == faster && u <= faster && u >= faster && !(u < faster) && !(u != faster));
  EXPECT_TRUE(u < v && v > u && u != v && u <= v && !(u >= v));
  EXPECT_TRUE(u < 3 && u < 3.0 && 1 < u && 2 == u && u == 2.0 && 2.5 >= u);
  EXPECT_FALSE(undefined == undefined || undefined < u || undefined > u || undefined <= u);
}

TEST(JetArithmetic, FinitenessIsThatOfAllThreeNumbers) {
  EXPECT_TRUE(isfinite(Jet(1, 2, 3)) && !isnan(Jet(1, 2, 3)));
  for (const Jet& u : {Jet(nan, 0, 0), Jet(0, nan, 0), Jet(0, 0, nan)}) EXPECT_TRUE(!isfinite(u) && isnan(u));
  for (const Jet& u : {Jet(inf, 0, 0), Jet(0, -inf, 0), Jet(0, 0, inf)}) EXPECT_TRUE(!isfinite(u) && !isnan(u));
}

}  // namespace
}  // namespace trammel
