// Motors that lose hold of a motion are told, with the time.
#include <tuple>

#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"
#include "trammel/study/torque_study.h"

namespace trammel {
namespace {

// A five-bar: its pen goes down from where its rods point up, as far as `depth`. They are in line where the pen is between the bases.
std::string five_bar(double depth) {
  return R"yaml(
gravity: [0, 0, 0]
bodies:
  la: {mass: 0.2, com: [0.1, 0, 0], inertia: [0, 0.000667, 0.000667]}
  lr: {mass: 0.15, com: [0.15, 0, 0], inertia: [0, 0.001125, 0.001125]}
  ra: {mass: 0.2, com: [0.1, 0, 0], inertia: [0, 0.000667, 0.000667]}
  rr: {mass: 0.15, com: [0.15, 0, 0], inertia: [0, 0.001125, 0.001125]}
joints:
  - {name: lm, revolute: z, from: world, to: la, at: {xyz: [-0.1, 0, 0]}}
  - {name: le, revolute: z, from: la, to: lr, at: {xyz: [0.2, 0, 0]}}
  - {name: rm, revolute: z, from: world, to: ra, at: {xyz: [0.1, 0, 0]}}
  - {name: re, revolute: z, from: ra, to: rr, at: {xyz: [0.2, 0, 0]}}
frames: {pen: {on: lr, at: {xyz: [0.3, 0, 0]}}, sock: {on: rr, at: {xyz: [0.3, 0, 0]}}}
constraints: [{name: loop, coincide: [pen, sock], axes: xy}]
control: [{name: p, point: pen, x: 0, y: "start - )yaml" +
         std::to_string(depth) + R"yaml(*cycloid(t)"}]
actuators: [{joint: lm}, {joint: rm}]
initial: {q: {lm: 170 deg, le: -110 deg, rm: 10 deg, re: 110 deg}}
simulate: {duration: 1, step: 1 ms}
record: {every: 1 ms, frames: [pen]}
)yaml";
}

TorqueStudy study_of(double depth) {
  const Scenario scenario = read_scenario_text(five_bar(depth), "five-bar.yaml");
  return study_torques(scenario, driven_system(scenario));
}

TEST(LostHold, IsToldWhereTheRodsOfAFiveBarAreInLine) {
  const TorqueStudy study = study_of(0.25);
  // both elbows are then 0.3 m from the middle: the cranks lie along the line of the bases, and the pen with them
  const VecX<> height = study.motion.recording["pen.y"], t = study.motion.recording["t"];
  int row = 0;
  while (height[row + 1] > 0) ++row;
  const double crossing = t[row] + (t[row + 1] - t[row]) * height[row] / (height[row] - height[row + 1]);
  const std::string near = "'lm', 'rm' lose hold of 'p' near t = ";
  ASSERT_TRUE(study.singular.starts_with(near)) << study.singular;
  EXPECT_NEAR(std::stod(study.singular.substr(near.size())), crossing, 1e-3);  // the step in which it lies
}

TEST(LostHold, TheForceThatClosesTheLoopHasNoBoundThere) {
  for (const double depth : {0.1, 0.25}) {
    const Scenario scenario = read_scenario_text(five_bar(depth), "five-bar.yaml");
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.peaks.constraints[0].force.is_bounded(), depth < 0.2);
  }
}

TEST(LostHold, IsNotToldOfAMotionThatStopsBefore) { EXPECT_EQ(study_of(0.1).singular, ""); }

// A crank that is led, and moved by pistons whose dead centres are at c = π, 2π. What its own weight asks for grows without bound there;
// what the pistons' masses ask for does not.
Scenario crank(double weight, const std::string& pistons, const std::string& motors, const std::string& more = "") {
  return read_scenario_text(
      "gravity: [0, -9.81, 0]\nbodies: {k: {mass: 1, com: [" + std::to_string(weight) +
          R"yaml(, 0, 0], inertia: [0, 0.01, 0.01]}, a: {mass: 1}, b: {mass: 2}}
joints:
  - {name: c, revolute: z, from: world, to: k}
  - {name: p, prismatic: x, from: world, to: a}
  - {name: r, prismatic: x, from: world, to: b}
constraints: [{name: rod, equation: p = 0.2*cos(c)}, )yaml" +
          pistons + "]\nmotion: {c: start + 2*t}\nactuators: " + motors +
          "\ninitial: {q: {c: 1}, assemble: {keep: [c]}}\nsimulate: {duration: 2, step: 10 ms}\n" + more,
      "crank.yaml");
}

TEST(LostHold, PeaksOfTorquesHaveNoBoundWhereTheyGrow) {
  const std::string both = "[{joint: p}, {joint: r}]", second = "{name: rod 2, equation: r = -0.3*cos(c)}";
  for (const auto& [weight, pistons, motors, unbounded] :
       {std::tuple(0.1, std::string("{name: at rest, equation: r = 0}"), std::string("[{joint: p}]"), true),
        std::tuple(0.0, std::string("{name: at rest, equation: r = 0}"), std::string("[{joint: p}]"), false),
        std::tuple(0.1, second, both, true), std::tuple(0.0, second, both, false)}) {
    const Scenario scenario = crank(weight, pistons, motors);
    const TorqueStudy study = study_torques(scenario, driven_system(scenario));
    EXPECT_NE(study.singular.find("near t = 1.071 s"), std::string::npos) << study.singular;
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    for (std::size_t j = 0; j < study.motors.size(); ++j) {
      EXPECT_EQ(study.motors[j].peak.is_bounded(), !unbounded) << weight << ' ' << motors;
      EXPECT_EQ(run.peaks.motors[j].is_bounded(), !unbounded) << weight << ' ' << motors;
      if (unbounded) {
        EXPECT_NEAR(study.motors[j].peak.t, 1.0708, 1e-3);
      }
    }
    // what carries the torque that grows has no bound either; what carries another one has
    const std::vector<WrenchPeak>& held = run.peaks.constraints;
    EXPECT_EQ(held[0].other.is_bounded(), !unbounded) << weight << ' ' << motors;
    EXPECT_EQ(held[1].other.is_bounded(), !unbounded || motors != both) << weight << ' ' << motors;
    if (unbounded) {
      EXPECT_NEAR(held[0].other.t, 1.0708, 1e-3);
    }
  }
  EXPECT_TRUE(study_of(0.1).motors[0].peak.is_bounded());
}

TEST(LostHold, AForceThatHasNothingToDoWithTheTorquesKeepsItsPeak) {
  const Scenario scenario =
      crank(0.1, "{name: at rest, equation: r = 0}", "[{joint: p}]", "forces: [{joint: r, force: 3}]");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_FALSE(run.peaks.constraints[0].other.is_bounded());
  EXPECT_TRUE(run.peaks.constraints[1].other.is_bounded());
  EXPECT_NEAR(run.peaks.constraints[1].other.value, 3, 1e-12);
}

}  // namespace
}  // namespace trammel
