#include "trammel/system/worst_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trammel::test {
namespace {

TEST(WorstError, IsComparedAsALengthAndToldInItsOwnUnit) {
  WorstError worst;
  EXPECT_TRUE(worst.see(0.02, 1, "m"));
  EXPECT_FALSE(worst.see(-0.1, 0.1, "rad"));  // at 0.1 m/rad an arc of 0.01 m
  EXPECT_EQ(worst.text(), "0.02 m");
  EXPECT_TRUE(worst.see(-0.3, 0.1, "rad"));
  EXPECT_EQ(worst.text(), "0.3 rad");
  EXPECT_EQ(worst.text("/s²"), "0.3 rad/s²");
  EXPECT_NEAR(worst.length(), 0.03, 1e-17);
}

TEST(WorstError, SaysNoUnitWhereNoneIsKnownAndTheUnitOfZero) {
  WorstError unknown, none;
  unknown.see(1234.5, 1, "");
  EXPECT_EQ(unknown.text("/s"), "1.23e+03");
  none.see(0, 1, "rad");
  none.see(0, 1, "m");
  EXPECT_EQ(none.text("/s"), "0 rad/s");
}

TEST(WorstError, WhatIsNotANumberIsWorst) {
  WorstError worst;
  worst.see(1, 1, "m");
  EXPECT_TRUE(worst.see(std::numeric_limits<double>::quiet_NaN(), 1, "rad"));
  EXPECT_FALSE(worst.see(2, 1, "m"));
  EXPECT_TRUE(std::isnan(worst.size()));
}

}  // namespace
}  // namespace trammel::test
