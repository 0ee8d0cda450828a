#include <nlohmann/json.hpp>

#include "command.h"

// Limits of joints, friction and what ends a program: scenarios that once passed in silence, or that no one could end.

namespace trammel::test {
namespace {

namespace fs = std::filesystem;

struct LimitCase {
  ScratchFolder scratch;
  Outcome outcome;

  LimitCase(const std::string& verb, const std::string& text, const std::string& arguments = "")
      : outcome(shell("timeout 60 $trammel " + verb + " " + scratch.write("case.yaml", text) + " " + arguments +
                      " --out " + (scratch.path() / "out").string() + " 2>&1")) {}
  nlohmann::json summary() const { return nlohmann::json::parse(content(scratch.path() / "out" / "summary.json")); }
  bool says(const std::string& what) const { return outcome.out.find(what) != std::string::npos; }
};

// Two rods that hang on a wall, let go when they are level; `of_a` are properties of the first joint.
std::string two_rods(const std::string& of_a, const std::string& rest) {
  return R"(
bodies:
  upper: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
  lower: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
joints:
  - {name: a, revolute: z, from: world, to: upper, )" +
         of_a + R"(}
  - {name: b, revolute: z, from: upper, to: lower, at: {xyz: [1, 0, 0]}}
gravity: [0, -9.81, 0]
)" + rest;
}

TEST(LimitCases, ASpeedLimitEndsARunAtTheMomentWhenItIsMet) {
  for (const double limit : {1e-9, 1e-3, 2.0}) {
    const LimitCase run("run", two_rods("speed_limit: " + std::to_string(limit * 1e9) + "e-9", ""),
                        "--set 'simulate={duration: 2, limits: stop}'");
    EXPECT_EQ(run.outcome.exit_code, 2) << run.outcome.out;
    EXPECT_TRUE(run.says("at a joint's limit: joint 'a' passes its speed limit")) << run.outcome.out;
  }
}

TEST(LimitCases, ASpeedLimitThatIsPassedIsWarnedOfWithTimeAndSpeed) {
  const LimitCase run("run", two_rods("speed_limit: 2", "simulate: {duration: 2}"));
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
  EXPECT_TRUE(run.says("warning: joint 'a' passes its speed limit 2 rad/s at t = 0.1637 s (4.936 rad/s at t = "))
      << run.outcome.out;
  const LimitCase ignored("run", two_rods("speed_limit: 2", "simulate: {duration: 2, limits: ignore}"));
  EXPECT_FALSE(ignored.says("limit")) << ignored.outcome.out;
}

const std::string led = R"(
motion: {a: 0.1*t^3, b: 0}
actuators: [{joint: a}, {joint: b}]
)";

TEST(LimitCases, AMotorIsHeldToTheEffortOfItsJoint) {
  const LimitCase held("run", two_rods("effort_limit: 5", led + "simulate: {duration: 2}"));
  EXPECT_EQ(held.outcome.exit_code, 0) << held.outcome.out;
  EXPECT_TRUE(held.says("warning: motor 'a' first meets its limit at t = 0 s; the path is missed by up to"))
      << held.outcome.out;
  const nlohmann::json motor = held.summary()["motors"][0];
  EXPECT_EQ(motor["limit"], 5);
  EXPECT_NEAR(motor["peak_torque"]["value"], 5, 1e-12);

  const LimitCase stopped("run", two_rods("effort_limit: 20", led + "simulate: {duration: 2, limits: stop}"));
  EXPECT_EQ(stopped.outcome.exit_code, 2) << stopped.outcome.out;
  // 3 g/2 = 14.7… of the two rods are 1.5 g + 0.5 g = 19.62 N·m at the start, and the acceleration comes besides
  EXPECT_TRUE(stopped.says("joint 'a' meets its effort limit 20 N·m at t = ")) << stopped.outcome.out;

  const LimitCase free("run", two_rods("effort_limit: 5", led + "simulate: {duration: 2, limits: ignore}"));
  EXPECT_EQ(free.outcome.exit_code, 0);
  EXPECT_FALSE(free.says("warning")) << free.outcome.out;
  EXPECT_GT(free.summary()["motors"][0]["peak_torque"]["value"], 20);
}

