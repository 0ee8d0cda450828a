#include <algorithm>
#include <chrono>

#include <nlohmann/json.hpp>

#include "command.h"

namespace trammel::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string examples = TRAMMEL_SOURCE_DIR "/examples/";
const std::string four_bar = examples + "03-four-bar.yaml";

long line_count(const std::string& text) { return std::ranges::count(text, '\n'); }

// Every file of the folder is one that a run promises, whole.
void expect_whole_results(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  const json summary = json::parse(content(folder / "summary.json"));
  const std::string csv = content(folder / "recording.csv");
  ASSERT_TRUE(csv.ends_with('\n'));
  const long columns = std::ranges::count(csv.substr(0, csv.find('\n')), ',');
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) ASSERT_EQ(std::ranges::count(line, ','), columns);
}

TEST(Run, WritesRecordingSummaryAndFigures) {
  const ScratchFolder scratch;
  const Outcome outcome = trammel("run " + four_bar + " --set simulate.duration=0.5 --out " + scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  for (const char* text : {"Four-bar, 0.5 s\n", "3 of the robot, 2 rows independent, 1 left", "loop", "energy balance",
                           "steps             500", "results           "})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
  expect_whole_results(scratch.path());
  const std::string csv = content(scratch.path() / "recording.csv");
  EXPECT_TRUE(csv.starts_with("t,q.a,q.b,q.c,v.a,v.b,v.c,vdot.a,")) << csv.substr(0, 200);
  EXPECT_EQ(line_count(csv), 52);
  for (const char* figure : {"coordinates.svg", "velocities.svg", "constraint-errors.svg", "constraint-forces.svg"})
    EXPECT_TRUE(content(scratch.path() / figure).starts_with("<svg")) << figure;
}

TEST(Run, RecordsRankAndNearnessToSingularAndDrawsWhatIsWanted) {
  const ScratchFolder scratch;
  const std::string out = " --quiet --set simulate.duration=0.1 --out " + scratch.path().string();
  ASSERT_EQ(trammel("run " + examples + "04-serial-inverse.yaml" + out).exit_code, 0);
  const std::string csv = content(scratch.path() / "recording.csv");
  EXPECT_TRUE(csv.substr(0, csv.find('\n')).ends_with(",\"work.motion alpha3\",rank,pivot"));
  for (const char* figure : {"rank.svg", "nearness-to-singular.svg", "energy-balance.svg"})
    EXPECT_TRUE(content(scratch.path() / figure).starts_with("<svg")) << figure;
  for (const char* figure : {"coordinates.svg", "velocities.svg"})
    EXPECT_NE(content(scratch.path() / figure).find(">wanted "), std::string::npos) << figure;
}

TEST(Run, PrintsOneJsonObjectAndNothingElse) {
  const ScratchFolder scratch;
  const std::string rest = " --json --set simulate.duration=0.2 --out " + scratch.path().string();
  const json run = json::parse(trammel("run " + four_bar + rest).out);
  EXPECT_EQ(run["status"], "finished");
  EXPECT_EQ(run["freedoms_after"], 1);
  EXPECT_LT(run["constraints"][0]["open_by"]["m"], 1e-13);
  json written = json::parse(content(scratch.path() / "summary.json"));
  EXPECT_EQ(written["files"][0], "recording.csv");
  written.erase("files");
  EXPECT_EQ(written, run);
  const json check = json::parse(trammel("check " + four_bar + rest).out);
  EXPECT_EQ(check["runs"], true);
  EXPECT_EQ(check["diagnosis"]["redundant"].size(), 3u);
  const json compare = json::parse(trammel("compare " + four_bar + rest).out);
  EXPECT_EQ(compare["formulations"].size(), 8u);
  EXPECT_EQ(compare["drift_controls"].size(), 4u);
  const json torques = json::parse(trammel("torques " + examples + "02-parallel-tracking.yaml" + rest).out);
  EXPECT_EQ(torques["motors"].size(), 3u);
}

TEST(Run, LeavesNothingOfTheRunBefore) {
  const ScratchFolder scratch;
  const std::string command =
      "run --quiet " + four_bar + " --set simulate.duration=0.1 --out " + scratch.path().string();
  ASSERT_EQ(trammel(command + " --set 'plots=[{title: a, columns: [q.a]}, {title: A, columns: [q.b]}]'").exit_code, 0);
  scratch.write("mine.txt", "of the user");
  EXPECT_TRUE(fs::exists(scratch.path() / "a.svg") && fs::exists(scratch.path() / "a-2.svg"));
  ASSERT_EQ(trammel(command).exit_code, 0);
  EXPECT_FALSE(fs::exists(scratch.path() / "a.svg") || fs::exists(scratch.path() / "a-2.svg"));
  EXPECT_TRUE(fs::exists(scratch.path() / "mine.txt"));
}

TEST(Run, LeavesAReportUnlessToldNotTo) {
  const ScratchFolder scratch;
  const std::string command =
      "run --quiet " + four_bar + " --set simulate.duration=0.1 --out " + scratch.path().string();
  ASSERT_EQ(trammel(command).exit_code, 0);
  if (!fs::exists(scratch.path() / "report.html")) GTEST_SKIP() << "built without the report page";
  const std::string page = content(scratch.path() / "report.html");
  EXPECT_NE(page.find("id=\"trammel-data\""), std::string::npos);
  EXPECT_NE(page.find("trammel run --quiet"), std::string::npos);
  ASSERT_EQ(trammel(command + " --no-report").exit_code, 0);
  EXPECT_FALSE(fs::exists(scratch.path() / "report.html"));
  expect_refused("view " + scratch.path().string(), "found no report.html there");
}

TEST(Figures, AreLeftInTheFormatsAskedForAndNoOthers) {
  if (shell("rsvg-convert --version").exit_code != 0) GTEST_SKIP() << "no rsvg-convert here";
  const ScratchFolder scratch;
  const std::string rest = " --quiet --set simulate.duration=0.1 --out '" + (scratch.path() / "a b;c").string() + "'";
  ASSERT_EQ(trammel("run " + four_bar + rest + " --figures pdf,png").out, "");
  const fs::path folder = scratch.path() / "a b;c";
  expect_whole_results(folder);
  EXPECT_TRUE(content(folder / "coordinates.pdf").starts_with("%PDF-"));
  EXPECT_TRUE(content(folder / "coordinates.png").starts_with("\x89PNG"));
  EXPECT_FALSE(fs::exists(folder / "coordinates.svg"));
  ASSERT_EQ(trammel("run " + four_bar + rest).out, "");
  EXPECT_FALSE(fs::exists(folder / "coordinates.pdf"));
  EXPECT_TRUE(content(folder / "coordinates.svg").starts_with("<svg"));
  ASSERT_EQ(trammel("compare " + four_bar + rest + " --figures png").out, "");
  EXPECT_TRUE(content(folder / "compare.png").starts_with("\x89PNG"));
  ASSERT_EQ(trammel("torques " + examples + "02-parallel-tracking.yaml" + rest + " --figures pdf").out, "");
  EXPECT_TRUE(content(folder / "torques.pdf").starts_with("%PDF-"));
}

TEST(Figures, ThatCannotBeMadeAreToldBeforeTheRun) {
  const ScratchFolder scratch;
  const std::string run = "run " + four_bar + " --out " + (scratch.path() / "out").string() + " --figures ";
  expect_refused(run + "svg,gif", "found 'gif' in --figures svg,gif; allowed: svg, pdf, png, or several");
  const Outcome without = shell("PATH=/nowhere; $trammel " + run + "pdf 2>&1");
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_NE(without.out.find("found --figures pdf, but no program rsvg-convert"), std::string::npos) << without.out;
  EXPECT_EQ(line_count(without.out), 1);
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

// A converter that writes half a picture and gives up.
TEST(Figures, ThatFailLeaveNoHalfFileAndTheRecordingStays) {
  const ScratchFolder scratch;
  const std::string fake = scratch.write(
      "rsvg-convert", "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho half\necho 'out of ink' >&2\nexit 3\n");
  fs::permissions(fake, fs::perms::owner_all);
  const fs::path folder = scratch.path() / "out";
  const Outcome outcome = shell("PATH=" + scratch.path().string() + ":$PATH; $trammel run --quiet " + four_bar +
                                " --set simulate.duration=0.1 --figures png --out " + folder.string() + " 2>&1");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "trammel: could not finish: rsvg-convert made no png: out of ink\n");
  EXPECT_FALSE(fs::exists(folder / "coordinates.png"));
  EXPECT_GT(line_count(content(folder / "recording.csv")), 3);
}

TEST(Reproduce, PrintsOursBesideThePrintedAndTheReference) {
  const ScratchFolder scratch;
  const Outcome outcome = trammel("reproduce serial --out " + scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("Torques of the slow run"), std::string::npos) << outcome.out;
  EXPECT_TRUE(content(scratch.path() / "serial.md").starts_with("# Serial manipulator"));
  EXPECT_TRUE(content(scratch.path() / "serial-01.svg").starts_with("<svg"));
  expect_refused("reproduce seriel", "found study 'seriel'; allowed: one of all, parallel, scara, serial, two-link");
}

TEST(Run, IsSilentIfAsked) {
  const ScratchFolder scratch;
  const std::string rest = " --quiet --set simulate.duration=0.2 --out " + scratch.path().string();
  for (const char* verb : {"run ", "check ", "compare "}) EXPECT_EQ(trammel(verb + four_bar + rest).out, "") << verb;
  EXPECT_EQ(trammel("torques " + examples + "02-parallel-tracking.yaml" + rest).out, "");
}

TEST(Run, PutsResultsUnderTheNameOfTheFile) {
  const ScratchFolder scratch;
  const Outcome outcome =
      shell("cd " + scratch.path().string() + " && $trammel run --quiet " + four_bar + " --set simulate.duration=0.1");
  EXPECT_EQ(outcome.exit_code, 0);
  expect_whole_results(scratch.path() / "results" / "03-four-bar");
}

TEST(Run, EndsCleanlyAtCtrlCWithWhatWasComputed) {
  const ScratchFolder scratch;
  const Outcome outcome =
      interrupted("INT", "run " + four_bar + " --set simulate.duration=100000 --set record.every=1 --out " +
                             scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_NE(outcome.out.find("the run ended early, stopped"), std::string::npos) << outcome.out;
  expect_whole_results(scratch.path());
  EXPECT_GT(line_count(content(scratch.path() / "recording.csv")), 3);
}

TEST(Run, KeepsItsResultsWhenNobodyReadsTheSummary) {
  const ScratchFolder scratch;
  const Outcome outcome = shell("bash -o pipefail -c '" TRAMMEL_BINARY " run " + four_bar +
                                " --set simulate.duration=0.5 --out " + scratch.path().string() + " | head -n 1'");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "Four-bar, 0.5 s\n");
  expect_whole_results(scratch.path());
}

// A disk that is full in the middle of the recording: as the limit on the size of files that a shell can set.
TEST(Run, LeavesNoHalfFileOnAFullDisk) {
  const ScratchFolder scratch;
  const std::string rest = " --quiet --out " + scratch.path().string();
  ASSERT_EQ(trammel("run " + four_bar + " --set simulate.duration=0.1" + rest).exit_code, 0);
  const std::string before = content(scratch.path() / "recording.csv");
  const Outcome outcome = shell("bash -c 'ulimit -f 16; " TRAMMEL_BINARY " run " + four_bar + rest + " 2>&1'");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.out.find("recording.csv: cannot write: File too large"), std::string::npos) << outcome.out;
  EXPECT_EQ(content(scratch.path() / "recording.csv"), before);
  expect_whole_results(scratch.path());
}

