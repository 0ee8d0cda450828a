#include "trammel/sweep/run_sweep.h"

#include <cstring>
#include <fstream>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/scratch_folder.h"
#include "trammel/report/csv.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string scenario_text = R"yaml(
constants: {length: 0.5, push: 1}
bodies: {bob: {mass: 1, com: [0, 0, -length], inertia: [1e-3, 1e-3, 1e-3]}}
joints: [{name: a, revolute: y, from: world, to: bob, limits: [-2, 2]}]
frames: {tip: {on: bob, at: {xyz: [0, 0, -length]}}}
forces: [{joint: a, torque: push*sin(t)}]
initial: {q: {a: 0.3}}
simulate: {duration: 0.2 s, tolerance: 1e-8}
record: {every: 20 ms, frames: [tip]}
)yaml";

const std::string sweep_text = R"yaml(
scenario: pendulum.yaml
vary:
  constants.length: {normal: [0.5, 0.05]}
  bodies.bob.mass: {lognormal: [1 kg, 0.1]}
  forces.0.torque: [push*sin(t), "push*cos(t)", 0]
  initial.q.a: {uniform: [10 deg, 30 deg]}
  simulate.drift: {choice: [projection, none]}
cases: 20
seed: 3
measure: {fastest: max(abs(v.a)), height: last(tip.z), both: fastest + height}
keep: {recordings: 3, by: fastest, columns: [q.a, tip.x]}
)yaml";

// A folder with a scenario and a sweep of it.
class Folder {
 public:
  explicit Folder(const std::string& text = sweep_text, const std::string& scenario = scenario_text) : text_(text) {
    std::ofstream(path() / "pendulum.yaml") << scenario;
  }
  fs::path path() const { return scratch_.path(); }
  Sweep sweep(const std::vector<std::string>& overrides = {}) const {
    return read_sweep_text(text_, "sweep.yaml", path(), overrides);
  }

 private:
  test::ScratchFolder scratch_;
  std::string text_;
};

std::string table_of(const fs::path& folder) { return test::content(folder / "table.csv"); }

// Every file of the folder and below, by name.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out[fs::relative(entry.path(), folder)] = test::content(entry.path());
  return out;
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(Sweep, CrossesGridsAndDrawsEachPointAnew) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  ASSERT_EQ(sweep.case_count(), 60);
  for (long i = 0; i < 60; ++i)
    EXPECT_EQ(sweep.values(i)[2], (std::vector<std::string>{"push*sin(t)", "push*cos(t)", "0"})[i % 3]);
  std::set<std::string> lengths;
  for (long i = 0; i < 60; ++i) lengths.insert(sweep.values(i)[0]);
  EXPECT_EQ(lengths.size(), 60u);
}

TEST(Sweep, GridsRunFastestInTheLastKeyAndHaveBothEnds) {
  const Folder folder(
      "scenario: pendulum.yaml\nvary:\n  constants.length: {from: 100 mm, to: 0.4, steps: 3, spacing: log}\n"
      "  constants.push: {from: 3, to: -1, steps: 5}\n");
  const Sweep sweep = folder.sweep();
  ASSERT_EQ(sweep.case_count(), 15);
  EXPECT_EQ(sweep.values(0), (std::vector<std::string>{"0.1", "3"}));
  EXPECT_EQ(sweep.values(1), (std::vector<std::string>{"0.1", "2"}));
  EXPECT_EQ(sweep.values(14), (std::vector<std::string>{"0.4", "-1"}));
  EXPECT_NEAR(std::stod(sweep.values(5)[0]), 0.2, 1e-16);
}

