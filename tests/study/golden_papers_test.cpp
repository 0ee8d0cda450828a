#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/scratch_folder.h"
#include "support/worst.h"
#include "trammel/scenario/scenario.h"

// The papers' robots by other means (tests/golden/README.md): perturbed robots by SymPy and SciPy, and the robots as they are by
// Pinocchio. Everything goes through scenarios, as a user would write them.

namespace trammel {
namespace {

using nlohmann::json;

json golden(const char* name) {
  std::ifstream stream(std::string(TRAMMEL_SOURCE_DIR) + "/tests/golden/" + name);
  return json::parse(stream);
}

std::string numbers(const json& list) {
  std::string out;
  for (const json& x : list) out += fmt::format("{}{:.17g}", out.empty() ? "" : ", ", x.get<double>());
  return "[" + out + "]";
}

// {qa1: 1.3, qb1: −2.1, …}
std::string by_name(const json& names, const json& values) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{}: {:.17g}", out.empty() ? "" : ", ", names[i].get<std::string>(), values[i].get<double>());
  return "{" + out + "}";
}

const std::string helix =
    "constraints:\n"
    "  - {name: tool path, point: tool, x: 0.05*sin(0.4*pi*t), y: 0.35 + 0.05*cos(0.4*pi*t), z: 0.02*t}\n"
    "  - {name: heading, equation: q1 + q2 + q3 = 0}\n";
const std::string line = "constraints: [{name: line, point: tip, x: 1, y: 0.5 - 0.5*cos(pi*t)}]\n";

std::string loops(const json& bases) {
  std::string out = "constraints:\n  - {name: tips, coincide: [tip1, tip2, tip3], axes: xy}\n";
  for (int i = 0; i < 3; ++i)
    out += fmt::format("  - {{name: base {}, point: root{}, x: {:.17g}, y: {:.17g}}}\n", i + 1, i + 1,
                       bases[i][0].get<double>(), bases[i][1].get<double>());
  return out;
}

// Joints led along Δ cycloid(t/T).
std::string led(const json& run) {
  const json& delta = run["delta"];
  std::string out;
  const char* const names[] = {"gamma1", "alpha2", "alpha3"};
  for (int i = 0; i < 3; ++i)
    out += fmt::format("{}{}: {:.17g}*cycloid(t/{:.17g})", i == 0 ? "" : ", ", names[i], delta[i].get<double>(),
                       run["T"].get<double>());
  return "motion: {" + out + "}\n";
}

std::string held_and_bumped(const json& run) {
  std::string out = "forces:\n";
  const char* const names[] = {"gamma1", "alpha2", "alpha3"};
  for (int i = 0; i < 3; ++i)
    out += fmt::format("  - {{joint: {}, torque: {:.17g} + {:.17g}*(cycloid(t) - cycloid(t - 1))}}\n", names[i],
                       run["static"][i].get<double>(), run["bump"][i].get<double>());
  return out;
}

// What holds, acts or leads in a run of a case.
std::string law_of(const json& robot, const json& run) {
  const std::string name = robot.at("robot"), what = run.at("run");
  if (name == "scara") return helix;
  if (name == "two-link") return line;
  if (name == "serial") return what == "forward" ? held_and_bumped(run) : led(run);
  const std::string closed = loops(robot.at("bases"));
  if (what == "modelling") return closed + "forces: [{joint: qa1, torque: 0.1*cos(pi*t)}]\n";
  return closed + "control: [{name: stroke, point: tip1, x: start - 0.01 + 0.01*cos(t), y: start}]\n";
}

// The largest difference of a recorded kind (q, v, vdot, Qc) from the states of a run.
double apart(const Recording& recording, const json& coordinates, const json& states, const std::string& kind,
             const std::string& key) {
  double worst = 0;
  for (const json& state : states) {
    if (!state.contains(key)) continue;
    const double t = state["t"];
    int row = 0;
    while (row + 1 < recording.rows() && recording(row, "t") < t - 1e-9) ++row;
    EXPECT_NEAR(recording(row, "t"), t, 1e-9);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string column = kind + "." + coordinates[i].get<std::string>();
      worst = std::max(worst, std::abs(recording(row, column) - state[key][i].get<double>()));
    }
  }
  return worst;
}

Recording run_of(const std::string& text, const test::ScratchFolder& folder) {
  const Scenario scenario = read_scenario_text(text, "golden.yaml", folder.path());
  Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what << '\n' << text;
  return std::move(run.recording);
}

