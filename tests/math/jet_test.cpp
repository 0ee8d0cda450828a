#include "trammel/math/jet.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace trammel {

// Functions of doubles keep meaning what they mean beside Jet.
static_assert(std::is_same_v<decltype(sin(1.0)), double>);
static_assert(std::is_trivially_copyable_v<Jet> && sizeof(Jet) == 3 * sizeof(double));
static_assert((2 * Jet(3, 1, 0) * Jet(3, 1, 0)).ddx == 4 && (1 / Jet(1, 1, 0)).ddx == 2);  // (2u²)″ = 4, (1/u)″ = 2

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

// rapidcheck draws the same cases in every run; RC_PARAMS in the environment overrides.
[[maybe_unused]] const int fixed_seed = setenv("RC_PARAMS", "seed=20 max_success=1000", 0);

// The worst error of each comparison, in eps × scale, printed when all tests have run.
class Worst final : public testing::Environment {
 public:
  static std::map<std::string, double>& table() {
    static std::map<std::string, double> errors;
    return errors;
  }
  void TearDown() override {
    if (table().empty()) return;
    std::printf("worst errors, in eps × the scale of each comparison:\n");
    for (const auto& [what, error] : table()) std::printf("  %8.3f  %s\n", error, what.c_str());
  }
};
[[maybe_unused]] const auto* const worst = testing::AddGlobalTestEnvironment(new Worst);

// The largest of |got − want| / (eps scale) over value, rate and second rate; infinite if a number is missing.
double error(const std::string& what, const Jet& got, const Jet& want, const Jet& scale) {
  const auto one = [](double g, double w, double s) {
    const double e = g == w ? 0 : std::abs(g - w) / (eps * s);
    return std::isnan(e) ? inf : e;
  };
  const double e =
      std::max({one(got.x, want.x, scale.x), one(got.dx, want.dx, scale.dx), one(got.ddx, want.ddx, scale.ddx)});
  double& record = Worst::table()[what];
  record = std::max(record, e);
  return e;
}

// Equal in all three numbers; NaN equals NaN.
testing::AssertionResult same(const Jet& got, const Jet& want) {
  const auto one = [](double g, double w) { return g == w || (std::isnan(g) && std::isnan(w)); };
  if (one(got.x, want.x) && one(got.dx, want.dx) && one(got.ddx, want.ddx)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << got << ", want " << want;
}

// The value, and a rate and second rate that cannot be mistaken for numbers.
testing::AssertionResult without_rates(const Jet& got, double value) {
  const bool right_value = got.x == value || (std::isnan(got.x) && std::isnan(value));
  if (right_value && !std::isfinite(got.dx) && !std::isfinite(got.ddx)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << got << ", want " << value << " and no finite rates";
}

// Random numbers for rapidcheck: uniform; of any sign over decades; a rate, sometimes zero.
rc::Gen<double> between(double low, double high) {
  const auto fraction = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52));
  return rc::gen::map(fraction, [=](std::int64_t n) { return low + (high - low) * std::ldexp(double(n), -52); });
}
rc::Gen<double> decades(double low, double high) {
  return rc::gen::apply([](double exponent, bool negative) { return (negative ? -1 : 1) * std::pow(10, exponent); },
                        between(low, high), rc::gen::arbitrary<bool>());
}
rc::Gen<double> rate() { return rc::gen::weightedOneOf<double>({{1, rc::gen::just(0.0)}, {9, decades(-3, 3)}}); }
Jet moving(double value) { return {value, *rate(), *rate()}; }

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

using Long = long double;
using Complex = std::complex<Long>;

// u(t) = a + b t + ½ c t², in the complex plane too.
struct Path {
  double a, b, c;
  Jet jet() const { return {a, b, c}; }
  Complex operator()(Complex t) const { return Long(a) + t * (Long(b) + t * (Long(c) / 2)); }
  // The largest |t| up to which u stays within ρ of a.
  double reach(double rho) const {
    const double B = std::abs(b), C = std::abs(c);
    return B + C == 0 ? 1 : 2 * rho / (B + std::sqrt(B * B + 2 * C * rho));
  }
};

