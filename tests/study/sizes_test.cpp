// The same mechanism at every size, from a picometre to a terametre: the same digits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "support/worst.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

using namespace trammel::test;

Simulation run_at_size(const std::string& text) {
  const Scenario scenario = read_scenario_text(text, "size.yaml");
  Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << text << run.what;
  EXPECT_TRUE(run.energy.is_good()) << text << run.energy.what;
  return run;
}

// How far a run is from that at one metre: places over the size, speeds over size and time.
double apart_at_size(const Simulation& run, const Simulation& at_one_metre, double place, double time) {
  double out = 0;
  const int rows = std::min(run.recording.rows(), at_one_metre.recording.rows());
  EXPECT_EQ(run.recording.rows(), at_one_metre.recording.rows());
  for (int row = 0; row < rows; ++row) {
    const State a = run.recording.state(row), b = at_one_metre.recording.state(row);
    out = std::max({out, (a.q / place - b.q).cwiseAbs().maxCoeff(), (a.v * time / place - b.v).cwiseAbs().maxCoeff()});
  }
  return out;
}

// Two masses on rods, of size s in a field; they swing within about √(s/field).
std::string two_rods(double s, double field, double duration, const std::string& how) {
  return fmt::format(R"(
constants: {{s: {:.17g}}}
gravity: [0, {:.17g}, 0]
bodies: {{g1: {{mass: 0}}, m1: {{mass: 1}}, g2: {{mass: 0}}, m2: {{mass: 1}}}}
joints:
  - {{name: x1, prismatic: x, from: world, to: g1}}
  - {{name: y1, prismatic: y, from: g1, to: m1}}
  - {{name: x2, prismatic: x, from: world, to: g2}}
  - {{name: y2, prismatic: y, from: g2, to: m2}}
constraints:
  - {{name: r1, distance: [world, m1], length: s}}
  - {{name: r2, distance: [m1, m2], length: s}}
initial: {{q: {{x1: s*sin(2), y1: -s*cos(2), x2: s*(sin(2)+sin(2.5)), y2: -s*(cos(2)+cos(2.5))}}}}
simulate: {{duration: {:.17g}{}}}
record: {{every: {:.17g}}}
)",
                     s, -field, duration, how, duration / 10);
}

// A four-bar in angles.
std::string four_bar(double s, double field, double duration, const std::string& how) {
  return fmt::format(R"(
constants: {{s: {:.17g}}}
gravity: [0, {:.17g}, 0]
bodies:
  crank: {{mass: 1, com: [s/8, 0, 0], inertia: [0, s^2/192, s^2/192]}}
  coupler: {{mass: 2, com: [s/2, 0, 0], inertia: [0, s^2/6, s^2/6]}}
  rocker: {{mass: 1.5, com: [0.4*s, 0, 0], inertia: [0, 0.08*s^2, 0.08*s^2]}}
joints:
  - {{name: a, revolute: z, from: world, to: crank}}
  - {{name: b, revolute: z, from: crank, to: coupler, at: {{xyz: [s/4, 0, 0]}}}}
  - {{name: c, revolute: z, from: world, to: rocker, at: {{xyz: [s, 0, 0]}}}}
frames:
  end: {{on: coupler, at: {{xyz: [s, 0, 0]}}}}
  top: {{on: rocker, at: {{xyz: [0.8*s, 0, 0]}}}}
constraints: [{{name: loop, coincide: [end, top]}}]
initial: {{q: {{a: 1, b: -0.3, c: 1.5}}}}
simulate: {{duration: {:.17g}{}}}
record: {{every: {:.17g}}}
)",
                     s, -field, duration, how, duration / 10);
}

TEST(Sizes, ALoopOfRodsAndOneOfJointsMoveAlikeFromAPicometreToATerametre) {
  std::printf("[   seen   ] %8s %24s %24s %24s\n", "m", "rods, g with the size", "rods, g fixed", "four-bar, g fixed");
  Worst rods_scaled("rods whose field grows with them"), rods("rods in a fixed field"),
      bars("four-bars in a fixed field");
  for (const char* how : {"", ", integrator: dop8, tolerance: 1e-11", ", integrator: dopri5, tolerance: 1e-8"}) {
    const double duration = 1, loose = std::string(how).ends_with("1e-8") ? 100 : 1;
    const Simulation rods_at_1 = run_at_size(two_rods(1, 9.81, duration, how)),
                     bar_at_1 = run_at_size(four_bar(1, 9.81, duration, how));
    for (int power = -12; power <= 12; power += 3) {
      const double s = std::pow(10.0, power), time = std::sqrt(s);
      const double a = apart_at_size(run_at_size(two_rods(s, 9.81 * s, duration, how)), rods_at_1, s, 1);
      const double b = apart_at_size(run_at_size(two_rods(s, 9.81, duration * time, how)), rods_at_1, s, time);
      const Simulation bar = run_at_size(four_bar(s, 9.81, duration * time, how));
      const double c = apart_at_size(bar, bar_at_1, 1, time);
      std::printf("[   seen   ] %8.0e %24.1e %24.1e %24.1e %s\n", s, a, b, c, how);
      rods_scaled.see(a / loose);
      rods.see(b / loose);
      bars.see(c / loose);
    }
  }
  EXPECT_LT(rods_scaled.value(), 1e-7);
  EXPECT_LT(rods.value(), 1e-7);
  EXPECT_LT(bars.value(), 1e-7);
}

