// The verdict on energy over seeded runs, well set and badly set, beside runs of the same mechanisms that are as exact as they get.
#include <cstdlib>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/random.h"
#include "support/seeds.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Mechanisms in text, of size L (m) in a field L g, so that they move alike at every size. What moves them, brakes them and holds them is
// random.
struct Mechanisms {
  Random random;
  double L = 1;

  explicit Mechanisms(unsigned seed) : random(seed) {}
  bool now_and_then() { return random.integer(0, 2) == 0; }
  double of_size(double low, double high) { return L * random.uniform(low, high); }

  std::string oscillator() {
    const double k = random.log_uniform(1, 400), d = now_and_then() ? random.uniform(0, 3) : 0;
    return fmt::format(R"(
bodies: {{a: {{mass: {}}}}}
joints: [{{name: x, prismatic: z, from: world, to: a, stiffness: {}, damping: {}}}]
gravity: [0, 0, {}]
initial: {{q: {{x: {}}}, v: {{x: {}}}}}
)",
                       random.uniform(0.5, 3), k, d, now_and_then() ? -9.81 * L : 0.0, of_size(-1, 1), of_size(-1, 1));
  }

  // Two links in a vertical plane.
  std::string arms(const std::string& first, const std::string& second) {
    const double a = of_size(0.3, 1), b = of_size(0.3, 1);
    return fmt::format(R"(
bodies:
  l1: {{mass: 1, com: [{0}/2, 0, 0], inertia: [0, {0}^2/12, {0}^2/12]}}
  l2: {{mass: 0.7, com: [{1}/2, 0, 0], inertia: [0, 0.7*{1}^2/12, 0.7*{1}^2/12]}}
joints:
  - {{name: a, revolute: z, from: world, to: l1{2}}}
  - {{name: b, revolute: z, from: l1, to: l2, at: {{xyz: [{0}, 0, 0]}}{3}}}
frames:
  tip: {{on: l2, at: {{xyz: [{1}, 0, 0]}}}}
  wall: {{on: world, at: {{xyz: [{4}, {5}, 0]}}}}
gravity: [0, {6}, 0]
)",
                       a, b, first, second, of_size(0.5, 1.5), of_size(0.5, 1.5), -9.81 * L);
  }
  std::string start() {
    return fmt::format("initial: {{q: {{a: {}, b: {}}}}}\n", random.uniform(-1, 1), random.uniform(0.3, 1.2));
  }
  std::string swinging() {
    const double unit = L * L;  // of torques: kg m² / s²
    std::string brakes;
    if (now_and_then()) brakes += fmt::format(", damping: {}", unit * random.uniform(0, 1));
    if (now_and_then()) brakes += fmt::format(", stiffness: {}", unit * random.uniform(0, 20));
    return arms(brakes, "") + start();
  }
  std::string pushed() {
    return arms("", "") + start() +
           fmt::format("forces: [{{joint: a, torque: {}*cos({}*t)}}]\n", L * L * random.uniform(-8, 8),
                       random.uniform(1, 10));
  }
  std::string on_a_spring(double stiffest) {
    return arms("", "") + start() +
           fmt::format("forces: [{{spring: [wall, tip], stiffness: {}, damping: {}, length: {}}}]\n",
                       random.log_uniform(1, stiffest), now_and_then() ? random.uniform(0, 3) : 0.0, of_size(0.1, 0.5));
  }
  std::string on_a_rail() {
    return arms("", now_and_then() ? fmt::format(", damping: {}", L * L * 0.1) : "") + start() +
           "constraints: [{name: rail, point: tip, y: 0}]\n";
  }
  std::string led(double least_time) {
    const std::string law = now_and_then() ? fmt::format("{}*sin({}*t)", random.uniform(-1, 1), random.uniform(1, 8))
                                           : fmt::format("minjerk(t/{})", random.log_uniform(least_time, 1));
    return arms("", "") + fmt::format("initial: {{q: {{b: {}}}}}\n", random.uniform(-1, 1)) +
           "constraints: [{name: lead, equation: a = " + law + "}]\n";
  }
  std::string two_rods() {
    const double r = of_size(0.4, 1), s = of_size(0.4, 1), p = random.uniform(0.3, 2.5), q = random.uniform(0.3, 2.5);
    return fmt::format(R"(
gravity: [0, {}, 0]
bodies: {{g1: {{mass: 0}}, m1: {{mass: 1}}, g2: {{mass: 0}}, m2: {{mass: 0.6}}}}
joints:
  - {{name: x1, prismatic: x, from: world, to: g1}}
  - {{name: y1, prismatic: y, from: g1, to: m1}}
  - {{name: x2, prismatic: x, from: world, to: g2}}
  - {{name: y2, prismatic: y, from: g2, to: m2}}
constraints:
  - {{name: r1, distance: [world, m1], length: {}}}
  - {{name: r2, distance: [m1, m2], length: {}}}
initial: {{q: {{x1: {}, y1: {}, x2: {}, y2: {}}}}}
)",
                       -9.81 * L, r, s, r * std::sin(p), -r * std::cos(p), r * std::sin(p) + s * std::sin(q),
                       -r * std::cos(p) - s * std::cos(q));
  }

  // `rough`: springs may be stiff and paths may jump.
  std::string any(bool rough) {
    switch (random.integer(0, 6)) {
      case 0:
        return oscillator();
      case 1:
        return swinging();
      case 2:
        return pushed();
      case 3:
        return on_a_spring(rough ? 1e6 : 100);
      case 4:
        return on_a_rail();
      case 5:
        return led(rough ? 1e-9 : 0.3);
      default:
        return two_rods();
    }
  }
};