// g, g′ and g″ at 0 from N values on the circle |t| = r, in long double: g⁽ᵏ⁾ = k!/(N rᵏ) Σ g(r e^{iθ}) e^{−ikθ}. With
// m the largest |g| on the circle, rounding is of order eps_ld m k!/rᵏ. We let u move by an eighth of its distance to
// the next singularity; g is then analytic up to √8 r, and aliasing is of order 8⁻ᴺᐟ² = 1e-29. scale = m k!/rᵏ is, by
// Cauchy's estimate, the size of either term f″u′², f′u″ of the chain rule: the error of a jet is a few eps × scale.
struct Cauchy {
  Jet jet, scale;
  Cauchy(const std::function<Complex(Complex)>& g, double r) {
    const int N = 64;
    const auto R = Long(r);
    Complex sum[3] = {0, 0, 0};
    Long m = 0;
    for (int j = 0; j < N; ++j) {
      const Complex z = std::polar(1.0L, 2 * std::numbers::pi_v<Long> * j / N), value = g(R * z);
      for (int k = 0; k < 3; ++k) sum[k] += value * std::pow(std::conj(z), k);
      m = std::max(m, std::abs(value));
    }
    jet = Jet(double(sum[0].real() / N), double(sum[1].real() / (N * R)), double(2 * sum[2].real() / (N * R * R)));
    scale = Jet(double(m), double(m / R), double(2 * m / (R * R)));
  }
};

class Draw {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  double decades(double low, double high) { return sign() * std::pow(10, uniform(low, high)); }
  double rate() { return uniform(0, 1) < 0.1 ? 0 : decades(-3, 3); }

 private:
  double sign() { return uniform(0, 1) < 0.5 ? -1 : 1; }
  std::mt19937_64 generator_{20};
};

struct Elementary {
  std::string name;
  std::function<Jet(Jet)> jet;
  std::function<Complex(Complex)> complex;
  std::function<double(Draw&)> argument;
  std::function<double(double)> room;  // the distance to the nearest singularity or cut; 1 where there is none
};

const std::vector<Elementary>& elementary() {
  const auto angle = [](Draw& draw) { return draw.uniform(-20, 20); };
  const auto any = [](Draw& draw) { return draw.decades(-4, 4); };
  const auto positive = [](Draw& draw) { return std::abs(draw.decades(-8, 8)); };
  const auto cosine = [](Draw& draw) {  // inside (−1, 1), often near its ends; the reference itself is worse yet nearer
    return std::copysign(1, draw.uniform(-1, 1)) * (1 - std::abs(draw.decades(-3, 0)));
  };
  const auto everywhere = [](double) { return 1.0; };
  const auto to_zero = [](double a) { return a; };
  const auto to_one = [](double a) { return 1 - std::abs(a); };
  const auto to_pole = [](double a) { return std::abs(std::remainder(a - pi / 2, pi)); };
  const auto to_i = [](double a) { return std::hypot(a, 1); };
  static const std::vector<Elementary> all = {
      {"sin", [](Jet u) { return sin(u); }, [](Complex u) { return std::sin(u); }, angle, everywhere},
      {"cos", [](Jet u) { return cos(u); }, [](Complex u) { return std::cos(u); }, angle, everywhere},
      {"tan", [](Jet u) { return tan(u); }, [](Complex u) { return std::tan(u); }, angle, to_pole},
      {"asin", [](Jet u) { return asin(u); }, [](Complex u) { return std::asin(u); }, cosine, to_one},
      {"acos", [](Jet u) { return acos(u); }, [](Complex u) { return std::acos(u); }, cosine, to_one},
      {"atan", [](Jet u) { return atan(u); }, [](Complex u) { return std::atan(u); }, any, to_i},
      {"sqrt", [](Jet u) { return sqrt(u); }, [](Complex u) { return std::sqrt(u); }, positive, to_zero},
      {"exp", [](Jet u) { return exp(u); }, [](Complex u) { return std::exp(u); }, angle, everywhere},
      {"log", [](Jet u) { return log(u); }, [](Complex u) { return std::log(u); }, positive, to_zero},
      {"1/u", [](Jet u) { return 1 / u; }, [](Complex u) { return 1.0L / u; }, any,
       [](double a) { return std::abs(a); }},
      {"abs", [](Jet u) { return abs(u); }, [](Complex u) { return u.real() < 0 ? -u : u; }, any,
       [](double a) { return std::abs(a); }},
  };
  return all;
}

