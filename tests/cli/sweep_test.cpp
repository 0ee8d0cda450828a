#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "command.h"

namespace trammel::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string five_bars = TRAMMEL_SOURCE_DIR "/examples/sweeps/five-bars.yaml";

// A sweep that is cheap: a pendulum whose cases take about 5 ms.
class SweepFolder : public ::testing::Test {
 protected:
  SweepFolder() {
    scratch.write("pendulum.yaml",
                  "bodies: {bob: {mass: 1, com: [0, 0, -0.5], inertia: [1e-3, 1e-3, 1e-3]}}\n"
                  "joints: [{name: a, revolute: y, from: world, to: bob}]\n"
                  "simulate: {duration: 1 s, integrator: rk4, step: 1 ms}\n");
    sweep("cases: 60\ntime_limit: 30 s\n");
  }
  void sweep(const std::string& more) const {
    scratch.write(
        "sweep.yaml",
        "scenario: pendulum.yaml\nvary: {initial.q.a: {uniform: [0, 3]}, initial.v.a: {normal: [0, 1]}}\nseed: 4\n"
        "measure: {fastest: max(abs(v.a)), period: argmin(q.a)}\n" +
            more);
  }
  std::string out(const std::string& name) const { return (scratch.path() / name).string(); }
  std::string command(const std::string& rest) const { return "sweep " + out("sweep.yaml") + " --quiet " + rest; }
  std::string table(const std::string& name) const { return content(scratch.path() / name / "table.csv"); }

  ScratchFolder scratch;
};

TEST_F(SweepFolder, IsTheSameWithOneThreadTwoThreadsAndCaseByCase) {
  EXPECT_EQ(trammel(command("--threads 1 --out " + out("one"))).exit_code, 0);
  EXPECT_EQ(trammel(command("--threads 2 --out " + out("two"))).exit_code, 0);
  EXPECT_EQ(table("one"), table("two"));
  EXPECT_EQ(content(scratch.path() / "one/sweep.json"), content(scratch.path() / "two/sweep.json"));
  for (const char* cases : {"40..59", "0..9", "5..40"})
    EXPECT_EQ(trammel(command("--resume --cases " + std::string(cases) + " --out " + out("pieces"))).exit_code, 0);
  EXPECT_EQ(table("one"), table("pieces"));
  const std::string row = trammel(command("--case 17")).out;
  EXPECT_NE(table("one").find(row.substr(row.find('\n') + 1)), std::string::npos) << row;
}

TEST_F(SweepFolder, IsTheSameThoughItsProgramIsKilledThreeTimes) {
  EXPECT_EQ(trammel(command("--out " + out("whole"))).exit_code, 0);
  for (const std::string endless : {"20", "40", "59"}) {
    // killed in a case that does not end
    shell("TRAMMEL_SWEEP_ENDLESS=" + endless + " $trammel " + command("--resume --threads 1 --out " + out("killed")) +
          " >/dev/null 2>&1 & for i in $(seq 600); do grep -qs '^ *" + endless + "$' " + out("killed") +
          "/parts/running-* && break; sleep 0.05; done; kill -9 $!; wait $! 2>/dev/null");
    EXPECT_TRUE(fs::exists(scratch.path() / "killed/parts/000000000-000000001.csv"));
    EXPECT_FALSE(fs::exists(scratch.path() / "killed/sweep.json"));
  }
  EXPECT_EQ(trammel(command("--resume --out " + out("killed"))).exit_code, 0);
  EXPECT_EQ(table("whole"), table("killed"));
  EXPECT_FALSE(fs::exists(scratch.path() / "killed/parts"));
}

TEST_F(SweepFolder, ACaseThatCrashesIsARowAndTheRestIsWhole) {
  EXPECT_EQ(trammel(command("--out " + out("whole"))).exit_code, 0);
  const Outcome outcome = shell("TRAMMEL_SWEEP_CRASH=7 $trammel " + command("--out " + out("crashed")) + " 2>&1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("a case has ended its process by SIGABRT"), std::string::npos) << outcome.out;
  std::istringstream whole(table("whole")), crashed(table("crashed"));
  int crashes = 0;
  for (std::string a, b; std::getline(whole, a) && std::getline(crashed, b);) {
    if (a == b) continue;
    ++crashes;
    EXPECT_TRUE(b.starts_with("7,")) << b;
    EXPECT_TRUE(b.ends_with(",crashed,\"the process that ran it was ended by SIGABRT\",,")) << b;
  }
  EXPECT_EQ(crashes, 1);
  EXPECT_EQ(json::parse(content(scratch.path() / "crashed/sweep.json"))["counts"]["crashed"], 1);
}

TEST_F(SweepFolder, ACaseThatNeverEndsMeetsItsTimeLimit) {
  sweep("cases: 12\ntime_limit: 300 ms\n");
  const Outcome outcome = shell("TRAMMEL_SWEEP_ENDLESS=7 $trammel " + command("--out " + out("endless")) + " 2>&1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_NE(table("endless").find(",\"time limit\",\"not at its end after 0.3 s\",,\n8,"), std::string::npos)
      << table("endless");
}