TEST(LimitCases, AMotorOfItsOwnLimitMayExceedTheEffortOfItsJointAndIsToldOf) {
  const LimitCase strong("run", two_rods("effort_limit: 5", led + "simulate: {duration: 2}"),
                         "--set actuators.a.limit=100");
  EXPECT_EQ(strong.outcome.exit_code, 0);
  const std::string told = "warning: joint 'a' meets its effort limit 5 N·m at the start (";
  ASSERT_TRUE(strong.says(told)) << strong.outcome.out;
  // the worst of the steps' ends: no less than the 2 g at the start, no more than the peak, to the four digits that are told
  const double worst = std::stod(strong.outcome.out.substr(strong.outcome.out.find(told) + told.size()));
  EXPECT_GT(worst, 2 * 9.81 - 0.01);
  EXPECT_LT(worst, strong.summary()["motors"][0]["peak_torque"]["value"].get<double>() + 0.01);
  const LimitCase torques("torques", two_rods("effort_limit: 5", led + "simulate: {duration: 2}"));
  EXPECT_EQ(torques.outcome.exit_code, 2);
  EXPECT_TRUE(torques.says("'a' at the limit: 'motion a' by")) << torques.outcome.out;
}

// A block on a plane that is tilted by 30°.
std::string block(double mu, double friction_speed) {
  return R"(
gravity: [9.81*sin(pi/6), 0, -9.81*cos(pi/6)]
bodies: {carrier: {mass: 0}, block: {mass: 3}}
joints:
  - {name: x, prismatic: x, from: world, to: carrier}
  - {name: z, prismatic: z, from: carrier, to: block}
constraints: [{name: floor, point: block, on: {plane: {}}, friction: )" +
         std::to_string(mu) + "}]\nsimulate: {duration: 0.5, friction_speed: " + std::to_string(friction_speed) + "}\n";
}

TEST(LimitCases, ABlockThatFrictionHoldsIsToldToCreep) {
  for (const double u0 : {1e-3, 1e-4}) {
    const LimitCase run("run", block(0.7, u0));
    EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
    EXPECT_TRUE(run.says("warning: 'floor' is held by its friction at t = ")) << run.outcome.out;
    // u₀ T/√(μ²f² − T²), with T/f = tan 30°
    const double ratio = std::sqrt(1.0 / 3) / 0.7, creep = u0 * ratio / std::sqrt(1 - ratio * ratio);
    char speed[100];
    std::snprintf(speed, sizeof speed, "it creeps, at up to %.3g m/s", creep);
    EXPECT_TRUE(run.says(speed)) << speed << "\n" << run.outcome.out;
  }
}

TEST(LimitCases, ABlockThatSlidesIsNot) {
  const LimitCase run("run", block(0.5, 1e-3));
  EXPECT_EQ(run.outcome.exit_code, 0);
  EXPECT_FALSE(run.says("warning")) << run.outcome.out;
}

TEST(LimitCases, AJointThatFrictionHoldsIsToldToCreep) {
  const LimitCase run("run", R"(
bodies: {arm: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}}
joints: [{name: q, revolute: y, from: world, to: arm, friction: 6}]
simulate: {duration: 0.5}
)");
  EXPECT_TRUE(run.says("warning: joint 'q' is held by its friction at t = ")) << run.outcome.out;
  const LimitCase swings("run", R"(
bodies: {arm: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}}
joints: [{name: q, revolute: y, from: world, to: arm, friction: 0.1}]
simulate: {duration: 2}
)");
  EXPECT_FALSE(swings.says("warning")) << swings.outcome.out;
}

