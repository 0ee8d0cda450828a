#include "trammel/sweep/random.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "trammel/sweep/elementary.h"
#include "trammel/sweep/vary.h"

namespace trammel::sweep {
namespace {

// kat_vectors of Random123, "philox4x32 10"
TEST(Philox, GivesTheKnownAnswersOfItsAuthors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Uniform, DependsOnSeedCaseAndName) {
  const double u = uniform(7, 3, "constants.a");
  EXPECT_EQ(u, uniform(7, 3, "constants.a"));
  EXPECT_NE(u, uniform(8, 3, "constants.a"));
  EXPECT_NE(u, uniform(7, 4, "constants.a"));
  EXPECT_NE(u, uniform(7, 3, "constants.b"));
}

// Moments of N draws are normal about those of the distribution, with deviations of order 1/√N; 4.5 of them are passed once in 1.5e5 tries.
constexpr int draws = 200'000;
constexpr double beyond = 4.5;

struct Moments {
  double mean = 0, variance = 0;
};
template <class Draw>
Moments moments(const Draw& draw) {
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = draw(i);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / draws;
  return {mean, squares / draws - mean * mean};
}

TEST(Uniform, HasMeanVarianceAndNoMemory) {
  const Moments of = moments([](int i) { return uniform(1, i, "a"); });
  EXPECT_NEAR(of.mean, 0.5, beyond * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(of.variance, 1.0 / 12, beyond * std::sqrt(1.0 / 180 / draws));  // the fourth central moment is 1/80
  double neighbours = 0, names = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = uniform(1, i, "a") - 0.5;
    neighbours += 12 * x * (uniform(1, i + 1, "a") - 0.5) / draws;
    names += 12 * x * (uniform(1, i, "b") - 0.5) / draws;
  }
  EXPECT_NEAR(neighbours, 0, beyond / std::sqrt(draws));
  EXPECT_NEAR(names, 0, beyond / std::sqrt(draws));
}

// χ² over 100 cells has 99 degrees of freedom: mean 99, deviation √198.
TEST(Uniform, FillsItsIntervalEvenly) {
  std::vector<int> counts(100);
  for (int i = 0; i < draws; ++i) ++counts[static_cast<int>(100 * uniform(2, i, "a"))];
  double chi = 0;
  const double expected = draws / 100.0;
  for (const int count : counts) chi += (count - expected) * (count - expected) / expected;
  EXPECT_NEAR(chi, 99, beyond * std::sqrt(198.0));
}

TEST(Normal, HasItsMoments) {
  const Varied normal{.key = "a", .kind = Varied::Kind::normal, .a = 3, .b = 0.5};
  double third = 0, fourth = 0;
  const Moments of = moments([&](int i) {
    const double x = normal.drawn(uniform(5, i, "a")).number, z = (x - 3) / 0.5;
    third += z * z * z / draws;
    fourth += z * z * z * z / draws;
    return x;
  });
  EXPECT_NEAR(of.mean, 3, beyond * 0.5 / std::sqrt(draws));
  EXPECT_NEAR(of.variance, 0.25, beyond * 0.25 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(third, 0, beyond * std::sqrt(15.0 / draws));
  EXPECT_NEAR(fourth, 3, beyond * std::sqrt(96.0 / draws));  // E z⁸ − 9
}

TEST(Lognormal, IsTheExponentialOfANormal) {
  const Varied lognormal{.key = "a", .kind = Varied::Kind::lognormal, .a = 2, .b = 0.3};
  const Moments of = moments([&](int i) { return std::log(lognormal.drawn(uniform(6, i, "a")).number / 2); });
  EXPECT_NEAR(of.mean, 0, beyond * 0.3 / std::sqrt(draws));
  EXPECT_NEAR(of.variance, 0.09, beyond * 0.09 * std::sqrt(2.0 / draws));
}

TEST(Choice, GivesEachItsShare) {
  Varied choice{.key = "a", .kind = Varied::Kind::choice};
  for (const double x : {1, 2, 3}) choice.choices.push_back(choice_of(x));
  int twos = 0;
  for (int i = 0; i < draws; ++i) twos += choice.drawn(uniform(9, i, "a")).number == 2;
  EXPECT_NEAR(twos, draws / 3.0, beyond * std::sqrt(draws * 2.0 / 9));
}

// Against the mathematical library, which shares no code with these.
TEST(Elementary, FunctionsAgreeWithTheLibrary) {
  constexpr double eps = 0x1p-52;
  double of_log = 0, of_exp = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double y = 1400 * (uniform(3, i, "y") - 0.5), x = std::exp(y);
    if (std::isnormal(x)) of_log = std::max(of_log, std::abs(exact_log(x) / std::log(x) - 1));
    if (std::isnormal(x)) of_exp = std::max(of_exp, std::abs(exact_exp(y) / x - 1));
  }
  EXPECT_LE(of_log, 2 * eps);
  EXPECT_LE(of_exp, 2 * eps);
  EXPECT_EQ(exact_log(1), 0);
  EXPECT_EQ(exact_exp(0), 1);
  EXPECT_EQ(exact_exp(-800), 0);
  EXPECT_TRUE(std::isinf(exact_exp(800)));
}

// Φ(z) = erfc(−z/√2)/2. An error δ of z changes Φ by about |z| z δ of itself in the tail.
TEST(Elementary, NormalQuantileIsTheInverseOfTheDistribution) {
  double worst = 0;
  for (int i = 1; i < 100'000; ++i) {
    const double u = uniform(4, i, "u");
    for (const double p : {u, u < 0.5 ? std::exp(-600 * u) * 0.4 : u}) {
      const double z = normal_quantile(p);
      worst = std::max(worst, std::abs(0.5 * std::erfc(-z / std::sqrt(2.0)) / p - 1) / (1 + z * z));
    }
  }
  EXPECT_LE(worst, 1e-15);
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
}

}  // namespace
}  // namespace trammel::sweep