TEST(JetFunctions, EachAgreesWithCauchysFormulaOverItsWholeDomain) {
  Draw draw;
  for (const Elementary& f : elementary())
    for (int i = 0; i < 2000; ++i) {
      const Path u{f.argument(draw), draw.rate(), draw.rate()};
      const Cauchy want([&](Complex t) { return f.complex(u(t)); }, u.reach(f.room(u.a) / 8));
      ASSERT_LE(error(f.name, f.jet(u.jet()), want.jet, want.scale), 4) << f.name << " of " << u.jet();
    }
}

TEST(JetFunctions, APowerWithAConstantExponentAgreesWithCauchysFormula) {
  Draw draw;
  for (int i = 0; i < 4000; ++i) {
    const bool whole = i % 2 == 0;
    const double p = whole ? std::round(draw.uniform(-8, 8)) : draw.uniform(-8, 8);
    const Path u{whole ? draw.decades(-4, 4) : std::abs(draw.decades(-4, 4)), draw.rate(), draw.rate()};
    const auto power = [&](Complex t) {  // a whole power by products, so that negative bases need no logarithm
      if (!whole) return std::pow(u(t), Long(p));
      Complex product = 1;
      for (int n = 0; n < std::abs(p); ++n) product *= u(t);
      return p < 0 ? 1.0L / product : product;
    };
    const Cauchy want(power, u.reach(std::abs(u.a) / 8));
    // the exponents p − 1, p − 2 of f′ and f″ are rounded, by less than eps (2 + |p|): condition 1 + |p log u|
    const Jet scale = want.scale * (1 + std::abs(p * std::log(std::abs(u.a))));
    ASSERT_LE(error("u^p", pow(u.jet(), p), want.jet, scale), 4) << u.jet() << " ^ " << p;
    ASSERT_TRUE(same(pow(u.jet(), Jet(p)), pow(u.jet(), p)));
    ASSERT_TRUE(!whole || same(pow(u.jet(), int(p)), pow(u.jet(), p)));
  }
}

TEST(JetFunctions, APowerWithAMovingExponentAgreesWithCauchysFormula) {
  Draw draw;
  for (int i = 0; i < 4000; ++i) {
    const Path u{std::abs(draw.decades(-2, 2)), i % 4 == 0 ? 0 : draw.rate(), i % 4 == 0 ? 0 : draw.rate()};
    const Path v{draw.uniform(-4, 4), draw.rate(), draw.rate()};
    const Cauchy want([&](Complex t) { return std::pow(u(t), v(t)); }, std::min(u.reach(u.a / 8), v.reach(0.25)));
    // rates are uᵛ times those of w = v log u, |w′| up to (|v| + |log u|)/r: condition 1 + |v| + |log u|
    const double condition = 1 + std::abs(v.a) + std::abs(std::log(u.a));
    const Jet scale = condition * want.scale;
    ASSERT_TRUE(!u.jet().constant() || same(pow(u.a, v.jet()), pow(u.jet(), v.jet())));
    ASSERT_LE(error("u^v", pow(u.jet(), v.jet()), want.jet, scale), 4) << u.jet() << " ^ " << v.jet();
  }
}

TEST(JetFunctions, Atan2AndHypotAgreeWithCauchysFormulaInAllQuadrants) {
  Draw draw;
  int quadrants[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4000; ++i) {
    const double r = std::abs(draw.decades(-4, 4)), angle = draw.uniform(-pi, pi);
    const Path u{r * std::cos(angle), draw.rate(), draw.rate()}, v{r * std::sin(angle), draw.rate(), draw.rate()};
    ++quadrants[2 * (u.a < 0) + (v.a < 0)];
    // u² + v² vanishes nowhere while u and v move by less than r/√2 each. The angle from its start θ₀ on is
    // θ = θ₀ − i log((u + iv) e^{−iθ₀} / √(u² + v²)), far from the cut of the logarithm.
    const double radius = std::min(u.reach(r / 8), v.reach(r / 8));
    const Long start = std::atan2(Long(v.a), Long(u.a));
    const Complex i_unit(0, 1), turn = std::polar(1.0L, -start);
    const auto length = [&](Complex t) { return std::sqrt(u(t) * u(t) + v(t) * v(t)); };
    const Cauchy theta([&](Complex t) { return start - i_unit * std::log((u(t) + i_unit * v(t)) * turn / length(t)); },
                       radius);
    const Cauchy distance(length, radius);
    // θ may be close to 0 though its rates are sums of terms of size 1/r: at least one radian in the scale
    const Jet scale = theta.scale + Jet(1, 1 / radius, 2 / (radius * radius));
    ASSERT_LE(error("atan2", atan2(v.jet(), u.jet()), theta.jet, scale), 4) << v.jet() << ", " << u.jet();
    ASSERT_LE(error("hypot", hypot(u.jet(), v.jet()), distance.jet, distance.scale), 4) << u.jet() << ", " << v.jet();
  }
  for (const int n : quadrants) EXPECT_GT(n, 500);
}