// A rod whose lower end slides on a rough floor.
std::string rod(double mu, double speed) {
  return R"(
bodies: {g: {mass: 0}, h: {mass: 0}, rod: {mass: 1, inertia: [0, 0.0833333, 0.0833333]}}
joints:
  - {name: x, prismatic: x, from: world, to: g}
  - {name: z, prismatic: z, from: g, to: h}
  - {name: a, revolute: -y, from: h, to: rod}
frames: {tip: {on: rod, at: {xyz: [-0.5, 0, 0]}}}
constraints: [{name: floor, point: tip, on: {plane: {}}, friction: )" +
         std::to_string(mu) + "}]\ninitial: {q: {a: 60 deg, z: 0.4330127}, v: {x: " + std::to_string(speed) +
         "}}\nsimulate: {duration: 0.001}\n";
}

TEST(LimitCases, OfTwoForcesOfARoughFloorTheOneIsTakenThatContinuesTheFrictionlessOne) {
  const LimitCase run("run", rod(3, 5));
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
  // m g/(1 + 3 cos θ (cos θ ± μ sin θ)): the other sign pulls
  EXPECT_NEAR(run.summary()["constraints"][0]["peak_force"]["value"], 1.737, 2e-3);
  EXPECT_TRUE(run.says("warning: friction of 'floor' leaves several motions from t = 0 s on")) << run.outcome.out;
  EXPECT_TRUE(run.says("1.737 or -4.569 N")) << run.outcome.out;
}

TEST(LimitCases, ARodThatIsPushedIntoARoughFloorJamsAndIsToldByName) {
  const LimitCase run("run", rod(3, -5));
  EXPECT_EQ(run.outcome.exit_code, 2) << run.outcome.out;
  EXPECT_TRUE(run.says("no forces balance the friction of 'floor': it jams")) << run.outcome.out;
}

TEST(LimitCases, SignalsThatEndAProgramKeepWhatWasComputed) {
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    ScratchFolder scratch;
    const std::string file = scratch.write("long.yaml", two_rods("damping: 0", "simulate: {duration: 1e6}\n"));
    const fs::path out = scratch.path() / "out";
    const Outcome run = interrupted(signal, "run " + file + " --no-report --out " + out.string());
    EXPECT_EQ(run.exit_code, 2) << signal;
    EXPECT_NE(run.out.find("the run ended early, stopped: t = "), std::string::npos) << signal << '\n' << run.out;
    EXPECT_TRUE(fs::exists(out / "recording.csv")) << signal;
  }
}

TEST(LimitCases, AFileWithoutEndIsRefused) {
  const Outcome zeros = shell("timeout 20 $trammel run /dev/zero 2>&1");
  EXPECT_EQ(zeros.exit_code, 1) << zeros.out;
  EXPECT_NE(zeros.out.find("more than 10 MB"), std::string::npos) << zeros.out;
}

TEST(LimitCases, MomentsThatVanishByRoundingAreNoReasonToRefuseARobot) {
  ScratchFolder scratch;
  const std::string file = scratch.write("tiny.urdf", R"(<robot name="r">
<link name="base"><inertial><mass value="1"/>
<inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" iyz="1e-6" izz="1e-6"/></inertial></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint></robot>
)");
  const Outcome info = trammel("info --strict " + file);
  EXPECT_EQ(info.exit_code, 0) << info.out;
  EXPECT_NE(info.out.find("of link 'base'"), std::string::npos) << info.out;
}

TEST(LimitCases, WarningsOfOneKindAreFolded) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 40; ++i) text += "  b" + std::to_string(i) + ": {mass: 1}\n";
  text += "joints:\n";
  for (int i = 0; i < 40; ++i)
    text += "  - {name: j" + std::to_string(i) + ", prismatic: z, from: world, to: b" + std::to_string(i) +
            ", limits: [-0.1, 0.1]}\n";
  const LimitCase run("run", text + "simulate: {duration: 1}\n");
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
  EXPECT_TRUE(run.says("warning: and 35 more like it")) << run.outcome.out;
  EXPECT_EQ(run.summary()["warnings"].size(), 40u);
}

TEST(LimitCases, AComparisonMovesAStartOntoTheConstraintsWhereItProjects) {
  const std::string text = two_rods("damping: 0.1", R"(
frames: {tip: {on: lower, at: {xyz: [1, 0, 0]}}}
constraints: [{name: path, point: tip, x: 1 + 0.1*t, y: 0.5}]
initial: {q: {a: 70 deg, b: -100 deg}, assemble: false}
simulate: {duration: 0.2, drift: {baumgarte: {alpha: 10, beta: 100}}}
)");
  const LimitCase compare("compare", text);
  EXPECT_EQ(compare.outcome.exit_code, 0) << compare.outcome.out;
  const nlohmann::json drifts =
      nlohmann::json::parse(content(compare.scratch.path() / "out" / "compare.json"))["drift_controls"];
  EXPECT_GT(drifts[0]["worst_phi"], 1e-2);  // none: as the author's start is
  EXPECT_LT(drifts[3]["worst_phi"], 1e-9);  // projection
}

}  // namespace
}  // namespace trammel::test