// From a guess that is open: a start that was closed to what rounding leaves of a decimetre would be far open beside a picometre.
TEST(Sizes, ASliderCrankClosesAndMovesAlikeFromAPicometreToATerametre) {
  const auto slider_crank = [](double s) {
    return run_at_size(fmt::format(R"(
constants: {{s: {:.17g}}}
gravity: [0, -9.81*s, 0]
bodies:
  crank: {{mass: 1, com: [0.1*s, 0, 0], inertia: [0, 0.01*s^2, 0.01*s^2]}}
  rod: {{mass: 1, com: [0.3*s, 0, 0], inertia: [0, 0.04*s^2, 0.04*s^2]}}
  slider: {{mass: 2}}
joints:
  - {{name: c, revolute: z, from: world, to: crank}}
  - {{name: r, revolute: z, from: crank, to: rod, at: {{xyz: [0.2*s, 0, 0]}}}}
  - {{name: x, prismatic: x, from: world, to: slider}}
frames: {{pin: {{on: rod, at: {{xyz: [0.7*s, 0, 0]}}}}}}
constraints: [{{name: loop, coincide: [pin, slider], axes: xy}}]
initial: {{q: {{c: 1, r: -1.3, x: 0.8*s}}}}
simulate: {{duration: 1}}
record: {{every: 0.1}}
)",
                                   s));
  };
  const Simulation at_1 = slider_crank(1);
  for (const double s : {1e-12, 1e-11, 1e-10, 1e-6, 1e-3, 1e6, 1e12}) {
    const Simulation run = slider_crank(s);
    ASSERT_EQ(run.recording.rows(), at_1.recording.rows());
    for (const char* angle : {"q.c", "q.r"})
      EXPECT_LT((run.recording[angle] - at_1.recording[angle]).cwiseAbs().maxCoeff(), 1e-7) << s;
  }
}

// Angles are those at 1 m, through the flat postures too: what rounding leaves of rows is compared with the size.
TEST(Sizes, AParallelogramPassesItsFlatPostureFromATenthOfAPicometreToATerametre) {
  const auto parallelogram = [](double s, const char* closure) {
    return run_at_size(fmt::format(R"(
constants: {{s: {0:.17g}}}
gravity: [0, -9.81*s, 0]
bodies:
  crank: {{mass: 1, com: [0.2*s, 0, 0], inertia: [0, 0.16*s^2/12, 0.16*s^2/12]}}
  coupler: {{mass: 1, com: [0.65*s, 0, 0], inertia: [0, 1.69*s^2/12, 1.69*s^2/12]}}
  rocker: {{mass: 1, com: [0.2*s, 0, 0], inertia: [0, 0.16*s^2/12, 0.16*s^2/12]}}
joints:
  - {{name: a, revolute: z, from: world, to: crank}}
  - {{name: b, revolute: z, from: crank, to: coupler, at: {{xyz: [0.4*s, 0, 0]}}}}
  - {{name: c, revolute: z, from: world, to: rocker, at: {{xyz: [1.3*s, 0, 0]}}}}
frames: {{tip: {{on: coupler, at: {{xyz: [1.3*s, 0, 0]}}}}, pin: {{on: rocker, at: {{xyz: [0.4*s, 0, 0]}}}}}}
constraints: [{{name: loop, {1}}}]
initial: {{q: {{a: 0.9, b: -0.9, c: 0.9}}, v: {{a: 6}}, assemble: {{keep: [a]}}}}
simulate: {{duration: 2}}
record: {{every: 0.2}}
)",
                                   s, closure));
  };
  for (const char* closure : {"coincide: [tip, pin], axes: xy", "hinge: [tip, pin]"}) {
    const Simulation at_1 = parallelogram(1, closure);
    Worst worst("angles of parallelograms of all sizes beside that of 1 m");
    for (const double s : {1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12}) {
      const Simulation run = parallelogram(s, closure);
      ASSERT_EQ(run.status, RunStatus::finished) << s << ' ' << run.what;
      EXPECT_EQ(run.passages.size(), at_1.passages.size()) << s;
      worst.see((run.recording["q.a"] - at_1.recording["q.a"]).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst.value(), 1e-7);
  }
}

TEST(Sizes, ASpringSwingsByItsCosineAtEverySize) {
  Worst worst("x / x0 - cos(10 t)");
  for (const char* how : {"", ", integrator: dop8, tolerance: 1e-11"})
    for (int power = -12; power <= 12; ++power) {
      const double s = std::pow(10.0, power);
      const Simulation run = run_at_size(fmt::format(R"(
bodies: {{a: {{mass: 1}}}}
joints: [{{name: x, prismatic: x, from: world, to: a, stiffness: 100}}]
gravity: [0, 0, 0]
initial: {{q: {{x: {:.17g}}}}}
simulate: {{duration: 1{}}}
)",
                                                     s, how));
      for (int row = 0; row < run.recording.rows(); ++row)
        worst.see(std::abs(run.recording(row, "q.x") / s - std::cos(10 * run.recording(row, "t"))));
    }
  EXPECT_LT(worst.value(), 1e-8);
}

