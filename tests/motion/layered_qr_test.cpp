#include "trammel/motion/layered_qr.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"

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

TEST(LayeredQr, WhatTheFactorisationTakesAlongIsSolvedBesideAsIfItCameLater) {
  test::Random random(7);
  test::Worst worst("y beside what was carried, and beside the same given later");
  for (int i = 0, all = test::cases(500); i < all; ++i) {
    const int n = random.integer(1, 40), m = random.integer(1, 20);
    MatX<> Y = MatX<>::NullaryExpr(n, m, [&] { return random.uniform(-1, 1); });
    if (m > 2)
      Y.col(random.integer(0, m - 2)) = Y.col(m - 1) * random.log_uniform(1e-3, 1e3);  // so that columns change places
    const VecX<> h = random.vector(n, 1), r = random.vector(m, 1);
    LayeredQr qr(n, m);
    qr.carry(h);
    qr.factorize(Y, random.integer(0, m), {});
    VecX<> carried(n), later(n);
    const LayeredSolution first = qr.solve_carried(r, carried), second = qr.solve(r, h, later);
    EXPECT_EQ(first.physical_contradict, second.physical_contradict);
    EXPECT_EQ(first.control_contradict, second.control_contradict);
    // both rotate h by the same reflectors: 20 of them at most, two roundings each, make 40 eps; what comes out
    // is divided by pivots
    worst.see((carried - later).norm() / (n * (1 + later.norm()) / std::min(1.0, qr.smallest_pivot())));
  }
  EXPECT_LT(worst.value(), 1e-14);
}

// Some legs, each with rows of its own, on rows that all of them share.
std::vector<Footprint> legs_on_a_platform(test::Random& random, int& n) {
  const int shared = random.integer(1, 6);
  n = shared;
  std::vector<Footprint> out(random.integer(1, 5));
  for (Footprint& leg : out) {
    leg.columns = random.integer(1, 4);
    for (int i = 0; i < shared; ++i) leg.rows.push_back(i);
    for (int i = random.integer(0, 4); i > 0; --i) leg.rows.push_back(n++);
  }
  return out;
}

// Numbers where the legs have some: columns of any size, some of them zero, some like their neighbour.
MatX<> random_columns(test::Random& random, const std::vector<Footprint>& legs, int n) {
  int m = 0;
  for (const Footprint& leg : legs) m += leg.columns;
  MatX<> Y = MatX<>::Zero(n, m);
  int column = 0;
  for (const Footprint& leg : legs)
    for (int k = 0; k < leg.columns; ++k, ++column) {
      const int kind = random.integer(0, 5);
      if (kind == 0) continue;
      if (kind == 1 && k > 0) {
        Y.col(column) = Y.col(column - 1);
        continue;
      }
      const double size = random.log_uniform(1e-2, 1e2);
      for (const int row : leg.rows) Y(row, column) = size * random.uniform(-1, 1);
    }
  return Y;
}

TEST(LayeredQr, WhatWasFactorisedBeforeChangesNothing) {
  test::Random random(11);
  int dropped = 0;
  const int all = test::cases(100);
  for (int i = 0; i < all; ++i) {
    int n = 0;
    const std::vector<Footprint> legs = legs_on_a_platform(random, n);
    LayeredQr kept(legs);
    const int m = kept.columns();
    for (int again = 0; again < 20; ++again) {
      const MatX<> Y = random_columns(random, legs, n);
      const int physical = random.integer(0, m);
      const VecX<> r = Y.transpose() * random.vector(n, 1), h = random.vector(n, 1);
      LayeredQr fresh(legs);
      VecX<> y(n), y_fresh(n);
      for (LayeredQr* qr : {&kept, &fresh}) {
        qr->factorize(Y, physical, {});
        EXPECT_FALSE(qr->solve(r, h, qr == &kept ? y : y_fresh).physical_contradict);
      }
      EXPECT_EQ(y, y_fresh);
      EXPECT_EQ(kept.rank(), fresh.rank());
      dropped += m - kept.rank();
      kept.solve(r, VecX<>::Constant(n, std::numeric_limits<double>::quiet_NaN()), y);  // leaves no trace either
    }
  }
  EXPECT_GT(dropped, 10 * all);  // the cases are what they are meant to be
}

}  // namespace
}  // namespace trammel