// A formula with everything in it, for doubles, long doubles and jets alike.
template <class Scalar>
Scalar crowded(const Scalar& t) {
  using std::abs, std::acos, std::atan2, std::cos, std::exp, std::hypot, std::log, std::max, std::min, std::pow,
      std::sin, std::sqrt, std::tan;
  const Scalar a = atan2(exp(-t) * sin(3 * t), 2 + cos(t)), b = hypot(1 + t, a) / sqrt(1 + t * t);
  return pow(Scalar(1.5) + sin(t), cos(t)) * b - log(2 + abs(a)) * acos(cos(t) / 2) + tan(min(a, b)) * max(a, -b);
}

TEST(JetFunctions, ALongFormulaAgreesWithRichardsonDifferences) {
  for (const double t : {0.3, 0.7, 1.4, 2.2, -0.4}) {
    // central differences at h, h/2, h/4, extrapolated twice: truncation ~ h⁶, rounding of the second ~ eps_ld/(h/4)²
    const Long h = 4e-3L, T = Long(t), f = crowded(T);
    Long d[3], dd[3];
    for (int k = 0; k < 3; ++k) {
      const Long s = h / (1 << k), right = crowded(T + s), left = crowded(T - s);
      d[k] = (right - left) / (2 * s);
      dd[k] = (right - 2 * f + left) / (s * s);
    }
    const auto extrapolate = [](const Long* e) {
      const Long first = (4 * e[1] - e[0]) / 3, second = (4 * e[2] - e[1]) / 3;
      return double((16 * second - first) / 15);
    };
    const Jet got = crowded(Jet(t, 1, 0));
    EXPECT_NEAR(got.x, crowded(t), 8 * eps);
    EXPECT_NEAR(got.dx, extrapolate(d), 1e-11);
    EXPECT_NEAR(got.ddx, extrapolate(dd), 1e-9);
  }
}

RC_GTEST_PROP(JetFunctions, AVibrationHasTheClosedFormRates, ()) {
  const double a = *decades(-2, 2), b = *between(-3, 3), t = *between(-10, 10), phase = a * t + b;
  const Jet u = a * Jet(t, 1, 0) + b;
  const double A = std::abs(a);
  RC_ASSERT(error("sin(at + b)", sin(u), {std::sin(phase), a * std::cos(phase), -a * a * std::sin(phase)},
                  {1, A, A * A}) <= 2);
  RC_ASSERT(error("cos(at + b)", cos(u), {std::cos(phase), -a * std::sin(phase), -a * a * std::cos(phase)},
                  {1, A, A * A}) <= 2);
  const double decay = std::exp(-A * t / 20);
  RC_ASSERT(error("exp(-kt)", exp(-A / 20 * Jet(t, 1, 0)), {decay, -A / 20 * decay, A * A / 400 * decay},
                  Jet(1, A / 20, A * A / 400) * decay * (1 + A * std::abs(t) / 20)) <= 4);
}

RC_GTEST_PROP(JetFunctions, TheSquaresOfSineAndCosineAddUpToAConstantOne, ()) {
  const Jet u = moving(*between(-100, 100));
  const double b = std::abs(u.dx), c = std::abs(u.ddx);
  RC_ASSERT(error("sin² + cos² = 1", sin(u) * sin(u) + cos(u) * cos(u), 1, {1, b, b * b + c}) <= 8);
}

