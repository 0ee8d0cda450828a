// The system of a scenario alone, with laws in code besides.
#include <gtest/gtest.h>

#include "trammel/constraints/joint_coupling.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

const char* const two_pendulums = R"(
name: two pendulums
bodies:
  left: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  right: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: a, revolute: y, from: world, to: left}
  - {name: b, revolute: y, from: world, to: right}
constraints:
  - {name: held, equation: b = start(a) + 1}
forces:
  - {joint: a, torque: 3}
initial: {q: {a: 0.2, b: 0.3}}
)";

// a = 0.7, as a law in code.
void add_law(System& system) {
  system.constrain("led", std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1}},
                                                          [](const Jet&) { return Jet(0.7); }));
}

TEST(SystemText, IsTheSystemOfTheScenario) {
  const System alone = read_system_text(two_pendulums, "text");
  const Scenario scenario = read_scenario_text(two_pendulums, "text");
  const VecX<> q = Eigen::Vector2d(0.3, 0.4), v = Eigen::Vector2d(1, -2);
  const Equation got = dense_equation(alone, q, v), wanted = dense_equation(scenario.system, q, v);
  EXPECT_EQ(got.M, wanted.M);
  EXPECT_EQ(got.Q, wanted.Q);
  EXPECT_EQ(got.A, wanted.A);
  EXPECT_EQ(got.b, wanted.b);
}

TEST(SystemText, LawsInCodeHoldAtTheStartThatExpressionsSpeakOf) {
  const System system = read_system_text(two_pendulums, "text", {}, add_law);
  ASSERT_EQ(system.constraints.size(), 2U);
  VecX<> phi(1);
  const VecX<> q = Eigen::Vector2d(0.7, 1.7), v = VecX<>::Zero(2);
  Kinematics<> kin(system.model);
  kinematics<double>(system.model, q, v, kin);
  system.constraints[0].law->phi(Placement<double>{kin, q, 0}, phi);
  EXPECT_NEAR(phi[0], 0, 1e-12);  // start(a) is 0.7, not 0.2
  EXPECT_EQ(system.forces.size(), 1U);
}

TEST(SystemText, LawsInCodeStayWhereNumbersChange) {
  const System system = read_system_text(two_pendulums, "text", {}, add_law);
  ASSERT_NE(system.source, nullptr);
  const System heavier = system.source->make({{"bodies.left.mass", 5}});
  EXPECT_EQ(heavier.constraints.size(), 2U);
  const VecX<> zero = VecX<>::Zero(2);
  EXPECT_NEAR(dense_equation(heavier, zero, zero).M(0, 0), 5 * 0.25 + 0.1, 1e-15);
}

TEST(SystemText, RefusesWhatRunsAloneHave) {
  const auto message = [](const std::string& more) -> std::string {
    try {
      (void)read_system_text(two_pendulums + more, "text");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  const std::string allowed =
      "; allowed: a scenario that is run; a system is led by a Simulator, from sample to sample";
  EXPECT_EQ(message("inputs: {push: 0}\ncontrollers: [{name: c, every: 1 ms, out: {push: 1}}]\n"),
            "text:15:1: found controllers of a system alone" + allowed);
  EXPECT_EQ(message("actuators: [{joint: a, every: 1 ms}]\n"),
            "text:14:24: found motors of a system alone that are sampled" + allowed);
  EXPECT_EQ(message("actuators: [{joint: a}]\n"), "");
}

TEST(SystemText, AStartThatDoesNotCloseIsRefusedWhereItIsUsed) {
  std::string text = two_pendulums;
  text += "control:\n  - {name: impossible, equation: a = 5 + a}\n";
  EXPECT_THROW(read_system_text(text, "text"), Error);
}

}  // namespace
}  // namespace trammel
