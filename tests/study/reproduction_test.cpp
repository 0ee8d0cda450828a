#include "trammel/study/reproduction.h"

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "trammel/base/error.h"

namespace trammel {
namespace {

Reproduction study(const std::string& name) { return reproduce(TRAMMEL_SOURCE_DIR "/reproduce/" + name + ".yaml"); }

const Reproduction::Table& table(const Reproduction& study, const std::string& title) {
  for (const Reproduction::Table& table : study.tables)
    if (table.title == title) return table;
  throw Error("table " + title, "one of the study");
}

// Numbers with a reference agree with it to this part of it.
void expect_numbers(const Reproduction& study, double relative) {
  for (const Reproduction::Number& number : study.numbers)
    if (number.reference) {
      EXPECT_NEAR(number.ours, *number.reference, relative * std::abs(*number.reference)) << number.what;
    }
}

// Tables are printed to ten decimals: half a unit of the last, and as much again for the integration.
constexpr double ten_decimals = 1e-10;

TEST(Reproduction, OfTheScaraHasTheReferenceNumbersToTheirDigits) {
  const Reproduction scara = study("scara");
  for (const char* title : {"Un-stabilised", "Baumgarte", "Theoretical joint angles"})
    EXPECT_LT(table(scara, title).worst, ten_decimals) << title;
  expect_numbers(scara, 1e-9);
  EXPECT_EQ(scara.figures.size(), 9u);
}

TEST(Reproduction, OfTheParallelRobotHasTheReferenceNumbersToTheirDigits) {
  const Reproduction parallel = study("parallel");
  for (const char* title : {"4.1 modelling", "Constraint forces of 4.1", "4.2 tracking, three motors"})
    EXPECT_LT(table(parallel, title).worst, ten_decimals) << title;
  expect_numbers(parallel, 1e-9);              // the printed cascade among them, by Runge-Kutta steps of 5 ms
  EXPECT_LT(parallel.numbers[2].ours, 1e-14);  // loops stay closed with the layers in order
}

TEST(Reproduction, OfTheSerialManipulatorHasTheReferenceNumbersToTheirDigits) {
  const Reproduction serial = study("serial");
  // twelve decimals of numbers up to 86 N·m: 0.5e-12, and sixty roundings of 1.4e-14
  for (const char* title : {"Torques of the slow run", "Torques of the fast run"})
    EXPECT_LT(table(serial, title).worst, 1.4e-12) << title;
  EXPECT_LT(table(serial, "Forward run").worst, ten_decimals);
  for (const Reproduction::Agreement& agreement : serial.agreements)
    for (const FormulationResult& formulation : agreement.formulations)
      EXPECT_LT(formulation.disagreement, 1e-12) << agreement.run << ' ' << formulation.name;
}

TEST(Reproduction, OfTheTwoLinksHasTheReferenceNumbersToTheirDigits) {
  const Reproduction two_link = study("two-link");
  EXPECT_LT(table(two_link, "Constraint torques").worst, ten_decimals);
  for (const Reproduction::Number& number : two_link.numbers)
    if (number.reference) {  // thirteen digits for Runge-Kutta's, two or three for the rest
      const bool measured = number.what.starts_with("RK4") || *number.reference < 1e-4;
      EXPECT_NEAR(number.ours, *number.reference, (measured ? 1e-5 : 5e-3) * *number.reference) << number.what;
    }
}

// The example of docs/reproduce.md, as its reader would run it.
TEST(Reproduction, RunsTheStudyOfItsDocumentation) {
  const std::string text = test::content(TRAMMEL_SOURCE_DIR "/docs/reproduce.md");
  const std::string open = "```yaml\n";
  const std::size_t begin = text.find(open) + open.size();
  const test::ScratchFolder folder;
  std::filesystem::create_directory_symlink(TRAMMEL_SOURCE_DIR "/examples", folder.path() / "examples");
  std::filesystem::create_directory_symlink(TRAMMEL_SOURCE_DIR "/robots", folder.path() / "robots");
  std::filesystem::create_directory(folder.path() / "mine");
  const Reproduction study =
      reproduce(folder.write("mine/study.yaml", text.substr(begin, text.find("```", begin) - begin)));
  EXPECT_EQ(study.numbers.size(), 3u);
  EXPECT_LT(study.tables[0].worst, 1e-10);
  EXPECT_EQ(study.figures.size(), 2u);
  EXPECT_EQ(study.agreements[0].formulations.size(), 8u);
}

TEST(Reproduction, TellsOfRunsWhoseEnergyDoesNotBalance) {
  const test::ScratchFolder folder;
  const std::string run = "{scenario: " TRAMMEL_SOURCE_DIR "/examples/03-four-bar.yaml, set: [simulate.duration=2, ";
  const Reproduction study = reproduce(
      folder.write("study.yaml", "title: t\nruns:\n  fine: " + run + "simulate.step=0.001]}\n  coarse: " + run +
                                     "simulate.integrator=euler, simulate.step=0.01]}\n"));
  ASSERT_EQ(study.warnings.size(), 1u);
  EXPECT_TRUE(study.warnings[0].starts_with("run 'coarse': energy does not balance: ")) << study.warnings[0];
}

TEST(Reproduction, RefusesWhatMakesNoSense) {
  const test::ScratchFolder folder;
  const std::string head = "title: t\nruns:\n  a: {scenario: " TRAMMEL_SOURCE_DIR
                           "/examples/05-two-link-line.yaml, set: [simulate.duration=0.5]}\n";
  const auto message = [&](const std::string& rest) -> std::string {
    try {
      reproduce(folder.write("study.yaml", head + rest));
      return "";
    } catch (const Error& error) {
      const std::string what = error.what();
      return what.substr(what.find("study.yaml"));
    }
  };
  EXPECT_EQ(message("numbers: [{what: w, of: a, columns: [q.q1], at: 0.5}]"), "");
  EXPECT_EQ(message("numbers: [{what: w, of: b, columns: [q.q1]}]"),
            "study.yaml:4:25: found 'b' as of of item 1 of numbers of the file; allowed: one of a");
  EXPECT_EQ(message("numbers: [{what: w, of: a, columns: [q.q1], at: 0.51}]"),
            "study.yaml:4:49: found '0.51' as at of item 1 of numbers of the file; allowed: a time that was recorded");
  EXPECT_TRUE(
      message("numbers: [{what: w, of: a, columns: [q.q9]}]").starts_with("study.yaml:4:38: found column 'q.q9'"));
  EXPECT_TRUE(message("figs: []").starts_with("study.yaml:4:1: found key 'figs'"));
}

}  // namespace
}  // namespace trammel
