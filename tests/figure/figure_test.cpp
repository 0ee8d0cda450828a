#include <algorithm>
#include <iostream>
#include <set>

#include <gtest/gtest.h>

#include "support/random.h"
#include "trammel/figure/svg.h"
#include "trammel/figure/thin.h"
#include "trammel/figure/ticks.h"

namespace trammel {
namespace {

using test::Random;

struct Range {
  double low, high;
};

TEST(Figure, TicksAreRoundAndInside) {
  for (const auto& [low, high] :
       {std::pair{0.0, 1.0}, std::pair{-3.7, 12.2}, std::pair{1e-9, 3e-9}, std::pair{1e6, 1e6 + 1}}) {
    const std::vector<double> values = ticks(low, high, 6);
    EXPECT_GE(values.size(), 3u);
    EXPECT_LE(values.size(), 9u);
    for (const double value : values) {
      EXPECT_GE(value, low);
      EXPECT_LE(value, high);
    }
  }
}

TEST(Figure, IsSvgWithItsTextEscapedAndItsPeaksKept) {
  Figure figure{.title = "<a> & \"b\"", .y = {"φ", "m"}};
  VecX<> t(100000), y(100000);
  for (int i = 0; i < t.size(); ++i) {
    t[i] = i * 1e-3;
    y[i] = i == 54321 ? 100 : std::sin(t[i]);
  }
  figure.curves.push_back({"spike", t, y});
  const std::string svg = to_svg(figure);
  EXPECT_EQ(svg.find("<a>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;a&gt; &amp; &quot;b&quot;"), std::string::npos);
  EXPECT_LT(svg.size(), 60000u);
  // the peak stands 4 % below the top of the frame
  EXPECT_NE(svg.find(" 51.8"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Figure, CurvesAreToldApartWithoutColourAndAllAreNamed) {
  Figure figure{.title = "many", .y = {"q", "rad"}};
  const VecX<> t = VecX<>::LinSpaced(3, 0, 1);
  for (int i = 0; i < 7; ++i) figure.curves.push_back({"a rather long name, φ " + std::to_string(i), t, t * i});
  figure.curves.push_back({"wanted", t, t, true});
  figure.limits = {9, -9};
  const std::string svg = to_svg(figure);
  std::set<std::string> dashes;
  for (std::size_t at = 0; (at = svg.find("stroke-dasharray='", at)) != std::string::npos; ++at)
    dashes.insert(svg.substr(at + 18, svg.find('\'', at + 18) - at - 18));
  EXPECT_EQ(dashes.size(), 8u);
  for (const char* name : {"φ 0", "φ 6", ">wanted<", ">limit<"}) EXPECT_NE(svg.find(name), std::string::npos) << name;
  // the legend takes more lines than one, and the picture is as much higher
  EXPECT_EQ(svg.find("height='425'"), std::string::npos);
}

TEST(Figure, ACurveThatIsThinnedKeepsItsPeaksAndItsGaps) {
  constexpr int n = 100'000;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  VecX<> y = VecX<>::Zero(n);
  y[0] = y[50'000] = y[70'001] = nan;  // the first of a piece, too
  y[3] = 5;
  y[70'003] = -7;
  const std::vector<int> drawn = drawn_points(y, 100);
  EXPECT_LT(drawn.size(), 500u);
  EXPECT_TRUE(std::ranges::is_sorted(drawn));
  for (const int i : {0, 3, 50'000, 70'001, 70'003, n - 1}) EXPECT_TRUE(std::ranges::binary_search(drawn, i)) << i;
}

TEST(Figure, ALogarithmicAxisLeavesOutZeroAndAFlatCurveStillHasAnAxis) {
  Figure figure{.title = "drift", .y = {"|φ|", "m"}, .log_y = true};
  figure.curves.push_back({"phi", Eigen::Vector4d(0, 1, 2, 3), Eigen::Vector4d(0, 1e-14, -1e-12, 1e-10)});
  EXPECT_EQ(to_svg(figure).find("inf"), std::string::npos);
  EXPECT_NE(to_svg(figure).find("1e-12"), std::string::npos);
  figure = Figure{.title = "flat", .y = {"q", "rad"}, .curves = {{"q", Eigen::Vector2d(0, 1), Eigen::Vector2d(3, 3)}}};
  EXPECT_EQ(to_svg(figure).find("nan"), std::string::npos);
  EXPECT_EQ(to_svg(Figure{}).find("nan"), std::string::npos);
}

// A range of an axis: flat, of one ulp, tiny, huge, anything.
Range any_range(Random& random) {
  const double size = random.log_uniform(1e-306, 1e300) * (random.integer(0, 1) == 0 ? 1 : -1);
  switch (random.integer(0, 5)) {
    case 0:
      return {size, size};
    case 1:
      return {size, std::nextafter(size, std::numeric_limits<double>::infinity())};
    case 2:
      return {size, size + std::abs(size) * random.log_uniform(1e-17, 1e-3)};
    case 3:
      return {0, std::abs(size)};
    case 4:
      return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    default:
      return {std::min(size, -2 * size), std::max(size, -2 * size)};
  }
}

// Numbers of a figure, wherever they stand in its text.
void expect_finite(const std::string& svg) {
  for (const char* word : {"nan", "inf"}) EXPECT_EQ(svg.find(word), std::string::npos) << svg.substr(0, 2000);
}

std::vector<std::string> texts_of_class(const std::string& svg, const std::string& anchor) {
  const std::string before = "class='tick' text-anchor='" + anchor + "'>";
  std::vector<std::string> out;
  for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at)) {
    at += before.size();
    out.push_back(svg.substr(at, svg.find('<', at) - at));
  }
  return out;
}

// Any axis has some ticks, not many, and no two of them read alike.
TEST(Figure, TicksEndAndAreToldApartForAnyRange) {
  Random random(18);
  std::size_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    const Range x = any_range(random), y = any_range(random);
    Figure figure{.title = "any", .log_y = random.integer(0, 3) == 0, .equal = random.integer(0, 3) == 0};
    const double middle = y.low / 2 + y.high / 2;
    figure.curves.push_back(
        {"curve", Eigen::Vector3d(x.low, x.low / 2 + x.high / 2, x.high), Eigen::Vector3d(y.low, middle, y.high)});
    const std::string svg = to_svg(figure);
    expect_finite(svg);
    for (const char* anchor : {"middle", "end"}) {
      std::vector<std::string> texts = texts_of_class(svg, anchor);
      most = std::max(most, texts.size());
      EXPECT_GE(texts.size(), 1u) << x.low << ' ' << x.high << ' ' << y.low << ' ' << y.high;
      EXPECT_LE(texts.size(), 10u);
      std::ranges::sort(texts);
      EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end())
          << x.low << ' ' << x.high << ' ' << y.low << ' ' << y.high;
    }
  }
  std::cout << "most ticks of an axis: " << most << '\n';
}

TEST(Figure, ACurveThatVariesByRoundingAloneIsDrawnAsAConstant) {
  const double force = 121 * 9.81;
  Figure figure{.title = "force", .y = {"Qc", "N"}};
  figure.curves.push_back({"Qc.z", Eigen::Vector3d(0, 1, 2), Eigen::Vector3d(force, force * (1 + 3e-16), force)});
  const std::vector<std::string> texts = texts_of_class(to_svg(figure), "end");
  EXPECT_EQ(texts, (std::vector<std::string>{"0", "500", "1000", "1500", "2000"}));
  figure.curves[0].y[1] = force + 1e-5;  // no rounding: its ticks have the digits that tell them apart
  EXPECT_EQ(texts_of_class(to_svg(figure), "end").front(), "1187.01");
  EXPECT_EQ(texts_of_class(to_svg(figure), "end").back(), "1187.01001");
}

}  // namespace
}  // namespace trammel