template <class Words>
std::string one_of(Random& random, const Words& words) {
  return words[random.integer(0, static_cast<int>(std::size(words)) - 1)];
}

constexpr const char* drifts[] = {"projection", "projection", "none", "velocity",
                                  "{baumgarte: {alpha: 20, beta: 100}}"};

std::string bad_settings(Random& random) {
  constexpr const char *fixed[] = {"euler", "semi-implicit", "heun", "rk4", "rk4"},
                       *pairs[] = {"bosh3", "dopri5", "dop8"};
  const std::string accuracy =
      random.integer(0, 1) == 0
          ? fmt::format("integrator: {}, step: {}", one_of(random, fixed), random.log_uniform(3e-3, 0.3))
          : fmt::format("integrator: {}, tolerance: {}", one_of(random, pairs), random.log_uniform(1e-4, 0.3));
  return fmt::format("simulate: {{duration: 2, {}, drift: {}}}\n", accuracy, one_of(random, drifts));
}
std::string good_settings(Random& random) {
  constexpr const char* pairs[] = {"dopri5", "dop8"};
  const std::string accuracy =
      random.integer(0, 2) == 0
          ? fmt::format("integrator: rk4, step: {}", random.log_uniform(2e-4, 1e-3))
          : fmt::format("integrator: {}, tolerance: {}", one_of(random, pairs), random.log_uniform(1e-12, 1e-8));
  return fmt::format("simulate: {{duration: 2, {}, drift: {}}}\n", accuracy, one_of(random, drifts));
}

Simulation seeded_run(const std::string& text) {
  const Scenario scenario = read_scenario_text(text, "seeded.yaml");
  return simulate(scenario.problem(), scenario.start, scenario.simulate);
}
double last_energy(const Simulation& run) { return run.recording(run.recording.rows() - 1, "energy"); }

// How far the energy of a run ends from that of an exact one, of what that exchanges.
double off(const Simulation& run, const Simulation& exact) {
  return std::abs(last_energy(run) - last_energy(exact)) / exact.energy.exchanged;
}

