#include <filesystem>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/scenario/loops.h"
#include "trammel/scenario/robot_file.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/check.h"

// Loops, couplings and motors of robots' files: URDF+, and a YAML beside a URDF.

namespace trammel::test {
namespace {

const std::filesystem::path own_robots = TRAMMEL_SOURCE_DIR "/tests/scenario/robots";
const std::filesystem::path others_robots = TRAMMEL_SOURCE_DIR "/../shared/models";

Scenario scenario_of(const std::string& text) { return read_scenario_text(text, "s.yaml", own_robots); }

std::string message_of(const std::string& text) {
  try {
    scenario_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing refused";
}

TEST(Loops, UrdfPlusIsTheScenarioThatSaysTheSame) {
  const Scenario plus = scenario_of("{robot: parallelogram.urdf, gravity: [0, -9.81, 0], initial: {q: {a: 0.3}}}");
  const Scenario by_hand = scenario_of(R"({robot: parallelogram.urdf, without: [corner, gear], gravity: [0, -9.81, 0],
    frames: {p: {on: coupler, at: {xyz: [0.6, 0, 0]}}, s: {on: right, at: {xyz: [0, 0.4, 0]}}},
    constraints: [{name: corner, hinge: [p, s]}, {name: gear, equation: d = -3*(a + b)}], initial: {q: {a: 0.3}}})");
  ASSERT_EQ(plus.system.constraints.size(), 2u);
  EXPECT_EQ(plus.system.constraints[0].name, "corner");
  EXPECT_EQ(plus.system.constraints[1].name, "gear");
  const State at = by_hand.start;
  EXPECT_LT((plus.start.q - at.q).cwiseAbs().maxCoeff(), 1e-12);
  const VecX<> v = VecX<>::Zero(4);
  const VecX<> one = solve_motion(plus.system, at.q, v).vdot, other = solve_motion(by_hand.system, at.q, v).vdot;
  EXPECT_LT((one - other).cwiseAbs().maxCoeff(), 1e-11 * other.cwiseAbs().maxCoeff());
  EXPECT_GT(other.cwiseAbs().maxCoeff(), 1);
}

TEST(Loops, RedundantRowsOfAnUrdfPlusLoopAreToldByItsName) {
  const Check found = check(scenario_of("{robot: parallelogram.urdf, initial: {q: {a: 0.3}}}"));
  EXPECT_EQ(found.diagnosis.rank, 3);  // two of the hinge's five rows, and the gear
  EXPECT_NE(found.structure.find("corner[2]"), std::string::npos) << found.structure;
}

TEST(Loops, YamlBesideAUrdfClosesLoopsAndNamesMotors) {
  const Scenario scenario = scenario_of("{robot: {file: five_bar.urdf, loops: five_bar.yaml}}");
  ASSERT_EQ(scenario.system.constraints.size(), 1u);
  EXPECT_EQ(scenario.system.constraints[0].name, "tip_l to tip_r_fixed");
  EXPECT_EQ(scenario.system.constraints[0].law->rows(), 3);
  ASSERT_EQ(scenario.system.actuators.size(), 2u);
  EXPECT_EQ(scenario.system.actuators[1].name, "m2");
}

TEST(Loops, NamesOfSeveralRobotsHaveTheirPrefix) {
  const Scenario scenario = scenario_of(R"({robots: [{file: parallelogram.urdf, name: one, without: [gear]},
    {file: parallelogram.urdf, name: two, at: {xyz: [0, 0, 1]}}], without: [two.corner]})");
  ASSERT_EQ(scenario.system.constraints.size(), 2u);
  EXPECT_EQ(scenario.system.constraints[0].name, "one.corner");
  EXPECT_EQ(scenario.system.constraints[1].name, "two.gear");
}

TEST(Loops, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(
      message_of("{robot: parallelogram.urdf, without: [corners]}"),
      "s.yaml:1:39: found 'corners' to be left out, which the robot's file does not have; allowed: one of corner, "
      "gear (did you mean 'corner'?)");
}