RC_GTEST_PROP(JetFunctions, TangentIsSineOverCosine, ()) {
  const Jet u = moving(*between(-1.5, 1.5));
  const double b = std::abs(u.dx), c = std::abs(u.ddx), f = std::abs(std::tan(u.x)), df = 1 + f * f;
  RC_ASSERT(error("tan = sin / cos", tan(u), sin(u) / cos(u), {f, df * b, 2 * (1 + f) * df * b * b + df * c}) <= 8);
}

// g(f(u)) = u within eps × the condition of the inner and outer function: an error δ of f becomes g′δ, and b²g″δ, cg′δ
// in the rates; the two terms of (f∘u)″ cancel against those of g.
RC_GTEST_PROP(JetFunctions, InversesUndoEachOther, ()) {
  const Jet positive = moving(std::abs(*decades(-6, 6))), exponent = moving(*between(-20, 20));
  const Jet angle = moving(*between(-1.4, 1.4)), turn = moving(*between(0.2, 2.9));
  const auto scale = [](const Jet& u, double condition, double curvature) {
    const double b = std::abs(u.dx), c = std::abs(u.ddx);
    return condition * Jet(std::max(std::abs(u.x), 1e-300), b, curvature * b * b + c);
  };
  const double x = positive.x;
  RC_ASSERT(error("sqrt(u)² = u", sqrt(positive) * sqrt(positive), positive, scale(positive, 1, 1 / x)) <= 8);
  RC_ASSERT(error("exp(log u) = u", exp(log(positive)), positive, scale(positive, 1 + std::abs(std::log(x)), 1 / x)) <=
            8);
  RC_ASSERT(error("log(exp u) = u", log(exp(exponent)), exponent, scale(exponent, 1 + 1 / std::abs(exponent.x), 1)) <=
            8);
  const double t = std::tan(angle.x), k = (1 + t * t) * (1 + 1 / std::abs(angle.x));
  RC_ASSERT(error("atan(tan u) = u", atan(tan(angle)), angle, scale(angle, k, 1 + std::abs(t))) <= 8);
  RC_ASSERT(error("asin(sin u) = u", asin(sin(angle)), angle, scale(angle, k, 1 + std::abs(t))) <= 8);
  const double s = 1 / std::sin(turn.x);
  RC_ASSERT(error("acos(cos u) = u", acos(cos(turn)), turn, scale(turn, s * s * (1 + 1 / turn.x), s)) <= 8);
}

RC_GTEST_PROP(JetFunctions, PolarCoordinatesAreInvertedByAtan2AndHypot, ()) {
  const Jet r = moving(std::abs(*decades(-4, 4))), angle = moving(*between(-3.14, 3.14));
  const Jet u = r * cos(angle), v = r * sin(angle);
  // size of the velocity and acceleration terms, per length
  const double speed = std::abs(r.dx) / r.x + std::abs(angle.dx);
  const double pull = std::abs(r.ddx) / r.x + std::abs(angle.ddx) + speed * speed;
  RC_ASSERT(error("polar angle", atan2(v, u), angle, {4, speed, pull}) <= 8);
  RC_ASSERT(error("polar distance", hypot(u, v), r, Jet(1, speed, pull) * r.x) <= 8);
}

RC_GTEST_PROP(JetFunctions, PowersAreProductsRootsAndExponentials, ()) {
  const Jet u = moving(*decades(-4, 4)), positive = abs(u), v = moving(*between(-6, 6));
  const double x = std::abs(u.x), b = std::abs(u.dx), c = std::abs(u.ddx);
  RC_ASSERT(same(pow(u, 2), u * u) && same(pow(u, 1), u) && same(pow(u, 0), 1));
  RC_ASSERT(error("u³ = u u u", pow(u, 3), u * u * u, {x * x * x, 3 * x * x * b, 6 * x * b * b + 3 * x * x * c}) <= 4);
  RC_ASSERT(error("u⁻¹ = 1/u", pow(u, -1), 1 / u, Jet(1, b / x, 2 * b * b / (x * x) + c / x) / x) <= 8);
  RC_ASSERT(error("u^½ = sqrt u", pow(positive, 0.5), sqrt(positive),
                  Jet(1, b / x, b * b / (x * x) + c / x) * std::sqrt(x)) <= 4);
  const double f = std::exp2(v.x), B = std::abs(v.dx), C = std::abs(v.ddx);
  RC_ASSERT(error("2^v = exp(v log 2)", pow(2, v), exp(v * std::log(2)),
                  Jet(1, B, B * B + C) * f * (1 + std::abs(v.x))) <= 4);
}

