// A row in other units is the same row.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/worst.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

// A bead on an ellipse that slides on a leaning rod, its rows multiplied by `a` and `b`.
Simulation bead(double a, double b, const char* how) {
  const Scenario scenario = read_scenario_text(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies: {{gx: {{mass: 0}}, gy: {{mass: 0}}, bead: {{mass: 1.3}}}}
joints:
  - {{name: x, prismatic: x, from: world, to: gx}}
  - {{name: y, prismatic: y, from: gx, to: gy}}
  - {{name: z, prismatic: z, from: gy, to: bead}}
constraints:
  - {{name: ellipse, equation: "{0:g}*(x^2 + 2*z^2 - 1) = 0"}}
  - {{name: plane, equation: "{1:g}*(y - 0.3*x) = 0"}}
initial: {{q: {{x: 1}}}}
record: {{every: 0.1}}
simulate: {{duration: 2, {2}}}
)",
                                                           a, b, how),
                                               "bead.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

TEST(RowScale, ChangesNothing) {
  for (const char* how : {"integrator: dopri5", "integrator: rk4, step: 5 ms",
                          "integrator: dopri5, drift: {baumgarte: {alpha: 20, beta: 100}}"}) {
    const Simulation plain = bead(1, 1, how);
    ASSERT_EQ(plain.status, RunStatus::finished) << plain.what;
    test::Worst motion(std::string("rows times 1e±8, ") + how), force("their forces");
    for (const auto& [a, b] : {std::pair{1e8, 1.0}, {1.0, 1e-8}, {1e8, 1e-8}, {1e-8, 1e8}, {1e-8, 1e-8}}) {
      const Simulation run = bead(a, b, how);
      ASSERT_EQ(run.status, RunStatus::finished) << a << ' ' << b << ": " << run.what;
      EXPECT_EQ(run.recording(0, "rank"), 2);
      EXPECT_EQ(run.steps, plain.steps);
      for (const char* name : {"q.x", "q.y", "q.z", "v.x", "v.z", "Qc.x", "Qc.z"})
        motion.see((run.recording[name] - plain.recording[name]).cwiseAbs().maxCoeff());
      const VecX<> lambda = plain.recording["lambda.ellipse"];
      force.see((a * run.recording["lambda.ellipse"] - lambda).cwiseAbs().maxCoeff() / lambda.cwiseAbs().maxCoeff());
    }
    EXPECT_LT(motion.value(), 1e-10);  // some hundred steps of roundings, and accelerations of up to 30 m/s²
    EXPECT_LT(force.value(), 1e-10);
  }
}

// An arm whose start is open: what an assembly leaves of a row is compared with its usual gradient.
TEST(RowScale, ChangesNothingInTheStart) {
  const auto start = [](double scale) {
    return read_scenario_text(fmt::format(R"yaml(
bodies: {{a: {{mass: 1, com: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}}, b: {{mass: 1, com: [0.2, 0, 0], inertia: [0, 0.02, 0.02]}}}}
joints:
  - {{name: p, revolute: z, from: world, to: a}}
  - {{name: q, revolute: z, from: a, to: b, at: {{xyz: [0.6, 0, 0]}}}}
constraints: [{{name: e, equation: "{:g}*(sin(p) + 0.7*sin(p + q) - 0.4) = 0"}}]
initial: {{q: {{p: 0.2, q: 0.4}}}}
simulate: {{duration: 0.5}}
)yaml",
                                          scale),
                              "arm.yaml");
  };
  const Scenario plain = start(1);
  for (const double scale : {1e-14, 1e-12, 1e-8, 1e8, 1e12}) {
    const Scenario scaled = start(scale);
    EXPECT_LT((scaled.start.q - plain.start.q).cwiseAbs().maxCoeff(), 1e-13) << scale;
    EXPECT_TRUE(simulate(scaled.problem(), scaled.start, scaled.simulate).is_good()) << scale;
  }
}

TEST(Contradiction, EndsARunWhateverTheDriftControlByName) {
  for (const char* drift : {"projection", "none", "{baumgarte: {alpha: 10, beta: 100}}"}) {
    const Scenario scenario = read_scenario_text(fmt::format(R"(
bodies: {{m: {{mass: 1}}}}
joints: [{{name: x, prismatic: x, from: world, to: m}}]
constraints: [{{name: c, equation: x = t^3}}, {{name: e, equation: x = 2*t^3}}]
simulate: {{duration: 1, drift: {}}}
)",
                                                             drift),
                                                 "contradiction.yaml");
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.status, RunStatus::contradictory) << drift << run.what;
    EXPECT_TRUE(run.what.find("e contradicts c") != std::string::npos ||
                run.what.find("c contradicts e") != std::string::npos)
        << run.what;
  }
}

}  // namespace
}  // namespace trammel
