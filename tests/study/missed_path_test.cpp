// Paths of motors that last far less than a run.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/worst.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Simulation run_of(const std::string& text) {
  const Scenario scenario = read_scenario_text(text, "short.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

// Two links whose motors lead them from rest to rest within T seconds, of 2.
Simulation led_within(double T, const char* how) {
  return run_of(fmt::format(R"(
gravity: [0, -9.81, 0]
bodies:
  a: {{mass: 1, com: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}}
  b: {{mass: 0.6, com: [0.2, 0, 0], inertia: [0, 0.02, 0.02]}}
joints:
  - {{name: a, revolute: z, from: world, to: a}}
  - {{name: b, revolute: z, from: a, to: b, at: {{xyz: [0.6, 0, 0]}}}}
motion: {{a: start + 0.07*minjerk(t/{0}), b: start - 0.48*cycloid(t/{0})}}
actuators: [{{joint: a}}, {{joint: b}}]
initial: {{q: {{a: 0.4, b: 0.3}}}}
simulate: {{duration: 2, {1}}}
)",
                            T, how));
}

TEST(MissedPath, MotorsFollowAPathThatIsOverWithinTheFirstStep) {
  test::Worst worst("path of motors missed by, rad");
  for (const double T : {1.0, 1e-2, 5e-4, 1e-6})
    for (const char* how : {"integrator: dopri5", "integrator: dop8, tolerance: 1e-12"}) {
      const Simulation run = led_within(T, how);
      ASSERT_EQ(run.status, RunStatus::finished) << run.what;
      EXPECT_TRUE(run.warnings.empty()) << T << " s: " << run.warnings.front();
      // errors of the speeds while the path lasts, up to 1e-9 of the 1/T rad/s that they are, go on for 2 s
      worst.see(run.worst_path.angle / (1e-9 / T + 1e-8));
    }
  EXPECT_LT(worst.value(), 1);
}

TEST(MissedPath, IsToldOfFixedSteps) {
  for (const char* how : {"integrator: heun, step: 5 ms", "integrator: rk4, step: 20 ms, drift: none"}) {
    const Simulation run = led_within(5e-4, how);
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_FALSE(run.is_good());
    ASSERT_EQ(run.left_open.size(), 2u);
    EXPECT_NE(run.left_open[1].find("'motion b' is missed by 0.48 rad"), std::string::npos) << run.left_open[1];
  }
  EXPECT_TRUE(led_within(1, "integrator: rk4, step: 5 ms").is_good());
}

}  // namespace
}  // namespace trammel
