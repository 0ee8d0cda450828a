#include "trammel/motion/layered_qr.h"

#include <gtest/gtest.h>

namespace trammel {
namespace {

// Two physical columns that differ by sigma, and a control column that is their sum but for `noise` across both.
int rank_with(double sigma, double noise) {
  MatX<> Y(3, 3);
  Y << 1, 1, 2, 0, sigma, sigma, 0, 0, noise;
  LayeredQr qr(3, 3);
  qr.factorize(Y, 2, {});
  return qr.rank();
}

TEST(LayeredQr, WhatIsLeftOfAControlColumnCountsOnceItStandsOutOfTheNoiseOfTheWeakestPhysicalPivot) {
  EXPECT_EQ(rank_with(1e-7, 1e-9), 2);  // 10 eps / sigma is 2e-8
  EXPECT_EQ(rank_with(1e-7, 1e-6), 3);
  EXPECT_EQ(rank_with(1, 1e-9), 3);  // 10 eps / sigma is 2e-15: the tolerance of 1e-11 counts
  EXPECT_EQ(rank_with(1, 1e-12), 2);
}

}  // namespace
}  // namespace trammel