// From its rest place it has no size to go by but the one that it comes to.
TEST(Sizes, ASpringThatIsPushedFromItsRestPlaceSwingsByItsSine) {
  Worst worst("10 x / v0 - sin(10 t)");
  for (int power = -12; power <= 12; ++power) {
    const double s = std::pow(10.0, power);
    const Simulation run = run_at_size(fmt::format(R"(
bodies: {{a: {{mass: 1}}}}
joints: [{{name: x, prismatic: x, from: world, to: a, stiffness: 100}}]
gravity: [0, 0, 0]
initial: {{v: {{x: {:.17g}}}}}
simulate: {{duration: 1}}
)",
                                                   10 * s));
    for (int row = 0; row < run.recording.rows(); ++row)
      worst.see(std::abs(run.recording(row, "q.x") / s - std::sin(10 * run.recording(row, "t"))));
  }
  EXPECT_LT(worst.value(), 1e-8);
}

// Over many swings as over few: neither digits nor steps of a second depend on how long it goes on, though something small trembles beside it.
TEST(Sizes, ASpringOfANanometreKeepsItsDigitsAndItsStepsOverManySwings) {
  const auto swing = [](double duration) {
    return run_at_size(fmt::format(R"(
bodies: {{a: {{mass: 1}}, b: {{mass: 1}}}}
joints:
  - {{name: x, prismatic: x, from: world, to: a, stiffness: 100}}
  - {{name: y, prismatic: y, from: world, to: b, stiffness: 2500}}
gravity: [0, 0, 0]
initial: {{q: {{x: 1e-9, y: 1e-13}}}}
simulate: {{duration: {}}}
record: {{every: 1}}
)",
                                   duration));
  };
  const Simulation brief = swing(2), lengthy = swing(100);
  Worst worst("x / x0 - cos(10 t) over 100 s");
  for (int row = 0; row < lengthy.recording.rows(); ++row)
    worst.see(std::abs(lengthy.recording(row, "q.x") / 1e-9 - std::cos(10 * lengthy.recording(row, "t"))));
  std::printf("[   seen   ] steps a second: %.1f, %.1f\n", static_cast<double>(brief.steps) / 2,
              static_cast<double>(lengthy.steps) / 100);
  EXPECT_LT(worst.value(), 1e-7);
  EXPECT_NEAR(static_cast<double>(lengthy.steps) / 100, static_cast<double>(brief.steps) / 2, 0.03 * brief.steps);
}

// A place of 1e16 m is known to 2 m: a rod of 1 m that holds onto a point there may be anywhere near.
TEST(Sizes, WhatIsTooFarFromTheOriginForItsSizeIsTold) {
  for (const double far : {0.0, 1e6, 1e16}) {
    const Scenario scenario = read_scenario_text(fmt::format(R"(
bodies: {{a: {{mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}}}}
joints: [{{name: p, planar: z, from: world, to: a, at: {{xyz: [0, 0, {0:.0f}]}}}}]
frames: {{tip: {{on: a, at: {{xyz: [1, 0, 0]}}}}, wall: {{on: world, at: {{xyz: [1.5, 0.3, {0:.0f}]}}}}}}
gravity: [0, -9.81, 0]
constraints: [{{name: pin, coincide: [wall, tip]}}]
simulate: {{duration: 0.1}}
)",
                                                             far),
                                                 "far.yaml");
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.is_good(), far < 1e16) << far;
    if (far < 1e16) continue;
    ASSERT_EQ(run.left_open.size(), 1u);
    EXPECT_NE(run.left_open[0].find("'pin' is open by 0.58 m"), std::string::npos) << run.left_open[0];
  }
}

// m v = ∫ F exp(−(t − 1)²/w) dt = F √(π w). At the start the force is exp(−1600), less than the least number; then a denormal one.
TEST(Sizes, AForceThatSetsInFromNothingIsMet) {
  constexpr double w = 6.25e-4, F = 40;
  for (const char* how :
       {"integrator: dopri5", "integrator: dop8, tolerance: 1e-12", "integrator: dopri5, step: 1 ms"}) {
    const Simulation run = run_at_size(fmt::format(R"(
bodies: {{a: {{mass: 2.5}}}}
joints: [{{name: x, prismatic: x, from: world, to: a}}]
forces: [{{joint: x, force: {}*exp(-(t - 1)^2/{})}}]
simulate: {{duration: 2, {}}}
)",
                                                   F, w, how));
    EXPECT_NEAR(run.end.v[0], F * std::sqrt(std::numbers::pi * w) / 2.5, 1e-9) << how;
  }
}

}  // namespace
}  // namespace trammel
