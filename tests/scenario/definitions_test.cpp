// Names for expressions, and expressions that are recorded.
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/math/rotation.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Scenario defined_scenario(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots", overrides);
}

Recording run_of(const Scenario& scenario) {
  Simulation simulation = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(simulation.status, RunStatus::finished) << simulation.what;
  return std::move(simulation.recording);
}

double worst_difference(const Recording& a, const std::string& column, const Recording& b, const std::string& other) {
  return (a[column] - b[other]).cwiseAbs().maxCoeff();
}

const std::string two_links = R"yaml(
robot: two-link.urdf
gravity: [0, -9.81, 0]
initial: {q: {q1: 40 deg, q2: -70 deg}}
simulate: {duration: 0.5, tolerance: 1e-9}
)yaml";

TEST(ScenarioDefinitions, AreTheExpressionsThatTheyName) {
  const Recording named = run_of(defined_scenario(two_links + R"yaml(
constants: {k: 3}
define:
  high: tip.y - start(tip.y)
  pull: -k*high - 0.2*v(q1)
constraints: [{name: line, equation: tip.x = start(tip.x) + 0.1*high}]
forces: [{joint: q1, torque: pull + t}]
)yaml"));
  const Recording written = run_of(defined_scenario(two_links + R"yaml(
constraints: [{name: line, equation: tip.x = start(tip.x) + 0.1*(tip.y - start(tip.y))}]
forces: [{joint: q1, torque: -3*(tip.y - start(tip.y)) - 0.2*v(q1) + t}]
)yaml"));
  for (const char* column : {"q.q1", "v.q2", "lambda.line"})
    EXPECT_EQ(worst_difference(named, column, written, column), 0);
}

TEST(ScenarioDefinitions, GoByOverridesAndByChangedConstants) {
  const Scenario scenario =
      defined_scenario(two_links + "constants: {k: 3}\ndefine: {pull: -k*q1}\nforces: [{joint: q1, torque: pull}]\n");
  const auto torque = [](const Scenario& of) {
    Kinematics<> kin(of.system.model);
    kinematics<double>(of.system.model, of.start.q, of.start.v, kin);
    VecX<> tau = VecX<>::Zero(2);
    of.system.forces[0].law->add_to(of.system.model, {kin, of.start.q, of.start.v, 0}, tau);
    return tau[0] / of.start.q[0];
  };
  EXPECT_DOUBLE_EQ(torque(scenario), -3);
  EXPECT_DOUBLE_EQ(torque(scenario.with({{"constants.k", 5}})), -5);
  EXPECT_DOUBLE_EQ(torque(scenario.with_overrides({"define.pull=-2*k*q1"})), -6);
}

TEST(ScenarioRecord, ExpressionsAreWhatTheOtherColumnsMakeThem) {
  const Recording out = run_of(defined_scenario(two_links + R"yaml(
inputs: {push: 0.3}
define: {reach: "hypot(tip.x, tip.y)", turned: q1 - start(q1)}
forces: [{joint: q2, torque: push}]
record:
  frames: [tip, link2]
  velocities: [tip]
  orientations: [tip]
  expressions: {reach: reach, power: v(q2)*push, turned: turned, spin: tip.wz, heading: tip.yaw, energy: 2*t}
plots:
  - {columns: [turned, reach]}
)yaml"));
  const VecX<> x = out["tip.x"], y = out["tip.y"];
  EXPECT_LT((out["reach"].array() - (x.array().square() + y.array().square()).sqrt()).abs().maxCoeff(), 1e-15);
  EXPECT_LT((out["power"] - 0.3 * out["v.q2"]).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((out["turned"].array() - (out["q.q1"].array() - 40 * std::numbers::pi / 180)).abs().maxCoeff(), 1e-14);
  EXPECT_LT((out["spin"] - out["v.q1"] - out["v.q2"]).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((out["tip.wz"] - out["spin"]).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((out["tip.yaw"] - out["heading"]).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((out["tip.yaw"] - out["q.q1"] - out["q.q2"]).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(out["tip.roll"].cwiseAbs().maxCoeff(), 0);
  EXPECT_LT((out["energy (expression)"] - 2 * out["t"]).cwiseAbs().maxCoeff(), 1e-15);
  // the tip turns about the elbow, which turns about the shoulder
  for (int row = 0; row < out.rows(); ++row) {
    const double elbow = out(row, "link2.y"), spin = out(row, "spin");
    EXPECT_NEAR(out(row, "tip.vx"), -elbow * out(row, "v.q1") - (y[row] - elbow) * spin, 1e-12);
  }
  EXPECT_EQ(out.about(out.column("tip.vz")).unit, "m/s");
  EXPECT_EQ(out.about(out.column("tip.wx")).unit, "rad/s");
}

TEST(ScenarioRecord, WhatIsPlottedOfDefinitionsIsRecorded) {
  const Scenario scenario = defined_scenario(two_links + R"yaml(
define: {reach: "hypot(tip.x, tip.y)", lift: tip.y, none: q1}
record: {expressions: [lift]}
plots:
  - {title: Reach, x: lift, columns: [reach, q.q1]}
)yaml");
  const Recording out = run_of(scenario);
  EXPECT_GE((out["reach"] - out["lift"]).minCoeff(), 0);
  EXPECT_THROW((void)out.column("none"), Error);
}

}  // namespace
}  // namespace trammel
