#include "trammel/math/sin_cos.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/math/fill_sin_cos_table.h"

namespace trammel {
namespace {

using test::Random;
using test::Worst;

// The distance in units of the last place of the truth, which comes from long doubles.
double units_off(double value, long double truth) {
  int exponent = 0;
  std::frexp(static_cast<double>(truth), &exponent);
  return static_cast<double>(std::abs(value - truth)) / std::ldexp(1.0, exponent - 53);
}

// Angles over the range, one in three beside a multiple of a quarter turn, where one of the two is small.
double angle_within(Random& random, double range) {
  const double x = random.uniform(-range, range), quarter = std::numbers::pi / 2;
  return random.integer(0, 2) == 0 ? std::nearbyint(x / quarter) * quarter : x;
}

TEST(SinCosTest, IsRightToTheLastPlace) {
  Random random(1);
  for (const double range : {0.8, 4.0, 1e2, 1e4, 0.99e6}) {
    Worst worst("sine and cosine up to " + std::to_string(range) + ", in units of the last place");
    for (int i = 0, all = cases(200000); i < all; ++i) {
      const double x = angle_within(random, range);
      const SinCos<double> both = sin_cos(x);
      worst.see(units_off(both.sin, std::sin(static_cast<long double>(x))));
      worst.see(units_off(both.cos, std::cos(static_cast<long double>(x))));
    }
    // half a unit to round the sum, half a unit for the rounding of r³ or r²/2 beside it, and a little for e
    EXPECT_LT(worst.value(), 1.1);
  }
}

TEST(SinCosTest, TakesTheLibrarysWayWhereTheReductionEnds) {
  for (const double x : {1e6, -1e15, 1e300}) {
    EXPECT_EQ(sin_cos(x).sin, std::sin(x));
    EXPECT_EQ(sin_cos(x).cos, std::cos(x));
  }
  EXPECT_TRUE(std::isnan(sin_cos(std::numeric_limits<double>::infinity()).sin));
  EXPECT_TRUE(std::isnan(sin_cos(std::numeric_limits<double>::quiet_NaN()).cos));
}

TEST(SinCosTest, IsTheSameInLanes) {
  Random random(2);
  for (const double range : {4.0, 1e4, 3e6}) {  // the last with some lanes beyond the reduction
    for (int i = 0, all = cases(1000); i < all; ++i) {
      Lanes x(0.0);
      for (int lane = 0; lane < lane_count; ++lane) x.set(lane, angle_within(random, range));
      const SinCos<Lanes> both = sin_cos(x);
      for (int lane = 0; lane < lane_count; ++lane) {
        EXPECT_EQ(both.sin[lane], sin_cos(x[lane]).sin);
        EXPECT_EQ(both.cos[lane], sin_cos(x[lane]).cos);
      }
    }
  }
}

TEST(SinCosTest, OfAVectorOfAnyLength) {
  Random random(3);
  for (int n = 0; n < 20; ++n) {
    const VecX<> angles = random.vector(n, 10);
    SinCosTable<double> turns(n);
    fill_sin_cos_table(angles, turns);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(turns.at(i)[0].sin, sin_cos(angles[i]).sin);
      EXPECT_EQ(turns.at(i)[0].cos, sin_cos(angles[i]).cos);
    }
  }
}

}  // namespace
}  // namespace trammel