RC_GTEST_PROP(JetFunctions, MinMaxAndAbsAreTheBranchThatTheValueSelects, ()) {
  const Jet u = moving(*decades(-6, 6)), v = moving(*decades(-6, 6));
  RC_PRE(u.x != v.x);
  const Jet low = u.x < v.x ? u : v, high = u.x < v.x ? v : u;
  RC_ASSERT(same(min(u, v), low) && same(min(v, u), low) && same(max(u, v), high) && same(max(v, u), high));
  RC_ASSERT(same(min(u, v.x), u.x < v.x ? u : Jet(v.x)) && same(max(v.x, u), u.x < v.x ? Jet(v.x) : u));
  RC_ASSERT(same(abs(u), u.x < 0 ? -u : u) && same(abs(-u), abs(u)));
}

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

template <class Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
using JetMatrix = Eigen::Matrix<Jet, Eigen::Dynamic, Eigen::Dynamic>;

template <class Derived>
auto value_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.x; }).eval();
}
template <class Derived>
auto rate_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.dx; }).eval();
}
template <class Derived>
auto second_rate_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.ddx; }).eval();
}

JetMatrix random_jets(Eigen::Index rows, Eigen::Index cols, Draw& draw) {
  return JetMatrix::NullaryExpr(rows, cols,
                                [&] { return Jet(draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)); });
}
Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, Draw& draw) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return draw.uniform(-1, 1); });
}

TEST(JetInEigen, AConstantMatrixActsOnValueAndRatesAlike) {
  Draw draw;
  const Eigen::Matrix3d M = random_matrix(3, 3, draw);
  const Vector3<Jet> u = random_jets(3, 1, draw);
  const Vector3<Jet> left = M * u, right = (u.transpose() * M.transpose()).transpose();
  for (const auto& product : {left, right}) {
    EXPECT_LE((value_of(product) - M * value_of(u)).norm(), 4 * eps);
    EXPECT_LE((rate_of(product) - M * rate_of(u)).norm(), 4 * eps);
    EXPECT_LE((second_rate_of(product) - M * second_rate_of(u)).norm(), 4 * eps);
  }
  Vector3<Jet> sum = 2 * u + u * 2.0 - u / 0.5 + Eigen::Vector3d::Ones();
  sum += Eigen::Vector3d::UnitX().cast<Jet>();
  sum *= 3.0;
  EXPECT_LE((value_of(sum) - 3 * (2 * value_of(u) + Eigen::Vector3d(2, 1, 1))).norm(), 32 * eps);
  EXPECT_LE((second_rate_of(sum) - 6 * second_rate_of(u)).norm(), 32 * eps);
}

TEST(JetInEigen, DotAndCrossProductsFollowLeibniz) {
  Draw draw;
  const Vector3<Jet> a = random_jets(3, 1, draw), b = random_jets(3, 1, draw);
  const Eigen::Vector3d A = value_of(a), A1 = rate_of(a), A2 = second_rate_of(a);
  const Eigen::Vector3d B = value_of(b), B1 = rate_of(b), B2 = second_rate_of(b);
  const Jet dot(A.dot(B), A1.dot(B) + A.dot(B1), A2.dot(B) + 2 * A1.dot(B1) + A.dot(B2));
  EXPECT_LE(error("a · b", a.dot(b), dot, {1, 2, 4}), 4);
  const Vector3<Jet> cross = a.cross(b);
  EXPECT_LE((value_of(cross) - A.cross(B)).norm(), 4 * eps);
  EXPECT_LE((rate_of(cross) - A1.cross(B) - A.cross(B1)).norm(), 4 * eps);
  EXPECT_LE((second_rate_of(cross) - A2.cross(B) - 2 * A1.cross(B1) - A.cross(B2)).norm(), 8 * eps);
}

