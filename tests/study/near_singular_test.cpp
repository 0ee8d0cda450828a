// What a run tells of singular postures that it passes, just misses, or is led through on rows that are not closed.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

// A four-bar of rods of 1 kg with cranks of 0.4 m on bases 1.3 m apart, and a coupler that is `longer` by so much than the base.
Simulation four_bar(double longer, double speed, double gravity, double duration, const std::string& drift,
                    const std::string& closure = "coincide: [tip, pin], axes: xy") {
  const Scenario scenario = read_scenario_text(fmt::format(R"(
gravity: [0, {}, 0]
constants: {{b: 1.3 + {}}}
bodies:
  crank: {{mass: 1, com: [0.2, 0, 0], inertia: [0, 0.16/12, 0.16/12]}}
  coupler: {{mass: 1, com: [b/2, 0, 0], inertia: [0, b^2/12, b^2/12]}}
  rocker: {{mass: 1, com: [0.2, 0, 0], inertia: [0, 0.16/12, 0.16/12]}}
joints:
  - {{name: q1, revolute: z, from: world, to: crank}}
  - {{name: q2, revolute: z, from: crank, to: coupler, at: {{xyz: [0.4, 0, 0]}}}}
  - {{name: q3, revolute: z, from: world, to: rocker, at: {{xyz: [1.3, 0, 0]}}}}
frames: {{tip: {{on: coupler, at: {{xyz: [b, 0, 0]}}}}, pin: {{on: rocker, at: {{xyz: [0.4, 0, 0]}}}}}}
constraints: [{{name: loop, {}}}]
initial: {{q: {{q1: 0.9, q2: -0.9, q3: 0.9}}, v: {{q1: {}}}, assemble: {{keep: [q1]}}}}
simulate: {{duration: {}, drift: {}}}
)",
                                                           gravity, longer, closure, speed, duration, drift),
                                               "four-bar.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

TEST(NearSingular, ACouplerThatIsALittleTooLongComesNearAFlatPostureAndSaysHowNear) {
  for (const double longer : {1e-6, 1e-5}) {
    const Simulation run = four_bar(longer, 6, -9.81, 3, "projection");
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_TRUE(run.passages.empty()) << longer;
    ASSERT_FALSE(run.near_misses.empty()) << longer;
    // sin of the angle between coupler and crank there: √(2 δ/L) and its like
    EXPECT_GT(run.near_misses.front().part, 0.1 * std::sqrt(longer)) << longer;
    EXPECT_LT(run.near_misses.front().part, 10 * std::sqrt(longer)) << longer;
    EXPECT_TRUE(run.near_misses.front().row.starts_with("loop"));
  }
  // a parallelogram passes, and one that cannot fold does neither
  EXPECT_TRUE(four_bar(0, 6, -9.81, 3, "projection").near_misses.empty());
  EXPECT_TRUE(four_bar(-0.3, 6, -9.81, 3, "projection").near_misses.empty());
}

TEST(NearSingular, ARunWithoutProjectionThatMayTakeAnotherBranchIsNotGood) {
  EXPECT_TRUE(four_bar(0, 6, -9.81, 5, "projection").is_good());
  EXPECT_TRUE(four_bar(0, 6, -9.81, 5, "velocity").is_good());
  for (const char* drift : {"none", "{baumgarte: {alpha: 20, beta: 100}}"}) {
    const Simulation run = four_bar(0, 6, -9.81, 5, drift);
    const VecX<> fold = (run.recording["q.q1"] + run.recording["q.q2"]).cwiseAbs();
    EXPECT_GT(fold.maxCoeff(), 0.1) << "it stays on its branch: the test needs another setting";
    EXPECT_FALSE(run.is_good()) << drift;
    ASSERT_FALSE(run.left_open.empty());
    EXPECT_NE(run.left_open.front().find("another branch"), std::string::npos);
  }
}

// Without weight it turns evenly: few steps, each longer than a radian.
TEST(NearSingular, ALongStepPassesNoPostureUnnoticed) {
  const Simulation run = four_bar(0, -0.9, 0, 5, "projection");
  EXPECT_LT(run.steps, 20);
  ASSERT_EQ(run.passages.size(), 2u);
  EXPECT_NEAR(run.passages[0].t, 1, 1e-6);
  EXPECT_NEAR(run.passages[1].t, 1 + 3.14159265358979 / 0.9, 1e-6);
}

// A loop whose rows follow from others: ranks do not flip between the stages of a step. What a hinge, five rows for two, rejects beyond what
// a point does that closes the same loop.
TEST(NearSingular, ARedundantLoopCostsNoRejectedSteps) {
  for (const char* method : {"dopri5", "dop8"})
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      const std::string how = fmt::format("projection, integrator: {}, tolerance: {}", method, tolerance);
      for (const double longer : {0.0, -0.3}) {
        const Simulation hinge = four_bar(longer, 6, -9.81, 5, how, "hinge: [tip, pin]"),
                         point = four_bar(longer, 6, -9.81, 5, how);
        ASSERT_EQ(hinge.status, RunStatus::finished) << hinge.what;
        std::printf(
            "[   seen   ] %s, coupler longer by %4.1f m: of %ld steps by a hinge %ld are rejected, by a point %ld\n",
            how.c_str(), longer, hinge.steps + hinge.rejected_steps, hinge.rejected_steps, point.rejected_steps);
        EXPECT_LE(hinge.rejected_steps, point.rejected_steps + 0.05 * hinge.steps) << how;
      }
    }
}