TEST(Run, TellsBeforeItRunsWhereResultsCannotGo) {
  expect_refused("run " + four_bar + " --out /dev/null/here",
                 "/dev/null/here: found a folder that cannot be written to (Not a directory)");
}

TEST(Run, SaysWhenItsOutputCannotBeWritten) {
  const ScratchFolder scratch;
  const Outcome outcome = shell("$trammel run --json " + four_bar + " --set simulate.duration=0.1 --out " +
                                scratch.path().string() + " 2>&1 >/dev/full");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "trammel: standard output cannot be written\n");
}

TEST(Run, OverridesKeysOfTheFile) {
  const ScratchFolder scratch;
  const Outcome outcome = trammel("run " + four_bar + " --set simulate.durration=5 --out " + scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("--set 'simulate.durration=5': found key 'durration' in simulate"), std::string::npos)
      << outcome.out;
}

TEST(Run, ShowsTheSpotOfAMistake) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("bad.yaml", "gravty: [0, 0, 0]\n");
  const Outcome outcome = trammel("run " + file);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("bad.yaml:1:1: found key 'gravty'"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n  gravty: [0, 0, 0]\n  ^\n"), std::string::npos) << outcome.out;
}

TEST(Run, NeedsToKnowForHowLong) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("free.yaml", "robot: " TRAMMEL_SOURCE_DIR "/robots/two-link.urdf\n");
  expect_refused("run " + file, "found nothing that says how long to simulate; allowed: simulate: {duration: 10 s}");
  expect_refused("check " + file, "a run would fail here: nothing says how long to simulate");
  EXPECT_EQ(trammel("check " + file + " --set simulate.duration=1").exit_code, 0);
}

