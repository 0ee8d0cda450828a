// Limits that are passed inside a step, by a joint that is back before it ends.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

// x = sin t, v = cos t, whose steps do not end where it turns back; and the same mirrored, or begun a quarter of a period earlier.
Simulation swing(const std::string& x, const std::string& v, const std::string& limit, const std::string& how) {
  const Scenario scenario = read_scenario_text(fmt::format(R"(
gravity: [0, 0, 0]
bodies: {{a: {{mass: 1}}}}
joints: [{{name: x, prismatic: x, from: world, to: a, stiffness: 1, {}}}]
initial: {{q: {{x: {}}}, v: {{x: {}}}}}
simulate: {{duration: 5, {}}}
)",
                                                           limit, x, v, how),
                                               "swing.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}

constexpr const char* methods[] = {"integrator: dop8, tolerance: 1e-13", "integrator: dopri5, tolerance: 1e-12",
                                   "integrator: rk4, step: 3 ms"};
constexpr double over = 1e-8;
// sin t = 1 − 1e-8 there, and the first time when it is
const double quarter = std::acos(0.0), first = quarter - std::acos(1 - over);

TEST(LimitTurns, APlaceThatIsPassedBetweenTheEndsOfAStepIsTold) {
  for (const char* method : methods) {
    const Simulation up = swing("0", "1", "limits: [-2, 0.99999999]", method);
    ASSERT_EQ(up.warnings.size(), 1u) << method;
    EXPECT_NE(up.warnings[0].find(fmt::format("passes its upper limit 1 at t = {:.4g} s", first)), std::string::npos)
        << up.warnings[0];
    const Simulation down = swing("0", "-1", "limits: [-0.99999999, 2]", method);
    ASSERT_EQ(down.warnings.size(), 1u) << method;
    EXPECT_NE(down.warnings[0].find("passes its lower limit"), std::string::npos) << down.warnings[0];
    EXPECT_TRUE(swing("0", "1", "limits: [-2, 1.00000001]", method).warnings.empty()) << method;
  }
}

TEST(LimitTurns, ASpeedThatIsPassedBetweenTheEndsOfAStepIsTold) {
  for (const char* method : methods)
    for (const char* from : {"-1", "1"}) {
      const Simulation run = swing(from, "0", "speed_limit: 0.99999999", method);
      ASSERT_EQ(run.warnings.size(), 1u) << method;
      EXPECT_NE(run.warnings[0].find(fmt::format("passes its speed limit 1 m/s at t = {:.4g} s", first)),
                std::string::npos)
          << run.warnings[0];
      EXPECT_TRUE(swing(from, "0", "speed_limit: 1.00000001", method).warnings.empty()) << method;
    }
}

TEST(LimitTurns, ARunThatIsToStopThereDoes) {
  for (const char* method : methods) {
    const Simulation run = swing("0", "1", "limits: [-2, 0.99999999]", std::string(method) + ", limits: stop");
    EXPECT_EQ(run.status, RunStatus::at_limit) << method;
    EXPECT_NEAR(run.end.t, first, 1e-6) << method;
    EXPECT_EQ(swing("0", "1", "limits: [-2, 1.00000001]", std::string(method) + ", limits: stop").status,
              RunStatus::finished)
        << method;
  }
}

// The largest value is told, not that at the end of a step.
TEST(LimitTurns, TheLargestSpeedIsToldThatIsReachedInsideAStep) {
  const Simulation run = swing("-1", "0", "speed_limit: 0.5", "integrator: dop8, tolerance: 1e-9");
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("(1 m/s at t = "), std::string::npos) << run.warnings[0];
}

}  // namespace
}  // namespace trammel
