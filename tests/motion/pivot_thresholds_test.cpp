#include "trammel/motion/pivot_thresholds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trammel/math/lanes.h"

namespace trammel {
namespace {

TEST(PivotThresholds, AreThoseOfTheOpeningComment) {
  const RankTolerance tolerance{1e-11, 1e-4};
  const double c_max = 3, noise = 1e-14, d_min = 2e-6;
  PivotThresholds<> thresholds(tolerance, c_max, noise);
  EXPECT_DOUBLE_EQ(thresholds.floor2_for(1e6),
                   std::pow(1e-11 * c_max, 2));  // the column's own norm does not matter yet
  EXPECT_DOUBLE_EQ(thresholds.clear2, std::pow(10 * 1e-4 * c_max, 2));
  thresholds.begin_control_layer(tolerance, d_min / c_max, noise);
  EXPECT_DOUBLE_EQ(thresholds.floor2_for(4), std::pow(10 * eps * c_max / d_min * 2, 2));
  EXPECT_DOUBLE_EQ(thresholds.floor2_for(0), noise * noise);
  EXPECT_DOUBLE_EQ(thresholds.clear2, std::pow(10 * 1e-4 * c_max, 2));

  // rounding may be more than the tolerance, and no physical column may have been taken
  const PivotThresholds<> noisy(tolerance, c_max, 1e-3);
  EXPECT_DOUBLE_EQ(noisy.floor2, 1e-6);
  EXPECT_DOUBLE_EQ(noisy.clear2, 1e-2);
  thresholds.begin_control_layer(tolerance, std::numeric_limits<double>::infinity(), 0);
  EXPECT_DOUBLE_EQ(thresholds.floor2_for(4), std::pow(1e-11 * 2, 2));
}

TEST(PivotThresholds, AreTheSameInLanesAsOfSingleStates) {
  const RankTolerance tolerance{1e-9, 1e-3};
  const auto c_max = [](int i) { return 0.7 + i; };
  const auto noise = [](int i) { return i % 2 == 0 ? 1e-15 : 1e-8; };
  const auto smallest = [](int i) { return i == 0 ? std::numeric_limits<double>::infinity() : std::pow(10, -3 * i); };
  PivotThresholds<Lanes> lanes(tolerance, Lanes::each(c_max), Lanes::each(noise));
  const PivotThresholds<Lanes> physical = lanes;
  lanes.begin_control_layer(tolerance, Lanes::each(smallest), Lanes::each(noise));
  for (int i = 0; i < lane_count; ++i) {
    PivotThresholds<> one(tolerance, c_max(i), noise(i));
    EXPECT_EQ(physical.floor2_for(Lanes(2.0))[i], one.floor2_for(2));
    EXPECT_EQ(physical.clear2_for(Lanes(2.0))[i], one.clear2_for(2));
    one.begin_control_layer(tolerance, smallest(i), noise(i));
    EXPECT_EQ(lanes.floor2_for(Lanes(2.0))[i], one.floor2_for(2));
    EXPECT_EQ(lanes.clear2_for(Lanes(2.0))[i], one.clear2_for(2));
  }
}

}  // namespace
}  // namespace trammel