// Every model of the folder beside this clone, where there is one, assembles and runs.
TEST(Loops, PublishedRobotsAssembleAndStayClosed) {
  if (!std::filesystem::exists(others_robots / "urdf_yaml"))
    GTEST_SKIP() << "no folder shared/models beside this clone";
  std::vector<std::string> robots;
  for (const char* name : {"5bar_linkage", "5bar_linkage_iso3d", "robot_delta", "talos_like"})
    robots.push_back(fmt::format("{{file: urdf_yaml/{0}/robot.urdf, loops: urdf_yaml/{0}/robot.yaml}}", name));
  for (const char* name : {"four_bar", "six_bar", "planar_leg_linkage"})
    robots.push_back(fmt::format("{{file: urdf_plus/{}.urdf}}", name));
  robots.emplace_back("{file: five_bar.urdf, loops: five_bar_loops.yaml}");
  for (const std::string& robot : robots) {
    SCOPED_TRACE(robot);
    const std::string text =
        fmt::format("{{robot: {}, gravity: [0, 0, 0], simulate: {{duration: 0.1, limits: ignore}}}}", robot);
    const Scenario scenario = read_scenario_text(text, "s.yaml", others_robots);
    ASSERT_TRUE(scenario.assembly && scenario.assembly->closed());
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_LT(run.worst_phi, 1e-13);
  }
}

// Each: a file of loops, or a URDF+ that is broken, and the message.
struct Bad {
  const char *text, *message;
};

TEST(Loops, BadFilesOfLoopsAreRefusedWithTheirPlace) {
  const Bad all[] = {
      {"", "l.yaml:1:1: found nothing as the file of loops; allowed: a map"},
      {"[]", "l.yaml:1:1: found a list of 0 as the file of loops; allowed: a map"},
      {"{}", "l.yaml:1:1: found no key 'closed_loop' in the file of loops; allowed: closed_loop: …"},
      {"{closed_loops: []}", "closed_loops"},
      {"closed_loop: [[tip_l, tip_r]]\ntype: [5d]", "l.yaml:2:8: found '5d'"},
      {"closed_loop: [[tip_l, tip_r]]\ntype: []",
       "l.yaml:2:7: found 0 of 'type' beside 1 of 'closed_loop'; allowed: as many of one as of the other"},
      {"closed_loop: [[tip_l]]", "l.yaml:1:15: "},
      {"closed_loop: [[tip_l, tip_q]]", "l.yaml:1:23: found 'tip_q'"},
      {"closed_loop: [[tip_l, tip_l]]", "allowed: a link other than the first"},
      {"closed_loop: [[tip_l, tip_r], [tip_l, tip_r]]", "found the loop 'tip_l to tip_r' for the second time"},
      {"closed_loop: tip", "l.yaml:1:14: found 'tip'"},
      {"closed_loop: []\nname_mot: [m3]", "l.yaml:2:12: found 'm3'"},
      {"closed_loop: []\nname_mot: [m1, m1]", "found joint 'm1' for the second time; allowed: each joint once"},
      {"closed_loop: []\nname_mot: [tip_l_fixed]", "found the fixed joint 'tip_l_fixed'"},
      {"closed_loop: []\nname_mot: m1", "l.yaml:2:11: found 'm1'"},
      {"closed_loop: []\njoint_name: [f1]", "found no key 'joint_type' in the file of loops"},
      {"closed_loop: []\njoint_name: [f1]\njoint_type: [CARDAN]", "l.yaml:3:14: found 'CARDAN'"},
      {"closed_loop: []\njoint_type: [FIXED]", "found no key 'joint_name' in the file of loops"},
      {"closed_loop: []\nclosed_loop: []", "l.yaml:2:1: "},
      {"closed_loop: [[tip_l, tip_r]", "l.yaml:1:"},
  };
  for (const Bad& bad : all) {
    RobotDescription robot = scenario::read_robot_file((own_robots / "five_bar.urdf").string());
    std::string message = "nothing refused";
    try {
      scenario::add_loops(bad.text, "l.yaml", robot);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(bad.message), std::string::npos) << message << "\nin place of\n" << bad.message;
  }
}

}  // namespace
}  // namespace trammel::test