TEST(Check, RefusesALoopThatCannotClose) {
  const Outcome outcome = trammel("check " + four_bar + " --set 'frames.ground pin.at.xyz=[9, 0, 0]'");
  EXPECT_EQ(outcome.exit_code, 1);
  for (const char* text : {"'loop' is out of reach by", "a run would fail here"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
  expect_refused("run " + four_bar + " --set 'frames.ground pin.at.xyz=[9, 0, 0]'", "'loop' is out of reach by");
}

TEST(Check, NamesRowsThatFollowFromOthersAndJointsBeyondTheirLimits) {
  const Outcome outcome = trammel("check " + four_bar + " --set 'joints.a.limits=[0, 10 deg]'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  for (const char* text : {"loop[2] always holds by itself", "joint 'a' stands at 1.047, beyond its limits 0 … 0.1745"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
}

TEST(Torques, OfLedJointsAreThoseOfInverseDynamics) {
  const ScratchFolder scratch;
  const Outcome outcome =
      trammel("torques " + examples + "04-serial-inverse.yaml --json --out " + scratch.path().string());
  const json torques = json::parse(outcome.out);
  EXPECT_EQ(torques["motors"][1]["name"], "alpha2");
  EXPECT_TRUE(content(scratch.path() / "torques.csv").starts_with("t,u.gamma1,u.alpha2,u.alpha3\n"));
  EXPECT_TRUE(content(scratch.path() / "torques.svg").starts_with("<svg"));
}

TEST(Torques, ThatMotorsCannotGiveAreNamed) {
  const ScratchFolder scratch;
  const Outcome outcome =
      trammel("torques " + examples + "02-parallel-tracking.yaml --set actuators.0.limit=0.001 " +
              "--set actuators.1.limit=0.001 --set actuators.2.limit=0.0001 --out " + scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.out.find("the motors do not give this motion: t = "), std::string::npos) << outcome.out;
}

TEST(Help, HasAnExampleForEveryVerb) {
  for (const char* verb : {"run", "sweep", "check", "torques", "compare", "reproduce", "view", "info"}) {
    const Outcome outcome = trammel(std::string(verb) + " --help");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("\nExample:\n  trammel " + std::string(verb)), std::string::npos) << outcome.out;
  }
}

// Of the verb, or of the program.
std::vector<std::string> options_of(const std::string& verb) {
  std::vector<std::string> out;
  std::istringstream words(trammel(verb + " --help").out);
  for (std::string word; words >> word;)
    if (const std::size_t at = word.find("--"); at != std::string::npos && (at == 0 || word[at - 1] == ','))
      if (word.size() > at + 2) out.push_back(word.substr(at));
  return out;
}

TEST(Help, IsInTheManPageToo) {
  std::string page = content(TRAMMEL_SOURCE_DIR "/docs/trammel.1");
  std::erase(page, '\\');
  for (const char* verb : {"", "run", "sweep", "check", "torques", "compare", "reproduce", "view", "info"}) {
    EXPECT_NE(page.find(verb), std::string::npos);
    const std::vector<std::string> options = options_of(verb);
    EXPECT_FALSE(options.empty());
    for (const std::string& option : options) EXPECT_NE(page.find(option), std::string::npos) << verb << option;
  }
  EXPECT_EQ(shell("man -l --warnings " TRAMMEL_SOURCE_DIR "/docs/trammel.1 2>&1 >/dev/null || true").out.find(".1:"),
            std::string::npos);
}

TEST(Completion, OffersVerbsOptionsAndFiles) {
  const auto offered = [](const std::string& line, int word) {
    return shell("bash -c 'cd " TRAMMEL_SOURCE_DIR " && source cli/trammel.bash && COMP_WORDS=(" TRAMMEL_BINARY " " +
                 line + ") COMP_CWORD=" + std::to_string(word) + " && _trammel && echo ${COMPREPLY[@]}'")
        .out;
  };
  EXPECT_EQ(offered("ch", 1), "check\n");
  EXPECT_EQ(offered("run --q", 2), "--quiet\n");
  EXPECT_EQ(offered("run --figures p", 3), "pdf png\n");
  EXPECT_EQ(offered("run examples/03", 2), "examples/03-four-bar.yaml\n");
  EXPECT_EQ(offered("info robots/sc", 2), "robots/scara.urdf\n");
}

// No robot is a special case: the sources know none of them.
TEST(Sources, DoNotKnowTheShippedRobots) {
  for (const char* folder : {"trammel", "cli"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(TRAMMEL_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::string text = content(entry.path());
      std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
      for (const char* name : {"scara", "parallel.urdf", "two-link", "two_link", "gamma1", "alpha2", "qa1", "tip1"})
        EXPECT_EQ(text.find(name), std::string::npos) << entry.path() << " has " << name;
    }
}

// Robots that others wrote, unchanged, in scenarios of ten lines.
TEST(RobotsOfOthers, RunInShortScenarios) {
  const fs::path finger = fs::path(TRAMMEL_ROBOT_DATA) / "finger_edu_description/robots/finger_edu.urdf";
  const fs::path solo = fs::path(TRAMMEL_ROBOT_DATA) / "solo_description/robots/solo.urdf";
  for (const fs::path& file : {finger, solo})
    if (!fs::exists(file)) GTEST_SKIP() << file << " is not here";
  const ScratchFolder scratch;
  const std::string rest = " --json --out " + scratch.path().string();
  const auto scenario = [](const char* name) { return std::string(TRAMMEL_SOURCE_DIR "/tests/scenario/") + name; };
  const auto with = [&](const char* name, const fs::path& file) {
    return scenario(name) + " --set 'robot=" + file.string() + "'";
  };
  const std::string commands[] = {"run " + with("finger_edu.yaml", finger), "run " + with("solo.yaml", solo),
                                  "torques " + with("solo.yaml", solo)};
  for (const std::string& command : commands) {
    const Outcome outcome = trammel(command + rest);
    EXPECT_EQ(outcome.exit_code, 0) << command << '\n' << outcome.out;
    EXPECT_EQ(json::parse(outcome.out)["status"], "finished") << command;
  }
  for (const char* name : {"finger_edu.yaml", "solo.yaml"}) EXPECT_LE(line_count(content(scenario(name))), 10);
}

TEST(Examples, Run) {
  const ScratchFolder scratch;
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() != ".yaml") continue;
    const Outcome outcome = trammel("run --quiet " + entry.path().string() + " --out " + scratch.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << entry.path() << '\n' << outcome.out;
    EXPECT_EQ(outcome.out, "") << entry.path();
    ++count;
  }
  EXPECT_GE(count, 18);
}

}  // namespace
}  // namespace trammel::test
