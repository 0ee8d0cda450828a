// Inputs of a scenario: numbers that are set while it runs.
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/model/configuration.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Scenario read_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots", overrides);
}

// A slider on x, a turning arm on it, a free ball.
const std::string block_and_ball = R"(
bodies:
  slider: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.2, 0.2]}
  ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: s, prismatic: x, from: world, to: slider}
  - {name: a, revolute: z, from: slider, to: arm, at: {xyz: [0, 0, 1]}}
  - {name: free, floating: true, from: world, to: ball}
initial: {assemble: false}
simulate: {duration: 1, drift: none}
)";

TEST(ScenarioInputs, AreThoseOfTheSystemWithTheirValues) {
  const std::string text = block_and_ball + "constants: {r: 50 mm}\ninputs: {push: 0, gain: 20*r}\n";
  const System system = read_text(text).system;
  EXPECT_EQ(system.input_names(), (std::vector<std::string>{"push", "gain"}));
  EXPECT_EQ(system.input_values(), (std::vector<double>{0, 1}));
  EXPECT_EQ(read_text(text, {"inputs.push=30 mm"}).system.input_values(), (std::vector<double>{0.03, 1}));
}

TEST(ScenarioInputs, StandInForcesAndEquations) {
  const Scenario scenario = read_text(block_and_ball + R"(
inputs: {push: 0.5, gain: 2}
forces:
  - {joint: s, force: push - gain*s}
  - {point: ball, force: [gain, 0, -push]}
constraints:
  - {name: place, equation: a = push + start(a) + 0.1*t}
control:
  - {name: speed, equation: v(s) = gain*s}
)");
  const Model& model = scenario.system.model;
  VecX<> q = neutral_configuration(model), v = VecX<>::Zero(model.nv());
  q[0] = 0.2, q[1] = 0.4, v[0] = 1.5;
  Kinematics<> kin(model);
  kinematics<double>(model, q, v, kin);
  for (const std::vector<double>& inputs : {std::vector<double>{0.5, 2}, std::vector<double>{-3, 20}}) {
    const double push = inputs[0], gain = inputs[1];
    const Movement<double> now{kin, q, v, 0.7, inputs};
    VecX<> tau = VecX<>::Zero(model.nv()), expected = tau;
    for (const NamedForce& force : scenario.system.forces) force.law->add_to(model, now, tau);
    expected << push - gain * 0.2, 0, gain, 0, -push, 0, 0, 0;
    EXPECT_LT((tau - expected).norm(), 1e-14);
    VecX<> phi(1), psi(1);
    scenario.system.constraints[0].law->phi(now.placement(), phi);
    scenario.system.constraints[1].law->psi(now, psi);
    EXPECT_NEAR(phi[0], 0.4 - push - 0.07, 1e-14);
    EXPECT_NEAR(psi[0], 1.5 - gain * 0.2, 1e-14);
  }
}

TEST(ScenarioInputs, HaveTheFilesValuesWhereTheStartIsAssembled) {
  const Scenario scenario = read_text(R"(
robot: two-link.urdf
inputs: {place: 30 deg}
constraints: [{name: led, equation: q1 = place}]
)");
  ASSERT_TRUE(scenario.assembly && scenario.assembly->closed());
  EXPECT_NEAR(scenario.start.q[0], std::numbers::pi / 6, 1e-12);
}

}  // namespace
}  // namespace trammel
