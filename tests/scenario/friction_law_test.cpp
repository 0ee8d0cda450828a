// Friction by a law of one's own.
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Recording run_with_friction(const std::string& friction, const std::string& more = "") {
  const Scenario scenario = read_scenario_text(R"yaml(
robot: serial.urdf
constants: {mu: 0.2}
inputs: {grip: 1}
constraints:
  - {name: table, point: tool, on: {plane: {through: [0, 0, 0.3]}}, friction: )yaml" +
                                                   friction + R"yaml(}
initial: {q: {alpha2: 40 deg, alpha3: -60 deg}, v: {gamma1: 0.5}}
simulate: {duration: 0.3 s}
record: {every: 10 ms}
)yaml" + more,
                                               "test.yaml", TRAMMEL_SOURCE_DIR "/robots");
  Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_TRUE(run.energy.is_good()) << run.energy.what;
  return std::move(run.recording);
}

TEST(FrictionLaws, AreCoulombsWhereTheySayTheSame) {
  const Recording known = run_with_friction("0.2");
  for (const char* law : {"{force: mu*normal}", "{force: normal*grip/5}", "{force: 0.2*normal + 0*speed*t}"}) {
    const Recording own = run_with_friction(law);
    for (const char* column : {"q.gamma1", "v.alpha2", "lambda.table", "work.table", "Qc.alpha3"})
      EXPECT_LT((own[column] - known[column]).cwiseAbs().maxCoeff(), 1e-12 * known[column].cwiseAbs().maxCoeff())
          << law << " " << column;
  }
  EXPECT_GT(known["work.table"].cwiseAbs().maxCoeff(), 1e-3);
}

// m v̇ = −(μ m g + c v): v = (v₀ + k) e^(−ct/m) − k, k = μ m g/c, until it stops.
TEST(FrictionLaws, OfNormalForceAndSpeedSlowASledgeAsTheClosedFormSays) {
  const Scenario scenario = read_scenario_text(R"yaml(
bodies: {sledge: {mass: 20, inertia: [1, 1, 1]}}
joints: [{name: free, planar: y, from: world, to: sledge}]
constraints:
  - {name: ice, point: sledge, on: {plane: {}}, friction: {force: 0.03*normal + 4*speed}}
  - {name: upright, equation: "free[2] = 0"}
initial: {v: {"free[1]": 2}}
simulate: {duration: 2 s, friction_speed: 1e-7, integrator: dop8, tolerance: 1e-12}
)yaml",
                                               "test.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  const double k = 0.03 * 20 * 9.81 / 4;
  for (int row = 0; row < run.recording.rows(); ++row)
    EXPECT_NEAR(run.recording(row, "v.free[1]"), (2 + k) * std::exp(-0.2 * run.recording(row, "t")) - k, 1e-10);
}

}  // namespace
}  // namespace trammel
