// Loops whose rows depend on each other on the constraints only: Bennett's and Bricard's linkages. Beside them the same links, led by the
// closed forms of their angles in place of a hinge.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/core.h>

#include "support/worst.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

struct Linkage {
  std::string links, angles;  // scenarios: without constraints; the equations of the angles
  int rows;                   // independent ones
};

// Four links: lengths a, b, twists α, β in turns, sin α / a = sin β / b; tan(θ₀/2) tan(θ₁/2) = sin((β+α)/2) / sin((β−α)/2), θ₂ = −θ₀.
Linkage bennett(double a, double alpha, double beta, double angle, double speed) {
  return {fmt::format(R"(
constants: {{a: {}, alpha: {}, beta: {}, b: a*sin(beta)/sin(alpha), k: sin((beta + alpha)/2)/sin((beta - alpha)/2), q: {}}}
bodies:
  l0: {{mass: 1, com: [a/2, 0, 0], inertia: [0.001, a^2/12, a^2/12]}}
  l1: {{mass: 1, com: [b/2, 0, 0], inertia: [0.001, b^2/12, b^2/12]}}
  l2: {{mass: 1, com: [a/2, 0, 0], inertia: [0.001, a^2/12, a^2/12]}}
joints:
  - {{name: a0, revolute: z, from: world, to: l0}}
  - {{name: a1, revolute: z, from: l0, to: l1, at: {{xyz: [a, 0, 0], rpy: [alpha, 0, 0]}}}}
  - {{name: a2, revolute: z, from: l1, to: l2, at: {{xyz: [b, 0, 0], rpy: [beta, 0, 0]}}}}
frames:
  tip: {{on: l2, at: {{xyz: [a, 0, 0], rpy: [alpha, 0, 0]}}}}
  pin: {{on: world, at: {{xyz: [-b, 0, 0], rpy: [-beta, 0, 0]}}}}
initial: {{q: {{a0: q, a1: 2*atan(k/tan(q/2)), a2: -q}}, v: {{a0: {}}}, assemble: {{keep: [a0]}}}}
record: {{every: 0.1}}
)",
                      a, alpha, beta, angle, speed),
          R"(
  - {name: turn, equation: a2 = -a0}
  - {name: half, equation: sin(a0/2)*sin(a1/2) = k*cos(a0/2)*cos(a1/2)}
)",
          2};
}

// Six links of length a, twisted by right angles to either side in turns; cos θ₀ + cos θ₁ + cos θ₀ cos θ₁ = 0, θ₂ = θ₄ = θ₀, θ₃ = θ₁.
Linkage bricard(double a, double angle, double speed) {
  std::string text = fmt::format("constants: {{a: {}, q: {}, p: acos(-cos(q)/(1 + cos(q)))}}\nbodies:\n", a, angle);
  for (int i = 0; i < 5; ++i)
    text += fmt::format("  l{}: {{mass: 1, com: [a/2, 0, 0], inertia: [0.001, a^2/12, a^2/12]}}\n", i);
  text += "joints:\n  - {name: a0, revolute: z, from: world, to: l0}\n";
  for (int i = 1; i < 5; ++i)
    text += fmt::format(
        "  - {{name: a{0}, revolute: z, from: l{1}, to: l{0}, at: {{xyz: [a, 0, 0], rpy: [{2}90 deg, 0, 0]}}}}\n", i,
        i - 1, i % 2 == 1 ? "" : "-");
  text += fmt::format(R"(frames:
  tip: {{on: l4, at: {{xyz: [a, 0, 0], rpy: [90 deg, 0, 0]}}}}
  pin: {{on: world, at: {{xyz: [-a, 0, 0], rpy: [90 deg, 0, 0]}}}}
initial: {{q: {{a0: q, a1: p, a2: q, a3: p, a4: q}}, v: {{a0: {}}}, assemble: {{keep: [a0]}}}}
record: {{every: 0.1}}
)",
                      speed);
  return {text, R"(
  - {name: two, equation: a2 = a0}
  - {name: three, equation: a3 = a1}
  - {name: four, equation: a4 = a0}
  - {name: cosines, equation: cos(a0) + cos(a1) + cos(a0)*cos(a1) = 0}
)",
          4};
}