// Added to every seed: TRAMMEL_FRESH_SEEDS=N tries cases that nobody has looked at.
unsigned fresh() {
  const char* const text = std::getenv("TRAMMEL_FRESH_SEEDS");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

TEST(EnergyVerdict, NoBadlySetRunThatIsOffByAHundredthIsCalledGood) {
  const int all = cases(3000);
  int bad = 0, suspicious = 0, ended = 0, good = 0, silent = 0;
  double worst_good = 0;
  for (int i = 0; i < all; ++i) {
    Mechanisms mechanisms(fresh() + 1000 + i);
    const std::string what = mechanisms.any(true), how = bad_settings(mechanisms.random);
    const Simulation run = seeded_run(what + how);
    ended += run.status != RunStatus::finished;
    bad += run.energy.verdict == EnergyBalance::Verdict::bad;
    suspicious += run.energy.verdict == EnergyBalance::Verdict::suspicious;
    if (!run.is_good()) continue;
    ++good;
    const Simulation exact = seeded_run(what + "simulate: {duration: 2, integrator: dop8, tolerance: 1e-12}\n");
    worst_good = std::max(worst_good, off(run, exact));
    if (exact.is_good() && off(run, exact) <= 1e-2) continue;
    ++silent;
    std::printf("[  silent  ] off by %.2g, D/X %.1e%s%s\n", off(run, exact), run.energy.error / run.energy.exchanged,
                what.c_str(), how.c_str());
  }
  std::printf(
      "[   seen   ] of %d badly set runs %d ended early, %d are bad, %d suspicious, %d called good: off by up to "
      "%.1e\n",
      all, ended, bad, suspicious, good, worst_good);
  EXPECT_GT(ended + bad, all / 4);
  EXPECT_EQ(silent, 0);
}

TEST(EnergyVerdict, WellSetRunsAreCalledGoodAtEverySize) {
  int all = cases(3000), good = 0;
  double worst = 0;
  for (int i = 0; i < all; ++i) {
    Mechanisms mechanisms(fresh() + 10000 + i);
    if (mechanisms.now_and_then()) mechanisms.L = mechanisms.random.log_uniform(1e-9, 1e6);
    const std::string what = mechanisms.any(false), how = good_settings(mechanisms.random);
    const Simulation run = seeded_run(what + how);
    good += run.is_good();
    if (run.is_good())
      worst = std::max(worst, run.energy.error / run.energy.exchanged);
    else
      std::printf("[   told   ] %s, D/X %.1e%s%s\n", run.what.c_str(), run.energy.error / run.energy.exchanged,
                  what.c_str(), how.c_str());
  }
  std::printf("[   seen   ] of %d well set runs %d are called good, D/X up to %.1e\n", all, good, worst);
  EXPECT_GE(good, 0.99 * all);
}

// Whatever rests, or moves by next to nothing, and what brakes takes it to rest.
TEST(EnergyVerdict, WhatIsAtRestIsGood) {
  constexpr const char* hanging = R"(
bodies: {l1: {mass: 3, com: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1]}, l2: {mass: 2, com: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1]}}
joints:
  - {name: a, revolute: z, from: world, to: l1, at: {xyz: [0, 1000, 0]}}
  - {name: b, revolute: z, from: l1, to: l2, at: {xyz: [0, -1, 0]}, damping: 0.1}
frames: {tip: {on: l2, at: {xyz: [0, -1, 0]}}}
gravity: [0, -9.81, 0]
)";
  for (const char* held : {"", "constraints: [{name: line, point: tip, x: 0}]\n", "motion: {a: 0}\n"})
    for (const double off : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3})
      for (const char* how :
           {"integrator: rk4, step: 1 ms", "integrator: dopri5", "integrator: dop8, tolerance: 1e-12"}) {
        if (std::string(held) == "motion: {a: 0}\n" && off != 0) continue;
        const Simulation run = seeded_run(
            hanging + std::string(held) +
            fmt::format("initial: {{q: {{a: {}, b: {}}}}}\nsimulate: {{duration: 5, {}}}\n", off, -2 * off, how));
        EXPECT_EQ(run.status, RunStatus::finished) << run.what;
        EXPECT_TRUE(run.energy.is_good()) << held << off << ' ' << how << ' ' << run.energy.what;
      }
}

// What lifts a mass from outside of the equation of motion is accounted for; what lifts none is not asked about.
TEST(EnergyVerdict, AnInputThatMovesAConstraintPutsEnergyIn) {
  Scenario scenario = read_scenario_text(R"(
bodies: {a: {mass: 2}, b: {mass: 1}}
joints:
  - {name: z, prismatic: z, from: world, to: a}
  - {name: x, prismatic: x, from: world, to: b, stiffness: 10}
inputs: {height: 0, push: 0}
forces: [{joint: x, force: push}]
constraints: [{name: lift, equation: z = height}]
simulate: {duration: 2, tolerance: 1e-9}
)",
                                         "lift.yaml");
  for (const double lift : {0.0, 1.0}) {
    scenario.simulate.set_inputs = [&](const State& at, std::span<double> inputs) {
      inputs[0] = at.t > 0.5 ? lift : 0;
      inputs[1] = std::sin(10 * at.t);
    };
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_TRUE(run.is_good()) << run.energy.what;
    EXPECT_GE(run.energy.exchanged, 2 * 9.81 * lift);
  }
}

}  // namespace
}  // namespace trammel