Simulation sliding(const std::string& rest) {
  const Scenario scenario = read_scenario_text(R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a}]
)" + rest,
                                               "sliding.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

TEST(NearSingular, FrictionByAnIfThatHoldsTheBodyEndsTheRunAndSaysWhy) {
  const Simulation run = sliding(
      "forces: [{joint: x, force: \"if(v(x) < 0, 10, -10)\"}]\n"
      "initial: {v: {x: 1}}\nsimulate: {duration: 1}\n");
  EXPECT_EQ(run.status, RunStatus::step_collapsed);
  EXPECT_NE(run.what.find("steps have come"), std::string::npos) << run.what;
  EXPECT_NEAR(run.end.t, 0.1, 0.01);
}

// Its elbow stays where it is wherever the arm turns, and so does the gradient that vanishes.
TEST(NearSingular, AnArmThatIsHeldStretchedOutTremblesAndIsEndedSoon) {
  const Scenario scenario = read_scenario_text(R"(
bodies:
  l1: {mass: 1, com: [0.4, 0, 0], inertia: [0, 0.06, 0.06]}
  l2: {mass: 2, com: [0.3, 0, 0], inertia: [0, 0.05, 0.05]}
joints:
  - {name: a, revolute: z, from: world, to: l1}
  - {name: b, revolute: z, from: l1, to: l2, at: {xyz: [0.8, 0, 0]}}
frames: {tip: {on: l2, at: {xyz: [0.7, 0, 0]}}}
gravity: [0, -9.81, 0]
constraints: [{name: c, distance: [world, tip], length: 1.5}]
initial: {q: {a: 0.4, b: 0}}
simulate: {duration: 1, integrator: dop8, tolerance: 1e-12}
)",
                                               "stretched.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::step_collapsed);
  EXPECT_NE(run.what.find("c was singular"), std::string::npos) << run.what;
  EXPECT_LE(run.steps, 10000);
}

TEST(NearSingular, AMotionThatGetsEverFasterIsEndedBeforeAMillionSteps) {
  const Scenario scenario = read_scenario_text(R"(
gravity: [0, -9.81, 0]
bodies: {g: {mass: 0}, m: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: g}, {name: y, prismatic: y, from: g, to: m}]
constraints: [{name: r, distance: [world, m], length: 1 - t}]
initial: {q: {x: 0.6, y: -0.8}}
simulate: {duration: 2, integrator: dopri5, tolerance: 1e-8}
)",
                                               "rod.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::step_collapsed) << run.what;
  EXPECT_NEAR(run.end.t, 1, 1e-4);
  EXPECT_LT(run.steps, 1'000'000);
}

// A point that slides far beside its radius of gyration turns nothing: steps need not be looked into for postures that they jump over.
TEST(NearSingular, APointMassOnAWireCostsNoMoreEvaluationsThanItsStepsDo) {
  const Scenario scenario = read_scenario_text(R"yaml(
bodies: {bead: {mass: 0.01, inertia: [1e-8, 1e-8, 1e-8]}}
joints: [{name: p, planar: y, from: world, to: bead}]
constraints:
  - {name: x, equation: "bead.x = 0.25*(2*p[2] + sin(2*p[2]))"}
  - {name: z, equation: "bead.z = 0.25*(1 - cos(2*p[2]))"}
initial: {q: {"p[2]": 60 deg}, assemble: {keep: ["p[2]"]}}
simulate: {duration: 2, integrator: dopri5, tolerance: 1e-10}
record: {every: 1}
)yaml",
                                               "bead.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_TRUE(run.is_good()) << run.what << run.energy.what;
  EXPECT_LT(run.evaluations, 9 * run.steps + 50);
}

TEST(NearSingular, ALawThatJumpsIsNotCalledSingular) {
  const Simulation run =
      sliding("constraints: [{name: c, equation: \"x = minjerk((t - 0.5)/1e-8)\"}]\nsimulate: {duration: 1}\n");
  EXPECT_EQ(run.status, RunStatus::step_collapsed);
  EXPECT_NE(run.what.find("no row is near to singular: a law or a force may jump"), std::string::npos) << run.what;
}

}  // namespace
}  // namespace trammel
