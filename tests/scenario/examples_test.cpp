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
  // an arm of 0.25 m at b and a rod of 0.35 m: q = atan2(y, x − b) ± acos((0.25² + D² − 0.35²) / (2 · 0.25 D))
  const auto motor = [](double base, double side) {
    return [=](double t) {
      const double x = 0.15 + 0.08 * std::sin(pi * t) - base, y = 0.4 + 0.04 * std::sin(2 * pi * t), D2 = x * x + y * y;
      return std::atan2(y, x) + side * std::acos((0.0625 + D2 - 0.1225) / (0.5 * std::sqrt(D2)));
    };
  };
  EXPECT_LT(apart(five_bar, "q.left motor", motor(0, 1)), 1e-8);
  EXPECT_LT(apart(five_bar, "q.right motor", motor(0.3, -1)), 1e-8);
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
  const double r = 0.05, l = 0.2, w = 50;
  EXPECT_NEAR(at(slider, 0, "vdot.slide"), -r * w * w * (1 + r / l), 1e-8);
  // the motor gives what the kinetic energy of rod and piston takes: u ω = m ẋ ẍ + …, the rod inclined by ψ, l sin ψ = r sin θ
  const auto torque = [=](double t) {
    const double sine = std::sin(w * t), cosine = std::cos(w * t);
    const double sine_psi = r / l * sine, cosine_psi = std::sqrt(1 - sine_psi * sine_psi);
    const double psi_rate = r / l * w * cosine / cosine_psi;
    const double psi_acceleration = (psi_rate * psi_rate * sine_psi - r / l * w * w * sine) / cosine_psi;
    const auto power_of_x = [&](double mass, double along) {  // of a point of the rod
      const double rate = -r * w * sine - along * psi_rate * sine_psi;
      const double acceleration =
          -r * w * w * cosine - along * (psi_acceleration * sine_psi + psi_rate * psi_rate * cosine_psi);
      return mass * rate * acceleration;
    };
    const double power_of_y = -0.4 * (r / 2) * (r / 2) * w * w * w * sine * cosine;
    const double power_of_turning = 0.4 * l * l / 12 * psi_rate * psi_acceleration;
    return (power_of_x(0.5, l) + power_of_x(0.4, l / 2) + power_of_y + power_of_turning) / w;
  };
  EXPECT_LT(apart(slider, "u.turn", torque), 1e-7);
}

TEST(Examples, TheStewartPlatformsLegsAndLoads) {
  const Recording stewart = run("12-stewart");
  const double g = 9.81, L = std::sqrt(2.25 - std::cos(40 * pi / 180));
  EXPECT_NEAR(at(stewart, 0, "q.motor 1"), L, 1e-11);
  EXPECT_NEAR(at(stewart, 0, "u.motor 1"), L * (10 * g / 6 + g * (1 + 0.25 * (1 / L - 1 / (L * L * L)))), 1e-9);
}

TEST(Examples, TheSleighTurnsAsItsClosedFormSays) {
  const Recording sleigh = run("13-chaplygin-sleigh");
  // m v² + (m a² + I) ω² stays V² m:  v = V tanh(a V (t − t₀)/k²),  ω = V/k sech of the same,  k² = a² + I/m
  const double a = 0.5, k2 = 1.25, V = std::sqrt(1 + 4 * k2), t0 = k2 / (a * V) * std::atanh(1 / V);
  EXPECT_LT(apart(sleigh, "v.ice[2]", [=](double t) { return V / std::sqrt(k2) / std::cosh(a * V * (t - t0) / k2); }),
            1e-8);
}

TEST(Examples, TheDiscRollsInACircle) {
  const Recording disc = run("14-rolling-disc");
  // turns about the contact, in balance with weight: m g r tan(lean) = ω² (m r b + J b/r + J/2 sin(lean))
  const double r = 0.5, b = 2, J = r * r / 2, lean = 0.2;
  const double w = std::sqrt(9.81 * r * std::tan(lean) / (r * b + J * b / r + J / 2 * std::sin(lean)));
  EXPECT_LT(apart(disc, "q.track[2]", [=](double t) { return w * t; }), 1e-8);
  EXPECT_LT(apart(disc, "q.lean", [](double) { return -0.2; }), 1e-9);
}

TEST(Examples, TheMobileRobotsWheelsTellItsHeading) {
  const Recording robot = run("16-mobile-robot");
  // θ̇ = (−ẋ sin θ + ẏ cos θ)/0.2 of the nose at (2 sin wt, sin 2wt), by the midpoint rule, extrapolated
  const auto rate = [](double t, double heading) {
    const double w = 0.2 * pi;
    return 2 * w * (std::cos(2 * w * t) * std::cos(heading) - std::cos(w * t) * std::sin(heading)) / 0.2;
  };
  const auto heading_after = [&](int steps) {
    const double h = 10.0 / steps;
    double heading = pi / 4;
    for (int i = 0; i < steps; ++i) {
      const double middle = heading + h / 2 * rate(h * i, heading);
      heading += h * rate(h * (i + 0.5), middle);
    }
    return heading;
  };
  const double heading = (4 * heading_after(400'000) - heading_after(200'000)) / 3;
  EXPECT_NEAR(at(robot, 10, "q.floor[2]"), heading, 1e-8);
}

TEST(Examples, TheTetherPullsAsMuchAsItsSwingNeeds) {
  const Recording satellites = run("17-tethered-satellites");
  EXPECT_NEAR(at(satellites, 0, "lambda.tether"), -0.136125, 1e-11);  // −3 μ n² d cos² 30°
}

}  // namespace
}  // namespace trammel
