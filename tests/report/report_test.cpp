#include <set>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "trammel/base/error.h"
#include "trammel/report/csv.h"
#include "trammel/report/figure.h"
#include "trammel/report/output_folder.h"

namespace trammel {
namespace {

using test::content;
using test::ScratchFolder;

namespace fs = std::filesystem;

TEST(Csv, NumbersReadBackAsTheyWereAndNamesAreQuotedWhereTheyMustBe) {
  Recording recording({"t", "phi.tool path[0]", "a,b", "say \"x\""}, 2);
  for (int i = 0; i < 3; ++i) recording.add_row() << i, 1.0 / 3, -0.1, 1e-300 * i;  // more rows than it had room for
  const std::string text = to_csv(recording);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "t,\"phi.tool path[0]\",\"a,b\",\"say \"\"x\"\"\"");
  for (int i = 0; i < 3; ++i) {
    std::getline(lines, line);
    std::istringstream cells(line);
    std::string cell;
    for (int c = 0; c < 4; ++c) {
      std::getline(cells, cell, ',');
      EXPECT_EQ(std::strtod(cell.c_str(), nullptr), recording(i, c));
    }
  }
}

TEST(OutputFolder, FilesAppearWholeAndReplaceOldOnes) {
  const ScratchFolder scratch;
  const OutputFolder folder(scratch.path() / "deep" / "er");
  folder.write("a.txt", "first");
  folder.write("a.txt", "second");
  EXPECT_EQ(content(folder.path() / "a.txt"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()),
            1);  // nothing left beside it
}

TEST(OutputFolder, WhatCannotBeWrittenIsToldBeforehand) {
  const ScratchFolder scratch;
  std::ofstream(scratch.path() / "file") << "in the way";
  EXPECT_THROW(OutputFolder(scratch.path() / "file" / "results"), Error);
  EXPECT_THROW(OutputFolder("/proc/nowhere"), Error);
  try {
    const OutputFolder greedy(scratch.path(), 1e30);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the disk has"), std::string::npos) << error.what();
  }
}

TEST(OutputFolder, AFullDiskLeavesNoHalfFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const ScratchFolder scratch;
  const OutputFolder folder(scratch.path());
  folder.write("a.txt", "whole");
  // the file beside it stands for a full disk
  fs::create_symlink("/dev/full", scratch.path() / ".a.txt.part");
  EXPECT_THROW(folder.write("a.txt", std::string(100000, 'x')), std::runtime_error);
  EXPECT_EQ(content(scratch.path() / "a.txt"), "whole");
}

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
  Figure figure{"<a> & \"b\"", "t (s)", "φ (m)", {}};
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
  Figure figure{"many", "t (s)", "q (rad)", {}};
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

TEST(Figure, ALogarithmicAxisLeavesOutZeroAndAFlatCurveStillHasAnAxis) {
  Figure figure{"drift", "t (s)", "|φ| (m)", {}, true};
  figure.curves.push_back({"phi", Eigen::Vector4d(0, 1, 2, 3), Eigen::Vector4d(0, 1e-14, -1e-12, 1e-10)});
  EXPECT_EQ(to_svg(figure).find("inf"), std::string::npos);
  EXPECT_NE(to_svg(figure).find("1e-12"), std::string::npos);
  figure = Figure{"flat", "t (s)", "q (rad)", {{"q", Eigen::Vector2d(0, 1), Eigen::Vector2d(3, 3)}}};
  EXPECT_EQ(to_svg(figure).find("nan"), std::string::npos);
  EXPECT_EQ(to_svg(Figure{}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace trammel
