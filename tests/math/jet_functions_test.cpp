#include "math/jet_cases.h"
#include "support/seeds.h"

namespace trammel {
namespace {

using namespace trammel::test;

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
TEST(JetFunctions, EachAgreesWithCauchysFormulaOverItsWholeDomain) {
  Draw draw;
  for (const Elementary& f : elementary())
    for (int i = 0, all = cases(2000); i < all; ++i) {
      const Path u{f.argument(draw), draw.rate(), draw.rate()};
      const Cauchy want([&](Complex t) { return f.complex(u(t)); }, u.reach(f.room(u.a) / 8));
      ASSERT_LE(error(f.name, f.jet(u.jet()), want.jet, want.scale), 4) << f.name << " of " << u.jet();
    }
}

TEST(JetFunctions, APowerWithAConstantExponentAgreesWithCauchysFormula) {
  Draw draw;
  for (int i = 0, all = cases(4000); i < all; ++i) {
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
  for (int i = 0, all = cases(4000); i < all; ++i) {
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
  const int all = cases(4000);
  for (int i = 0; i < all; ++i) {
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
  for (const int n : quadrants) EXPECT_GT(n, all / 8);
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

}  // namespace
}  // namespace trammel