TEST(Sweep, GridsHaveTheNumbersThatTheirAuthorMeant) {
  const Folder folder("scenario: pendulum.yaml\nvary: {constants.length: {from: 0.2, to: 1, steps: 9}}\n");
  std::vector<std::string> lengths;
  for (long i = 0; i < 9; ++i) lengths.push_back(folder.sweep().values(i)[0]);
  EXPECT_EQ(lengths, (std::vector<std::string>{"0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}));
  const Folder across("scenario: pendulum.yaml\nvary: {constants.push: {from: -0.3, to: 0.3, steps: 7}}\n");
  std::vector<std::string> pushes;
  for (long i = 0; i < 7; ++i) pushes.push_back(across.sweep().values(i)[0]);
  EXPECT_EQ(pushes, (std::vector<std::string>{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"}));
  // a third is no decimal number
  const Folder third("scenario: pendulum.yaml\nvary: {constants.push: {from: 0, to: 1, steps: 4}}\n");
  EXPECT_EQ(third.sweep().values(1)[0], "0.3333333333333333");
}

TEST(Sweep, RefusesOverridesOfWhatVaries) {
  const Folder folder;
  const auto message = [&](const std::string& item) { return message_of([&] { (void)folder.sweep({item}); }); };
  const std::string ending = ", which the sweep varies; allowed: keys that do not vary";
  EXPECT_EQ(message("constants.length=0.4"), "--set 'constants.length=0.4': found 'constants.length'" + ending);
  EXPECT_EQ(message("forces.0.torque=3"), "--set 'forces.0.torque=3': found 'forces.0.torque'" + ending);
  EXPECT_EQ(message("constants.push=3"), "");
}

TEST(Sweep, ADrawnKeyDoesNotDependOnOtherKeys) {
  const std::string head = "scenario: pendulum.yaml\ncases: 5\nvary:\n  constants.length: {normal: [0.5, 0.05]}\n";
  const Folder one(head), two(head + "  constants.push: {uniform: [1, 2]}\n");
  for (long i = 0; i < 5; ++i) EXPECT_EQ(one.sweep().values(i)[0], two.sweep().values(i)[0]);
}

// The same to the bit: by the text with its overrides, by the parsed tree, by the numbers alone.
TEST(Sweep, ACaseIsWhatTheScenarioIsWithItsOverrides) {
  const Folder folder;
  const Sweep sweep = folder.sweep({"simulate.duration=0.1"});
  for (const long i : {0L, 7L, 59L}) {
    const Scenario of_case = sweep.scenario(i),
                   read = read_scenario(folder.path() / "pendulum.yaml", sweep.overrides(i));
    const auto run = [](const Scenario& s) { return simulate(s.problem(), s.start, s.simulate).recording; };
    EXPECT_TRUE(run(of_case) == run(read)) << i;
  }
  const Folder numbers(
      "scenario: pendulum.yaml\ncases: 9\nvary: {constants.length: {normal: [0.5, 0.05]}, bodies.bob.mass: {uniform: "
      "[1, 2]}}");
  const Sweep of_numbers = numbers.sweep();
  const Scenario nominal = read_scenario(numbers.path() / "pendulum.yaml");
  for (long i = 0; i < 9; ++i) {
    const std::vector<std::string> values = of_numbers.values(i);
    const Scenario changed =
        nominal.with({{"constants.length", std::stod(values[0])}, {"bodies.bob.mass", std::stod(values[1])}});
    const Scenario of_case = of_numbers.scenario(i);
    const auto csv = [](const Scenario& s) { return to_csv(simulate(s.problem(), s.start, s.simulate).recording); };
    EXPECT_EQ(csv(of_case), csv(changed)) << i;
  }
}

TEST(Sweep, ReachesNumbersOfARobotsFile) {
  const Folder folder(
      "scenario: arm.yaml\nvary: {bodies.link1.mass: [1, 2], joints.q1.damping: [0, 0.5]}\nmeasure: {e: last(q.q1)}");
  std::ofstream(folder.path() / "arm.yaml")
      << "robot: " << TRAMMEL_SOURCE_DIR << "/robots/two-link.urdf\nsimulate: {duration: 0.1}\n";
  const Sweep sweep = folder.sweep();
  const Scenario changed =
      read_scenario(folder.path() / "arm.yaml").with({{"bodies.link1.mass", 2}, {"joints.q1.damping", 0.5}});
  const auto csv = [](const Scenario& s) { return to_csv(simulate(s.problem(), s.start, s.simulate).recording); };
  EXPECT_EQ(csv(sweep.scenario(3)), csv(changed));
  EXPECT_EQ(csv(read_scenario(folder.path() / "arm.yaml", sweep.overrides(3))), csv(changed));
  EXPECT_NE(csv(sweep.scenario(3)), csv(sweep.scenario(2)));
  // and of what has been overridden, other numbers can be changed
  EXPECT_EQ(csv(sweep.scenario(1).with({{"bodies.link1.mass", 2}})), csv(changed));
}

TEST(Table, IsTheSameWhateverTheThreadsThePiecesAndTheirOrder) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  const fs::path one = folder.path() / "one", two = folder.path() / "two", pieces = folder.path() / "pieces",
                 workers = folder.path() / "workers";
  EXPECT_TRUE(run_sweep(sweep, one, {.threads = 1}).is_complete());
  EXPECT_TRUE(run_sweep(sweep, two, {.threads = 2}).is_complete());
  for (const auto& [begin, end] : {std::pair{40L, 60L}, {0L, 13L}, {5L, 41L}})
    run_sweep(sweep, pieces, {.threads = 2, .begin = begin, .end = end, .resume = true});
  open_sweep(sweep, workers, false);
  for (long i = 58; i >= 0; i -= 2)
    EXPECT_FALSE(run_cases(sweep, workers, i, std::min(i + 3, 60L)).empty());  // some twice
  EXPECT_TRUE(missing_cases(sweep, workers).empty());
  finish_sweep(sweep, workers);

  const std::map<std::string, std::string> files = files_of(one);
  EXPECT_EQ(files.size(), 7u);  // table, index, kept.npy, bands, three recordings
  for (const fs::path& other : {two, pieces, workers}) EXPECT_EQ(files_of(other), files) << other;
  std::string rows = header_of(sweep) + "\n";
  for (long i = 0; i < 60; ++i) rows += row_of(sweep, run_case(sweep, i)) + "\n";
  EXPECT_EQ(rows, table_of(one));
}

TEST(Table, GoesOnWhereItWasStopped) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  run_sweep(sweep, folder.path() / "whole", {.threads = 2});
  std::atomic<bool> stop = false;
  const fs::path out = folder.path() / "stopped";
  for (int times = 0; times < 3; ++times) {
    stop = false;
    const SweepOutcome outcome = run_sweep(
        sweep, out,
        {.threads = 2, .resume = times > 0, .stop = &stop, .progress = [&](long done, long) { stop = done >= 10; }});
    EXPECT_FALSE(outcome.is_complete());
    EXPECT_GE(outcome.done, 10 * (times + 1));
    EXPECT_EQ(json::parse(test::content(out / "sweep.json"))["complete"], false);
    EXPECT_TRUE(table_of(folder.path() / "whole").starts_with(table_of(out).substr(0, table_of(out).find("\n") + 1)));
  }
  EXPECT_TRUE(run_sweep(sweep, out, {.resume = true}).is_complete());
  EXPECT_EQ(files_of(out), files_of(folder.path() / "whole"));
  EXPECT_EQ(run_sweep(sweep, out, {.resume = true}).done, 60);  // nothing is left to do
}

TEST(Table, RunsAgainWhatAPartHasLost) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  run_sweep(sweep, folder.path() / "whole");
  const fs::path out = folder.path() / "torn";
  run_sweep(sweep, out, {.end = 30});
  for (const fs::directory_entry& entry : fs::directory_iterator(out / "parts"))
    if (entry.path().extension() == ".csv") {
      fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
      break;
    }
  run_sweep(sweep, out, {.resume = true});
  EXPECT_EQ(files_of(out), files_of(folder.path() / "whole"));
}

TEST(SweepFolder, IsRefusedWhereItHoldsAnotherSweep) {
  const Folder folder, reseeded(sweep_text + "name: other\n");
  const fs::path out = folder.path() / "out";
  const std::string where = out.string() + ": found ";
  run_sweep(folder.sweep(), out, {.end = 5});
  EXPECT_EQ(message_of([&] { run_sweep(folder.sweep(), out); }),
            where + "a sweep in it that is not finished; allowed: --resume, to go on with it, or another folder");
  EXPECT_EQ(message_of([&] { run_sweep(reseeded.sweep(), out, {.resume = true}); }),
            where +
                "the folder of a sweep of another sweep file, or of this one before it was changed; allowed: the "
                "folder of the same "
                "sweep, or another one");
  EXPECT_EQ(
      message_of([&] { run_sweep(folder.sweep({"simulate.duration=0.1"}), out, {.resume = true}); }),
      where + "the folder of a sweep made with other --set; allowed: the folder of the same sweep, or another one");
  EXPECT_EQ(message_of([&] { run_cases(reseeded.sweep(), out, 0, 1); }).substr(0, where.size() + 21),
            where + "the folder of a sweep");
  std::ofstream(folder.path() / "pendulum.yaml", std::ios::app) << "# another\n";
  EXPECT_EQ(message_of([&] { run_sweep(folder.sweep(), out, {.resume = true}); }),
            where +
                "the folder of a sweep of another scenario, or of this one before it was changed; allowed: the folder "
                "of the same "
                "sweep, or another one");
}

TEST(SweepFolder, KnowsTheFilesOfItsRobots) {
  const Folder folder("scenario: arm.yaml\nvary: {bodies.link1.mass: [1, 2]}\n");
  std::ofstream(folder.path() / "arm.yaml") << "robot: arm.urdf\nsimulate: {duration: 0.1}\n";
  const std::string urdf = test::content(TRAMMEL_SOURCE_DIR "/robots/two-link.urdf");
  std::ofstream(folder.path() / "arm.urdf") << urdf;
  run_sweep(folder.sweep(), folder.path() / "out", {.end = 1});
  std::ofstream(folder.path() / "arm.urdf") << urdf << "<!-- changed -->";
  EXPECT_NE(message_of([&] {
              run_sweep(folder.sweep(), folder.path() / "out", {.resume = true});
            }).find("found the folder of a sweep of a robot whose file has changed"),
            std::string::npos);
}

TEST(SweepFolder, IsReplacedWhenItsSweepIsFinished) {
  const Folder folder, other("scenario: pendulum.yaml\nvary: {constants.length: [0.4, 0.5]}\n");
  const fs::path out = folder.path() / "out";
  run_sweep(folder.sweep(), out);
  run_sweep(other.sweep(), out);
  EXPECT_EQ(files_of(out).size(), 2u);  // table and index
}

TEST(Documentation, ShowsASweepThatCanBeRead) {
  const std::string docs = test::content(TRAMMEL_SOURCE_DIR "/docs/sweeps.md");
  const std::size_t begin = docs.find("```yaml\n") + 8;
  const Sweep sweep = read_sweep_text(docs.substr(begin, docs.find("```", begin) - begin), "sweeps.md",
                                      TRAMMEL_SOURCE_DIR "/examples/sweeps");
  EXPECT_EQ(sweep.case_count(), 220);
  const CaseResult result = run_case(sweep, 100);
  EXPECT_EQ(result.status, "finished") << result.reason;
  EXPECT_GT(result.measures[0], 0);
}

TEST(SweepFolder, KeepsRecordingsOfTheHighest) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  const fs::path out = folder.path() / "out";
  run_sweep(sweep, out);
  std::vector<std::pair<double, long>> all;
  for (long i = 0; i < 60; ++i) all.emplace_back(-run_case(sweep, i).measures[0], i);
  std::ranges::sort(all);
  const json kept = json::parse(test::content(out / "sweep.json"))["kept"]["recordings"];
  ASSERT_EQ(kept.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(kept[k]["case"], all[k].second);
    EXPECT_EQ(kept[k]["value"], -all[k].first);
    const Scenario of_case = sweep.scenario(all[k].second);
    EXPECT_EQ(test::content(out / kept[k]["file"].get<std::string>()),
              to_csv(simulate(of_case.problem(), of_case.start, of_case.simulate).recording));
  }
}

TEST(SweepFolder, KeepsColumnsOfAllCasesAndTheirBands) {
  const Folder folder;
  const Sweep sweep = folder.sweep();
  const fs::path out = folder.path() / "out";
  run_sweep(sweep, out);
  const std::string npy = test::content(out / "kept.npy");
  const std::size_t header = 10 + static_cast<unsigned char>(npy[8]) + 256 * static_cast<unsigned char>(npy[9]);
  EXPECT_EQ(header % 64, 0u);
  EXPECT_NE(npy.find("'shape': (60, 2, 11)"), std::string::npos);
  std::vector<double> values((npy.size() - header) / sizeof(double));
  std::memcpy(values.data(), npy.data() + header, npy.size() - header);
  ASSERT_EQ(values.size(), 60u * 2 * 11);
  std::vector<double> at_the_end;
  for (long i = 0; i < 60; ++i) {
    const Scenario of_case = sweep.scenario(i);
    const Recording recording = simulate(of_case.problem(), of_case.start, of_case.simulate).recording;
    for (int k = 0; k < 11; ++k) {
      EXPECT_EQ(values[(i * 2 + 0) * 11 + k], recording(k, "q.a"));
      EXPECT_EQ(values[(i * 2 + 1) * 11 + k], recording(k, "tip.x"));
    }
    at_the_end.push_back(recording(10, "tip.x"));
  }
  std::ranges::sort(at_the_end);
  const std::string bands = test::content(out / "bands.csv"),
                    last = bands.substr(bands.rfind("\n", bands.size() - 2) + 1);
  EXPECT_TRUE(last.starts_with(
      fmt::format("tip.x,0.2,60,{},{},", at_the_end[0], at_the_end[2] + 0.95 * (at_the_end[3] - at_the_end[2]))))
      << last;
}

std::pair<std::string, std::string> ended(const std::string& vary, const std::string& more = "", long i = 0) {
  const Folder folder("scenario: pendulum.yaml\nvary: {" + vary + "}\nmeasure: {m: max(abs(q.a))}\n" + more);
  const CaseResult result = run_case(folder.sweep(), i);
  EXPECT_EQ(std::isnan(result.measures[0]), result.status != "finished" && result.status != "at a joint's limit")
      << result.status;
  return {result.status, result.reason};
}

TEST(FailingCases, AreRowsWithTheirReasons) {
  EXPECT_EQ(ended("constants.push: [1]"), (std::pair<std::string, std::string>("finished", "")));
  EXPECT_EQ(ended("constants.push: [1000]", "").first, "finished");
  EXPECT_EQ(ended("simulate.limits: [stop], constants.push: [1000], simulate.duration: [3]").first,
            "at a joint's limit");
  const auto unreachable = ended("constraints: [[{name: far, point: tip, x: 7}]]");
  EXPECT_EQ(unreachable.first, "not assembled");
  EXPECT_NE(unreachable.second.find("'far'"), std::string::npos) << unreachable.second;
  const auto refused = ended("bodies.bob.mass: [1, -1]", "", 1);
  EXPECT_EQ(refused.first, "refused");
  EXPECT_TRUE(refused.second.starts_with("found '-")) << refused.second;
  const auto late = ended("simulate.duration: [1e9]", "time_limit: 20 ms");
  EXPECT_EQ(late, (std::pair<std::string, std::string>("time limit", "not at its end after 0.02 s")));
  EXPECT_EQ(ended("forces.0.torque: ['log(0.1 - t)']").first, "not a number");
}

TEST(FailingCases, AreGroupedByReason) {
  const Folder folder(
      "scenario: pendulum.yaml\nvary: {constants.length: {from: 0.4, to: 0.5, steps: 20}, constraints: [[], [{name: "
      "far, point: tip, x: 7}]]}\n");
  const fs::path out = folder.path() / "out";
  const SweepOutcome outcome = run_sweep(folder.sweep(), out);
  EXPECT_EQ(outcome.counts, (std::map<std::string, long>{{"finished", 20}, {"not assembled", 20}}));
  const json index = json::parse(test::content(out / "sweep.json"));
  ASSERT_EQ(index["failures"].size(), 1u);
  EXPECT_EQ(index["failures"][0]["count"], 20);
  EXPECT_EQ(index["failures"][0]["cases"][0], 1);
}

}  // namespace
}  // namespace trammel