TEST(JetInEigen, ADirectionStaysUnitLengthAndTimesTheNormIsTheVector) {
  Draw draw;
  for (int i = 0; i < 100; ++i) {
    const Vector3<Jet> a = random_jets(3, 1, draw), n = a.normalized();
    const double spin = rate_of(a).norm() / value_of(a).norm(),
                 pull = second_rate_of(a).norm() / value_of(a).norm() + spin * spin;
    EXPECT_LE(error("|a/|a|| = 1", n.norm(), 1, {1, spin, pull}), 16);
    for (int k = 0; k < 3; ++k)
      EXPECT_LE(error("|a| (a/|a|) = a", a.norm() * n(k), a(k), Jet(1, spin, pull) * a.norm().x), 16);
    EXPECT_LE(error("a · a", a.squaredNorm(), a.dot(a), Jet(1, spin, pull) * a.squaredNorm().x), 4);
  }
  EXPECT_TRUE(same(Vector3<Jet>::Zero().norm(), 0));
  EXPECT_TRUE(without_rates(Vector3<Jet>(Jet(0, 1, 0), 0, 0).norm(), 0));
}

TEST(JetInEigen, APointOnATurningBodyHasTheVelocityAndAccelerationOfRigidMotion) {
  // v = ω × p, a = α × p + ω × (ω × p), from the second rates of R(θ) p
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3, p(0.3, 0.7, -0.2);
  const double theta = 0.8, omega = 1.7, alpha = -2.3;
  const Eigen::AngleAxis<Jet> turn(Jet(theta, omega, alpha), axis.cast<Jet>());
  const Vector3<Jet> by_matrix = turn.toRotationMatrix() * p,
                     by_quaternion = Eigen::Quaternion<Jet>(turn) * p.cast<Jet>();
  const Eigen::Vector3d now = Eigen::AngleAxisd(theta, axis) * p, w = omega * axis, v = w.cross(now);
  for (const auto& q : {by_matrix, by_quaternion}) {
    EXPECT_LE((value_of(q) - now).norm(), 8 * eps);
    EXPECT_LE((rate_of(q) - v).norm(), 16 * eps);
    EXPECT_LE((second_rate_of(q) - alpha * axis.cross(now) - w.cross(v)).norm(), 32 * eps);
  }
}

TEST(JetInEigen, DynamicMatricesMultiplyMixAndSolve) {
  Draw draw;
  const Eigen::Index n = 12;
  const JetMatrix X = random_jets(n, n, draw);
  const Eigen::MatrixXd D = random_matrix(n, n, draw);
  const Eigen::VectorXd d = random_matrix(n, 1, draw);
  const JetMatrix product = X * X, lazy = D.lazyProduct(X), cast = D.cast<Jet>() * X, times = D * X.col(0);
  const Eigen::MatrixXd x = value_of(X), dx = rate_of(X), ddx = second_rate_of(X);
  EXPECT_LE((second_rate_of(product) - ddx * x - 2 * dx * dx - x * ddx).norm(), 100 * n * eps);
  EXPECT_LE((second_rate_of(lazy) - D * ddx).norm() + (second_rate_of(cast) - D * ddx).norm(), 20 * n * eps);
  EXPECT_LE((rate_of(times) - D * dx.col(0)).norm(), 10 * n * eps);
  // A y = d with a moving A: the residual of all three orders, A diagonally dominant so that cond ~ 1
  const JetMatrix A = X + 2.0 * double(n) * JetMatrix::Identity(n, n), y = A.partialPivLu().solve(d.cast<Jet>());
  const JetMatrix residual = A * y - d;
  EXPECT_LE(value_of(residual).norm() + rate_of(residual).norm() + second_rate_of(residual).norm(), 20 * n * eps);
  EXPECT_TRUE(X.allFinite());
  EXPECT_TRUE(same(X.maxCoeff(), *std::max_element(X.data(), X.data() + X.size())));
}

TEST(JetInEigen, AMissingRateIsSeenByIsFinite) {
  Vector3<Jet> u(1, 2, Jet(3, 1, 0));
  EXPECT_TRUE(u.array().isFinite().all() && !u.array().isNaN().any());
  u(1).ddx = nan;
  EXPECT_TRUE(!u.array().isFinite().all() && u.array().isNaN().any());
}

}  // namespace
}  // namespace trammel
