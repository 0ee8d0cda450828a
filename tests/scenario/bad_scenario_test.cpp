#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "support/bad_files.h"
#include "trammel/base/names.h"
#include "trammel/scenario/scenario.h"
#include "trammel/scenario/value.h"
#include "trammel/scenario/words.h"

// The first three hundred and more of bad_scenarios.txt were written from the description of the language alone.
//
// Where a message lists what a table of the program has, {integrators} stands for the list, so that a new one is no change
// here.

namespace trammel {
namespace {

const std::string robot_folder = std::string(TRAMMEL_SOURCE_DIR) + "/robots/";

// The names of a kind of words.
std::vector<std::string> names_of(std::string_view kind) {
  std::vector<std::string> out;
  for (const scenario::Word& word : scenario::all_words())
    if (word.kind == kind) out.push_back(word.name);
  return out;
}

std::vector<std::string> joined(std::vector<std::string> list, std::span<const std::string> more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::map<std::string, std::string> lists() {
  const auto one_of = [](const std::vector<std::string>& names) { return allowed_names("", names); };
  std::vector<std::string> adaptive, constraint_keys = names_of("constraint"), joint_forms;
  for (const scenario::Word& word : scenario::all_words()) {
    if (word.kind == "integrator" && word.with[0] == "tolerance") adaptive.push_back(word.name);
    if (word.kind == "every") constraint_keys = joined(constraint_keys, word.with);
    if (word.kind == "joint")
      joint_forms.push_back(word.name + (word.with[0] == "0" ? ": true" : word.with[0] == "1" ? ": z" : ": [z, x]"));
  }
  const std::vector<std::string> of_joints{"limits",   "rest",      "speed_limit",   "effort_limit", "damping",
                                           "friction", "stiffness", "rotor_inertia", "pitch"};
  return {{"{integrators}", one_of(names_of("integrator"))},
          {"{integrators with a tolerance}", scenario::alternatives(adaptive)},
          {"{kinds of constraints}", one_of(names_of("constraint"))},
          {"{keys of constraints}", one_of(constraint_keys)},
          {"{surfaces}", one_of(names_of("surface"))},
          {"{types of joints}", scenario::alternatives(joint_forms)},
          {"{keys of joints}", one_of(joined(joined({"name", "from", "to", "at"}, names_of("joint")), of_joints))},
          {"{functions}", one_of(joined({"v", "start"}, names_of("function")))}};
}

std::string with_lists(std::string message) {
  static const std::map<std::string, std::string> known = lists();
  for (const auto& [mark, list] : known)
    if (const std::size_t at = message.find(mark); at != std::string::npos) message.replace(at, mark.size(), list);
  return message;
}

std::vector<test::BadFile> bad_scenarios() {
  std::vector<test::BadFile> out = test::bad_files("tests/scenario/bad_scenarios.txt");
  for (test::BadFile& bad : out) bad.message = with_lists(bad.message);
  return out;
}

// "" if it is accepted; without the folder in front of the robots' files.
std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read_scenario_text(text, "bad.yaml", robot_folder, overrides);
    return "";
  } catch (const Error& error) {
    std::string message = error.what();
    for (std::size_t at = message.find(robot_folder); at != std::string::npos; at = message.find(robot_folder))
      message.erase(at, robot_folder.size());
    return message;
  }
}

TEST(BadScenarios, AreRefusedWithTheirMessages) {
  for (const test::BadFile& bad : bad_scenarios()) EXPECT_EQ(message_of(bad.text), bad.message) << bad.name;
}

TEST(BadScenarios, AreManyWithAMessageEach) { test::expect_messages(bad_scenarios(), 600); }

TEST(ScenarioBounds, TenMegabytes) {
  const std::string text = "robot: two-link.urdf\n#" + std::string(10'000'000, '-');
  EXPECT_EQ(message_of(text), "bad.yaml: found more than 10 MB (10000022 bytes); allowed: a scenario of up to 10 MB");
}

TEST(ScenarioBounds, ThirtyTwoLevels) {
  const std::string open(33, '['), close(33, ']');
  EXPECT_EQ(message_of(open + close), "bad.yaml:1:33: found more than 32 levels of nesting; allowed: fewer");
  EXPECT_NE(message_of(std::string(100'000, '[')), "");
  EXPECT_NE(message_of(std::string(100'000, '{')), "");
}

TEST(ScenarioBounds, AHundredThousandValues) {
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) text += "1,";
  EXPECT_EQ(message_of(text + "]"), "bad.yaml:1:200000: found more than 100000 values; allowed: fewer");
}

TEST(ScenarioBounds, BytesThatAreNoText) {
  using namespace std::string_literals;
  EXPECT_EQ(message_of("name: a\nrobot: \0"s),
            "bad.yaml:2:8: found the byte 0x00, which is no text; allowed: text in UTF-8");
  EXPECT_EQ(message_of("name: é\xff"), "bad.yaml:1:8: found the byte 0xff, which is no text; allowed: text in UTF-8");
}

TEST(ScenarioBounds, AWindowsFileIsWelcome) {
  EXPECT_EQ(message_of("\xEF\xBB\xBFname: a\r\nrobot: two-link.urdf\r\n"), "");
}

TEST(ScenarioFiles, ThatDoNotExistOrAreFoldersAreNamed) {
  const auto message = [](const std::string& file) -> std::string {
    try {
      read_scenario(file);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("/nowhere.yaml"), "/nowhere.yaml: found no such file; allowed: the name of a scenario file");
  EXPECT_EQ(message("/"), "/: found a folder; allowed: the name of a scenario file");
}

TEST(ScenarioOverrides, ThatMakeNoSenseAreRefused) {
  const std::string good = "robot: two-link.urdf\nconstraints: [{name: a, point: tip, x: 1}]";
  EXPECT_EQ(message_of(good, {"duration"}),
            "--set 'duration': found no KEY=VALUE; allowed: as in simulate.duration=5 s");
  EXPECT_EQ(
      message_of(good, {"simulate.durration=5"}),
      "--set 'simulate.durration=5': found key 'durration' in simulate; allowed: one of duration, integrator, step, "
      "tolerance, drift, limits, rank_tolerance, friction_speed (did you mean 'duration'?)");
  EXPECT_EQ(message_of(good, {"robot.x.y=5"}),
            "--set 'robot.x.y=5': found 'x.y' inside the value 'two-link.urdf'; allowed: keys of maps and lists");
  EXPECT_EQ(message_of(good, {"constraints.b.x=5"}),
            "--set 'constraints.b.x=5': found 'b', which is no item of the list; allowed: one of a");
  EXPECT_EQ(message_of(good, {"constraints.a.x=1 + r"}),
            "--set 'constraints.a.x=1 + r': found the name 'r' at character 5; allowed: one of q1, q2, world, ground, "
            "link1, link2, tip, t, pi");
}

TEST(Caret, StandsUnderTheCharacter) {
  const std::string text = "robot: two-link.urdf\nconstraints:\n  - {name: é, point: tip, x: 0.3 + r}\n";
  try {
    read_scenario_text(text, "bad.yaml", robot_folder);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(with_caret(error, text), std::string(error.what()) +
                                           "\n    - {name: é, point: tip, x: 0.3 + r}"
                                           "\n                                     ^");
  }
  EXPECT_EQ(with_caret(Error("this", "that"), text), "found this; allowed: that");
}

}  // namespace
}  // namespace trammel
