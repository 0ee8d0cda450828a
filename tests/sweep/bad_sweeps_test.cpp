#include <fstream>

#include <gtest/gtest.h>

#include "trammel/sweep/sweep.h"

// bad_sweeps.txt has sweep files with one thing wrong each, and the message, in full, that the author must read. The scenario is
// examples/sweeps/five-bar.yaml.
//
//   --- what is wrong
//   the sweep file
//   >>> the message

namespace trammel {
namespace {

struct BadSweep {
  std::string name, text, message;
};

std::vector<BadSweep> bad_sweeps() {
  std::vector<BadSweep> out;
  std::ifstream stream(TRAMMEL_SOURCE_DIR "/tests/sweep/bad_sweeps.txt");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("--- "))
      out.push_back({line.substr(4), "", ""});
    else if (line.starts_with(">>> "))
      out.back().message = line.substr(4);
    else
      out.back().text += line + "\n";
  }
  return out;
}

std::string message_of(const std::string& text) {
  try {
    (void)read_sweep_text(text, "bad.yaml", TRAMMEL_SOURCE_DIR "/examples/sweeps");
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(BadSweeps, AreRefusedWithTheirMessages) {
  const std::vector<BadSweep> all = bad_sweeps();
  EXPECT_GE(all.size(), 90u);
  for (const BadSweep& bad : all) EXPECT_EQ(message_of(bad.text), bad.message) << bad.name;
}

TEST(BadSweeps, SayWhereWhatAndWhatIsAllowed) {
  for (const BadSweep& bad : bad_sweeps()) {
    EXPECT_TRUE(bad.message.starts_with("bad.yaml:")) << bad.name;
    EXPECT_NE(bad.message.find(": found "), std::string::npos) << bad.name;
    EXPECT_NE(bad.message.find("; allowed: "), std::string::npos) << bad.name;
  }
}

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
