#include "trammel/math/lanes.h"

#include <gtest/gtest.h>

#include <array>

namespace trammel {
namespace {

// As wide as a register, half of one and more than one, whatever processor the tests are compiled for.
template <class L>
class LanesOfAnyWidth : public testing::Test {};
using Widths = testing::Types<LanesOf<2>, LanesOf<4>, LanesOf<8>>;
TYPED_TEST_SUITE(LanesOfAnyWidth, Widths);

template <int count>
constexpr int width_of(const LanesOf<count>&) {
  return count;
}

TYPED_TEST(LanesOfAnyWidth, DoInEachLaneWhatNumbersDo) {
  constexpr int count = width_of(TypeParam());
  const auto a = TypeParam::each([](int i) { return 1.5 + i; }),
             b = TypeParam::each([](int i) { return 0.25 * i - 3; });
  std::array<double, count> sum, difference, product;
  (a + b).store(sum.data()), (a - b).store(difference.data()), (a * b).store(product.data());
  const auto again = TypeParam::at(sum.data());
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(sum[i], (1.5 + i) + (0.25 * i - 3));
    EXPECT_EQ(difference[i], (1.5 + i) - (0.25 * i - 3));
    EXPECT_EQ(product[i], (1.5 + i) * (0.25 * i - 3));
    EXPECT_EQ(again[i], sum[i]);
    EXPECT_EQ(TypeParam(0.7)[i], 0.7);
  }
}

TEST(Lanes, ChooseAndSignEachForItself) {
  const auto a = Lanes::each([](int i) { return i % 2 == 0 ? 2.0 : -3.0; }),
             b = Lanes::each([](int i) { return i % 3 == 0 ? -0.0 : 1.0; });
  for (int i = 0; i < lane_count; ++i) {
    EXPECT_EQ(min(a, b)[i], std::min(a[i], b[i]));
    EXPECT_EQ(max(a, b)[i], std::max(a[i], b[i]));
    EXPECT_EQ(abs(a)[i], std::abs(a[i]));
    EXPECT_EQ(copysign(a, b)[i], std::copysign(a[i], b[i]));
  }
}

template <int some>
void expect_the_first_alone() {
  const std::array<double, 4> from{1, 2, 3, 4};
  std::array<double, 4> to{-1, -1, -1, -1};
  const Pack4 read = Pack4::first_at<some>(from.data());
  read.store_first<some>(to.data());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(read[i], i < some ? from[i] : 0) << some;
    EXPECT_EQ(to[i], i < some ? from[i] : -1) << some;
  }
}

TEST(Pack4, TheFirstOnesAreReadAndStoredWithoutTheOthers) {
  expect_the_first_alone<1>();
  expect_the_first_alone<2>();
  expect_the_first_alone<3>();
  expect_the_first_alone<4>();
}

TEST(Packs, DoSideBySideWhatOneDoes) {
  std::array<double, 12> a, b, out;
  for (int i = 0; i < 12; ++i) a[i] = 1 + i, b[i] = 2 - 0.5 * i;
  const auto A = Packs<3>::at(a.data()), B = Packs<3>::at(b.data());
  (A * Pack4(3.0) - B * B + Packs<3>::zero()).store(out.data());
  for (int i = 0; i < 12; ++i) EXPECT_EQ(out[i], a[i] * 3 - b[i] * b[i]);
}

}  // namespace
}  // namespace trammel
