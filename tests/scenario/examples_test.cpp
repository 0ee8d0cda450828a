#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"

// What the comments of examples/ promise, against closed forms that share nothing with the program. Runs have a tolerance of
// 1e-10, so that places are good to about 1e-9 over some seconds.

namespace trammel {
namespace {

using std::numbers::pi;

Recording run(const std::string& example) {
  const Scenario scenario = read_scenario(TRAMMEL_SOURCE_DIR "/examples/" + example + ".yaml");
  Simulation simulation = simulate(scenario.system, scenario.start, scenario.simulate);
  EXPECT_EQ(simulation.status, RunStatus::finished) << simulation.what;
  return std::move(simulation.recording);
}

double at(const Recording& recording, double t, const std::string& column) {
  const VecX<> times = recording["t"];
  int row = 0;
  while (row + 1 < times.size() && times[row] < t - 1e-9) ++row;
  EXPECT_NEAR(times[row], t, 1e-9);
  return recording(row, column);
}

// The largest difference of a column from a function of the time.
template <class Form>
double apart(const Recording& recording, const std::string& column, Form form) {
  double worst = 0;
  for (int row = 0; row < recording.rows(); ++row)
    worst = std::max(worst, std::abs(recording(row, column) - form(recording(row, "t"))));
  return worst;
}

TEST(Examples, TheTrammelDrawsItsEllipse) {
  const Recording trammel = run("06-trammel-of-archimedes");
  for (int row = 0; row < trammel.rows(); ++row) {
    const double x = trammel(row, "pen.x") / 0.3, y = trammel(row, "pen.y") / 0.5;
    ASSERT_NEAR(x * x + y * y, 1, 1e-13);
  }
}

TEST(Examples, TheFiveBarsMotorsFollowItsInverseKinematics) {
  const Recording five_bar = run("07-five-bar");
  // q = atan2(y, x − b) ± acos((0.25² + D² − 0.35²) / (2 · 0.25 D)), worked out by hand at t = 0.5
  EXPECT_NEAR(at(five_bar, 0.5, "q.left motor"), 1.8952733855943755, 1e-8);
  EXPECT_NEAR(at(five_bar, 0.5, "q.right motor"), 0.7161775496974767, 1e-8);
}

TEST(Examples, TheDoublePendulumsRodsCarryTheirLoads) {
  const Recording pendulum = run("09-double-pendulum-cartesian");
  // at rest: −g cos 2 / (1 − c²/2) and c/2 of that, c the cosine of the angle between the rods
  const double c = std::cos(0.5), upper = -9.81 * std::cos(2.0) / (1 - c * c / 2);
  EXPECT_NEAR(at(pendulum, 0, "lambda.upper rod"), upper, 1e-12);
  EXPECT_NEAR(at(pendulum, 0, "lambda.lower rod"), c / 2 * upper, 1e-12);
}

TEST(Examples, TheSliderMovesAsTheCrankSays) {
  const Recording slider = run("10-slider-crank");
  EXPECT_NEAR(at(slider, 0, "vdot.slide"), -156.25, 1e-8);  // −r ω² (1 + r/l)
  EXPECT_NEAR(at(slider, 0.01, "u.turn"), 2.77235144, 1e-7);
}

TEST(Examples, TheStewartPlatformsLegsAndLoads) {
  const Recording stewart = run("12-stewart");
  const double g = 9.81, L = std::sqrt(2.25 - std::cos(40 * pi / 180));
  EXPECT_NEAR(at(stewart, 0, "q.motor 1"), L, 1e-11);
  EXPECT_NEAR(at(stewart, 0, "u.motor 1"), L * (10 * g / 6 + g * (1 + 0.25 * (1 / L - 1 / (L * L * L)))), 1e-9);
}

TEST(Examples, TheSleighTurnsAsItsClosedFormSays) {
  const Recording sleigh = run("13-chaplygin-sleigh");
  EXPECT_NEAR(at(sleigh, 1, "v.ice[2]"), 1.9002250181983218, 1e-8);  // V/k sech(a V (t − t₀)/k²)
}

TEST(Examples, TheDiscRollsInACircle) {
  const Recording disc = run("14-rolling-disc");
  EXPECT_LT(apart(disc, "q.track[2]", [](double t) { return 0.81081426256993249 * t; }), 1e-8);
  EXPECT_LT(apart(disc, "q.lean", [](double) { return -0.2; }), 1e-9);
}

TEST(Examples, TheMobileRobotsWheelsTellItsHeading) {
  const Recording robot = run("16-mobile-robot");
  EXPECT_NEAR(at(robot, 10, "q.floor[2]"), 0.7768284421567,
              1e-8);  // θ̇ = (−ẋ sin θ + ẏ cos θ)/0.2, by another integrator
}

TEST(Examples, TheTetherPullsAsMuchAsItsSwingNeeds) {
  const Recording satellites = run("17-tethered-satellites");
  EXPECT_NEAR(at(satellites, 0, "lambda.tether"), -0.136125, 1e-11);  // −3 μ n² d cos² 30°
}

}  // namespace
}  // namespace trammel