TEST_F(SweepFolder, IsKeptWhenItIsInterrupted) {
  EXPECT_EQ(trammel(command("--out " + out("whole"))).exit_code, 0);
  for (const char* signal : {"INT", "TERM"}) {
    setenv("TRAMMEL_SWEEP_ENDLESS", "50", 1);
    const Outcome outcome =
        interrupted(signal, "sweep " + out("sweep.yaml") + " --threads 1 --resume --out " + out("stopped"));
    unsetenv("TRAMMEL_SWEEP_ENDLESS");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_NE(outcome.out.find("the same command with --resume goes on"), std::string::npos) << outcome.out;
    EXPECT_EQ(json::parse(content(scratch.path() / "stopped/sweep.json"))["complete"], false);
  }
  EXPECT_EQ(trammel(command("--resume --out " + out("stopped"))).exit_code, 0);
  EXPECT_EQ(table("whole"), table("stopped"));
}

TEST_F(SweepFolder, TellsAFullDiskAndGoesOnWhenThereIsRoom) {
  EXPECT_EQ(trammel(command("--out " + out("whole"))).exit_code, 0);
  const Outcome outcome = shell("ulimit -f 1; $trammel " + command("--out " + out("full")) + " 2>&1");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_NE(outcome.out.find("cannot write: File too large; what was computed is kept for --resume"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1) << outcome.out;
  EXPECT_EQ(trammel(command("--resume --out " + out("full"))).exit_code, 0);
  EXPECT_EQ(table("whole"), table("full"));
  expect_refused(command("--out /proc/none"), "/proc/none: found a folder that cannot be written to");
}

TEST_F(SweepFolder, GivesTheOrdinaryRunOfACaseAndTheCommandThatReproducesIt) {
  EXPECT_EQ(trammel(command("--out " + out("all"))).exit_code, 0);
  EXPECT_EQ(trammel(command("--case 17 --run --out " + out("one"))).exit_code, 0);
  EXPECT_TRUE(fs::exists(scratch.path() / "one/summary.json"));
  std::string reproduce = trammel("sweep " + out("sweep.yaml") + " --case 17").out;
  reproduce = reproduce.substr(0, reproduce.find('\n'));
  ASSERT_TRUE(reproduce.starts_with("trammel run ")) << reproduce;
  EXPECT_EQ(shell("$" + reproduce + " --quiet --out " + out("again")).exit_code, 0);
  EXPECT_EQ(content(scratch.path() / "one/recording.csv"), content(scratch.path() / "again/recording.csv"));
}

TEST_F(SweepFolder, RefusesOptionsThatMakeNoSense) {
  expect_refused(command("--cases 10"), "--cases '10'; allowed: the first and the last, as in --cases 10..20");
  expect_refused(command("--cases 10..5"), "allowed: a last case that is not before the first");
  expect_refused(command("--cases 90..95"), "found --cases 90..95; allowed: cases from 0 to 59");
  expect_refused(command("--cases 0..60"), "found --cases 0..60; allowed: cases from 0 to 59");
  expect_refused(command("--cases 3.."), "found --cases '3..'; allowed: both ends, as in --cases 10..20");
  expect_refused(command("--set initial.q.a=1"),
                 "--set 'initial.q.a=1': found 'initial.q.a', which the sweep varies; allowed: keys that do not vary");
  expect_refused("sweep " + out("pendulum.yaml"), "pendulum.yaml:1:1: found a scenario; allowed: a sweep, which names");
  expect_refused("run " + out("sweep.yaml"),
                 "sweep.yaml:1:1: found a sweep of a scenario; allowed: a scenario; for sweeps: trammel sweep");
  expect_refused("sweep " + out("none.yaml"), "none.yaml: found no such file; allowed: the name of a sweep file");
  expect_refused(command("--case 60"), "found --case 60; allowed: a case from 0 to 59");
  expect_refused(command("--threads two"), "--threads 'two'; allowed: a number, 0 or above");
  expect_refused(command("--run"), "found --run without a case; allowed: --case 17 --run");
  expect_refused("sweep " + out("none.yaml"), "found no such file");
}

TEST(FiveBars, AreThoseOfTheDocumentation) {
  const ScratchFolder scratch;
  const Outcome outcome = trammel("sweep " + five_bars + " --cases 0..39 --out " + scratch.path().string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_TRUE(outcome.out.starts_with("Five-bars, peak torque against workspace, 5000 cases\n")) << outcome.out;
  const std::string table = content(scratch.path() / "table.csv");
  EXPECT_EQ(std::ranges::count(table, '\n'), 41);
  const json index = json::parse(content(scratch.path() / "sweep.json"));
  EXPECT_EQ(index["rows"], 40);
  EXPECT_EQ(index["complete"], false);
  EXPECT_GE(index["counts"]["finished"], 30);
}

}  // namespace
}  // namespace trammel::test
