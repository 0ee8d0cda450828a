#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "trammel/base/error.h"
#include "trammel/report/csv.h"
#include "trammel/report/output_folder.h"
#include "trammel/report/pages.h"

namespace trammel {
namespace {

using test::content;
using test::ScratchFolder;

namespace fs = std::filesystem;

TEST(Csv, NumbersReadBackAsTheyWereAndNamesAreQuotedWhereTheyMustBe) {
  Recording recording({Column::of(ColumnKind::time), Column::of(ColumnKind::error, "tool path[0]"),
                       Column::of(ColumnKind::position, "a,b"), Column::of(ColumnKind::position, "say \"x\"")},
                      2);
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

TEST(Page, SaysInItsHeadlineTheMultiplierOfRowsWithoutAUnit) {
  const Scenario scenario = read_scenario_text(
      "bodies: {a: {mass: 1}}\njoints: [{name: x, prismatic: x, from: world, to: a}]\n"
      "constraints: [{name: c, equation: 2*x = 0}]\nforces: [{joint: x, force: 3}]\nsimulate: {duration: 1}\n",
      "page.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  const ReportPage page = page_of(scenario, run, summarise(scenario.problem(), run, 1), {}, "");
  EXPECT_NE(page.verdict.find("with at most a multiplier of 1.5."), std::string::npos) << page.verdict;
}

TEST(Page, SaysInItsHeadlineThatEnergyDoesNotBalance) {
  const auto page = [](const std::string& how) {
    const std::string oscillator = R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a, stiffness: 100}]
initial: {q: {x: 0.01}}
)";
    const Scenario scenario = read_scenario_text(oscillator + "simulate: {duration: 2, " + how + "}\n", "page.yaml");
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    return page_of(scenario, run, summarise(scenario.problem(), run, 1), {}, "");
  };
  const ReportPage good = page("tolerance: 1e-10");
  EXPECT_TRUE(good.good);
  EXPECT_EQ(good.verdict, "The run finished.");
  const ReportPage suspicious = page("integrator: rk4, step: 30 ms"), bad = page("integrator: euler, step: 1 ms");
  for (const ReportPage* of : {&suspicious, &bad}) {
    EXPECT_FALSE(of->good);
    EXPECT_TRUE(of->verdict.starts_with("The run finished, but its energy balances to") ||
                of->verdict.starts_with("The run finished, but its energy does not balance"))
        << of->verdict;
  }
  EXPECT_NE(bad.verdict.find("does not balance"), std::string::npos) << bad.verdict;
}

}  // namespace
}  // namespace trammel