std::string scenario_of(const json& robot, const json& run) {
  const bool inverse = run.contains("T");
  std::string drift = "none";
  if (run.contains("alpha"))
    drift =
        fmt::format("{{baumgarte: {{alpha: {}, beta: {}}}}}", run["alpha"].get<double>(), run["beta"].get<double>());
  const json& first = run["states"][0];
  const std::string start =
      inverse ? ""
              : fmt::format("initial: {{q: {}, v: {}, assemble: false}}\n", by_name(robot["coordinates"], first["q"]),
                            by_name(robot["coordinates"], first["v"]));
  const double duration = inverse ? run["T"].get<double>() : 2, every = inverse ? duration / 20 : 0.5;
  return fmt::format("robot: robot.urdf\ngravity: {}\n{}{}", numbers(robot["gravity"]), law_of(robot, run), start) +
         fmt::format(
             "simulate: {{duration: {}, integrator: dop8, tolerance: 1e-13, drift: {}}}\nrecord: {{every: {}}}\n",
             duration, inverse ? "projection" : drift, every);
}

TEST(PerturbedRobots, MoveAsAnIndependentModelSays) {
  test::Worst worst_q("q of perturbed robots, rad or m"), worst_force("Qc or torques of perturbed robots, N·m or N");
  const json all = golden("perturbed_papers.json");
  ASSERT_EQ(all["cases"].size(), 12u);
  for (const json& robot : all["cases"]) {
    const test::ScratchFolder folder;
    folder.write("robot.urdf", robot["urdf"]);
    for (const json& run : robot["runs"]) {
      const Recording recording = run_of(scenario_of(robot, run), folder);
      const std::string name = fmt::format("{} {} {}", robot["robot"].get<std::string>(), robot["seed"].get<int>(),
                                           run["run"].get<std::string>());
      const auto difference = [&](const char* kind, const char* key) {
        return apart(recording, robot["coordinates"], run["states"], kind, key);
      };
      const bool inverse = run.contains("T");
      worst_q.see(std::max(difference("q", "q"), difference("v", "v")));
      worst_force.see(difference("Qc", inverse ? "tau" : "Qc"));
      EXPECT_LT(difference("q", "q"), 1e-8) << name;
      EXPECT_LT(difference("v", "v"), 1e-8) << name;
      EXPECT_LT(difference("vdot", "vdot"), 1e-8) << name;
      EXPECT_LT(difference("Qc", inverse ? "tau" : "Qc"), 1e-8) << name;
    }
  }
}

TEST(SecondEngine, GivesTheSerialRobotsTorques) {
  const json serial = golden("second_engine.json")["serial"];
  const test::ScratchFolder folder;
  for (const json& run : serial["runs"]) {
    const double T = run["T"];
    const std::string text =
        fmt::format("robot: {}/robots/serial.urdf\n{}simulate: {{duration: {}}}\nrecord: {{every: {}}}\n",
                    TRAMMEL_SOURCE_DIR, led(run), T, T / 100);
    const double worst = apart(run_of(text, folder), serial["coordinates"], run["states"], "Qc", "tau");
    EXPECT_LT(worst, 1e-11) << run["run"];  // 86 N·m to the last digits, along a motion projected to 1e-14 rad
  }
}

TEST(SecondEngine, GivesTheParallelRobotsMotion) {
  const json parallel = golden("second_engine.json")["parallel"];
  const test::ScratchFolder folder;
  const json& first = parallel["states"][0];
  const std::string text = fmt::format("robot: {}/robots/parallel.urdf\ngravity: [0, 0, 0]\n{}", TRAMMEL_SOURCE_DIR,
                                       loops(parallel["bases"])) +
                           fmt::format("forces: [{{joint: qa1, torque: 0.1*cos(pi*t)}}]\ninitial: {{q: {}}}\n",
                                       by_name(parallel["coordinates"], first["q"])) +
                           "simulate: {duration: 10, integrator: dop8, tolerance: 1e-13}\nrecord: {every: 1}\n";
  const Recording recording = run_of(text, folder);
  // Pinocchio's run is good to about 1e-12 (its step halved)
  EXPECT_LT(apart(recording, parallel["coordinates"], parallel["states"], "q", "q"), 2e-11);
  EXPECT_LT(apart(recording, parallel["coordinates"], parallel["states"], "v", "v"), 2e-11);
  EXPECT_LT(apart(recording, parallel["coordinates"], parallel["states"], "Qc", "Qc"), 2e-11);
}

}  // namespace
}  // namespace trammel
