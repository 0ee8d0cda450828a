#pragma once

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

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random.h"
#include "support/seeds.h"
#include "trammel/math/jet.h"

// What the tests of jets share: comparisons that keep their worst error, random jets, the elementary functions.

namespace trammel::test {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

[[maybe_unused]] inline const int fixed_seed = fix_seed(20, 1000);

// The worst error of each comparison, in eps × scale, printed when all tests have run.
class JetErrors final : public testing::Environment {
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
[[maybe_unused]] inline const auto* const jet_errors = testing::AddGlobalTestEnvironment(new JetErrors);

// The largest of |got − want| / (eps scale) over value, rate and second rate; infinite if a number is missing.
inline double error(const std::string& what, const Jet& got, const Jet& want, const Jet& scale) {
  const auto one = [](double g, double w, double s) {
    const double e = g == w ? 0 : std::abs(g - w) / (eps * s);
    return std::isnan(e) ? inf : e;
  };
  const double e =
      std::max({one(got.x, want.x, scale.x), one(got.dx, want.dx, scale.dx), one(got.ddx, want.ddx, scale.ddx)});
  double& record = JetErrors::table()[what];
  record = std::max(record, e);
  return e;
}

// Equal in all three numbers; NaN equals NaN.
inline testing::AssertionResult same(const Jet& got, const Jet& want) {
  const auto one = [](double g, double w) { return g == w || (std::isnan(g) && std::isnan(w)); };
  if (one(got.x, want.x) && one(got.dx, want.dx) && one(got.ddx, want.ddx)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << got << ", want " << want;
}

// The value, and a rate and second rate that cannot be mistaken for numbers.
inline testing::AssertionResult without_rates(const Jet& got, double value) {
  const bool right_value = got.x == value || (std::isnan(got.x) && std::isnan(value));
  if (right_value && !std::isfinite(got.dx) && !std::isfinite(got.ddx)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << got << ", want " << value << " and no finite rates";
}

// Random numbers for rapidcheck: uniform; of any sign over decades; a rate, sometimes zero.
inline rc::Gen<double> between(double low, double high) {
  const auto fraction = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52));
  return rc::gen::map(fraction, [=](std::int64_t n) { return low + (high - low) * std::ldexp(double(n), -52); });
}
inline rc::Gen<double> decades(double low, double high) {
  return rc::gen::apply([](double exponent, bool negative) { return (negative ? -1 : 1) * std::pow(10, exponent); },
                        between(low, high), rc::gen::arbitrary<bool>());
}
inline rc::Gen<double> rate() { return rc::gen::weightedOneOf<double>({{1, rc::gen::just(0.0)}, {9, decades(-3, 3)}}); }
inline Jet moving(double value) { return {value, *rate(), *rate()}; }

using Long = long double;
using Complex = std::complex<Long>;

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

inline const std::vector<Elementary>& elementary() {
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

}  // namespace trammel::test