Simulation run_of(const Linkage& linkage, const std::string& constraints, const std::string& how) {
  const Scenario scenario = read_scenario_text(
      linkage.links + "constraints:" + constraints + "simulate: {duration: 5, " + how + "}\n", "linkage.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

TEST(Overconstrained, LinkagesOfBennettAndBricardMoveAsTheirClosedFormsSay) {
  const Linkage linkages[] = {bennett(1, 0.6, 1.1, 0.8, 2), bennett(0.5, 0.4, 2.2, 1.5, 6), bricard(0.5, 1.9, 2),
                              bricard(0.5, 1.7, 8)};
  // Errors of a run are 1e3 of its tolerance at most, and what rounding makes of dependent rows (1e-9 of v̇ is within what agrees).
  const std::pair<const char*, double> settings[] = {{"integrator: dopri5", 1e-6},
                                                     {"integrator: dop8, tolerance: 1e-12", 1e-7},
                                                     {"integrator: rk4, step: 2 ms", 1e-6}};
  for (const auto& [how, bound] : settings) {
    test::Worst worst(std::string("angles beside those of closed forms, ") + how);
    for (const Linkage& linkage : linkages) {
      const Simulation exact = run_of(linkage, linkage.angles, "integrator: dop8, tolerance: 1e-12");
      const Simulation run = run_of(linkage, "\n  - {name: loop, hinge: [tip, pin]}\n", how);
      ASSERT_EQ(run.status, RunStatus::finished) << how << ": " << run.what;
      EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
      // no more than the same motion without redundant rows: what is left is the control of steps
      const Simulation regular = run_of(linkage, linkage.angles, how);
      const double rejected = static_cast<double>(regular.rejected_steps) / static_cast<double>(regular.steps);
      EXPECT_LT(run.rejected_steps, std::max(0.05, rejected) * run.steps + 2) << how;
      // 13 a step of dop8, and what is looked at inside steps: a joint without force has some at stages, which is no peak
      EXPECT_LT(run.evaluations, 20 * (run.steps + run.rejected_steps)) << how;
      EXPECT_EQ(run.recording["rank"].minCoeff(), linkage.rows);
      EXPECT_EQ(run.recording["rank"].maxCoeff(), linkage.rows);
      for (const char* name : {"q.a0", "q.a1", "q.a2"})
        worst.see((run.recording[name] - exact.recording[name]).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst.value(), bound);
  }
}

// Rows at 45° to the links: the one that is dropped has its usual size, and nothing but its opening tells that it does not follow.
TEST(Overconstrained, AStartAtRestWhereRowsFollowFromOthersThatDoNotElsewhereIsTold) {
  const Scenario scenario = read_scenario_text(R"(
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01]}
  coupler: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.08, 0.08]}
  rocker: {mass: 1, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01]}
constants: {s: sqrt(0.5)}
joints:
  - {name: a, revolute: z, from: world, to: crank, at: {rpy: [0, 0, 45 deg]}}
  - {name: b, revolute: z, from: crank, to: coupler, at: {xyz: [0.4, 0, 0]}}
  - {name: c, revolute: z, from: world, to: rocker, at: {xyz: [s, s, 0], rpy: [0, 0, 45 deg]}}
frames: {tip: {on: coupler, at: {xyz: [1, 0, 0]}}, pin: {on: rocker, at: {xyz: [0.4, 0, 0]}}}
constraints: [{name: loop, coincide: [tip, pin], axes: xy}]
simulate: {duration: 1}
)",
                                               "flat.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("the start is a singular posture"), std::string::npos);
  EXPECT_EQ(run.recording(run.recording.rows() - 1, "rank"), 2);
  EXPECT_LT(run.worst_phi, 1e-11);
}

}  // namespace
}  // namespace trammel
