#include <gtest/gtest.h>

#include "support/bad_files.h"
#include "trammel/sweep/sweep.h"

// The sweep files of bad_sweeps.txt are of the scenario examples/sweeps/five-bar.yaml.

namespace trammel {
namespace {

std::string message_of(const std::string& text) {
  try {
    (void)read_sweep_text(text, "bad.yaml", TRAMMEL_SOURCE_DIR "/examples/sweeps");
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

const std::vector<test::BadFile>& bad_sweeps() {
  static const std::vector<test::BadFile> all = test::bad_files("tests/sweep/bad_sweeps.txt");
  return all;
}

TEST(BadSweeps, AreRefusedWithTheirMessages) {
  for (const test::BadFile& bad : bad_sweeps()) EXPECT_EQ(message_of(bad.text), bad.message) << bad.name;
}

TEST(BadSweeps, SayWhereWhatAndWhatIsAllowed) { test::expect_messages(bad_sweeps(), 90); }

TEST(BadSweeps, AScenarioThatIsWrongIsToldByItsOwnPlace) {
  const std::string text = "scenario: bad_scenarios.txt\nvary: {constants.a: [1]}\n";
  try {
    (void)read_sweep_text(text, "sweep.yaml", TRAMMEL_SOURCE_DIR "/tests/scenario");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(TRAMMEL_SOURCE_DIR "/tests/scenario/bad_scenarios.txt:"))
        << error.what();
  }
}

}  // namespace
}  // namespace trammel
