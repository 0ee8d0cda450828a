// Controllers that look at the robot from sample to sample, and motors that are sampled.
#include <cmath>
#include <deque>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"
#include "trammel/simulate/simulator.h"

namespace trammel {
namespace {

Scenario controlled_scenario(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots", overrides);
}

Simulation finished_run(const Scenario& scenario) {
  Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_TRUE(run.energy.is_good()) << run.energy.what;
  return run;
}

// m ẍ + c ẋ + k x = u, u held: x and ẋ after h, by the damped oscillation about u/k.
struct Oscillator {
  double m = 2, c = 3, k = 50, x = 0.1, v = 0;

  void hold(double u, double h) {
    const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
    const double y = x - u / k, e = std::exp(-decay * h), cosine = std::cos(w * h), sine = std::sin(w * h);
    const double slope = (v + decay * y) / w;
    x = u / k + e * (y * cosine + slope * sine);
    v = e * (v * cosine - (decay * slope + w * y) * sine);
  }
};

const std::string pid = R"yaml(
bodies: {cart: {mass: 2}}
joints: [{name: slide, prismatic: x, from: world, to: cart, damping: 3, stiffness: 50}]
constants: {gain: 400, gather: 900, slow: 25, goal: 0.25, late: 0}
inputs: {push: 0}
define: {error: goal - slide}
controllers:
  - name: servo
    every: 1 ms
    delay: late
    memory: {sum: 0, last: goal - 0.1}
    next: {sum: sum + dt*error, last: error}
    out: {push: gain*error + gather*sum + slow*(error - last)/dt}
forces: [{joint: slide, force: push}]
initial: {q: {slide: 0.1}}
simulate: {duration: 0.8 s, integrator: dop8, tolerance: 1e-13}
record: {every: 1 ms}
)yaml";

// The linear plant between samples, exactly: bar of 1e-12.
TEST(Controllers, APidWithDelayIsItsExactDiscreteSolution) {
  for (const double late : {0.0, 0.4e-3, 1e-3, 2.7e-3}) {
    const Recording out = finished_run(controlled_scenario(pid, {fmt::format("constants.late={}", late)})).recording;
    Oscillator plant;
    double sum = 0, last = 0.15, push = 0;
    std::deque<std::pair<double, double>> computed;  // when it is set, and to what
    ASSERT_EQ(out.rows(), 801);
    for (int k = 0; k <= 800; ++k) {
      const double t = 1e-3 * k;
      while (!computed.empty() && computed.front().first < t + 1e-9) {
        push = computed.front().second;
        computed.pop_front();
      }
      const double error = 0.25 - plant.x, u = 400 * error + 900 * sum + 25 * (error - last) / 1e-3;
      sum += 1e-3 * error;
      last = error;
      if (late == 0)
        push = u;
      else
        computed.emplace_back(t + late, u);
      ASSERT_EQ(out(k, "t"), static_cast<double>(k) * 1e-3);
      ASSERT_NEAR(out(k, "q.slide"), plant.x, 1e-12) << late << " " << t;
      ASSERT_NEAR(out(k, "v.slide"), plant.v, 1e-11) << late << " " << t;
      ASSERT_NEAR(out(k, "input.servo.sum"), sum, 1e-12);
      ASSERT_NEAR(out(k, "input.push"), push, 1e-7);  // 25/dt times the error of the place
      // on to the next sample, by way of what is set before it
      double now = t;
      while (!computed.empty() && computed.front().first < t + 1e-3 - 1e-9) {
        plant.hold(push, computed.front().first - now);
        now = computed.front().first;
        push = computed.front().second;
        computed.pop_front();
      }
      plant.hold(push, t + 1e-3 - now);
    }
  }
}

TEST(Controllers, StepsEndAtTheirSamplesWhateverTheMethod) {
  for (const char* method : {"{duration: 0.02 s, integrator: rk4, step: 0.3 ms}", "{duration: 0.02 s}"}) {
    const Recording out = finished_run(controlled_scenario(pid, {fmt::format("simulate={}", method),
                                                                 "record.every=step", "constants.late=0.0004"}))
                              .recording;
    const VecX<> t = out["t"];
    for (int k = 0; k < 20; ++k)
      for (const double moment : {k * 1e-3, k * 1e-3 + 4e-4})
        EXPECT_TRUE((t.array() == moment).any()) << method << " " << moment;
  }
}

TEST(Controllers, AreWhatAUserOfTheSimulatorDoes) {
  const Scenario scenario = controlled_scenario(pid);
  const Simulation run = finished_run(scenario);
  Scenario bare = scenario;
  bare.simulate.controllers.clear();
  Simulator simulator(bare.problem(), bare.start, bare.simulate);
  double sum = 0, last = 0.15;
  for (int k = 0; k < 800; ++k) {
    const double error = 0.25 - simulator.state().q[0];
    const double push = 400 * error + 900 * sum + 25 * (error - last) / 1e-3;
    sum += 1e-3 * error;
    last = error;
    simulator.set_inputs(std::vector<double>{push, sum, last});
    ASSERT_EQ(simulator.advance_to((k + 1) * 1e-3), k < 799);
  }
  EXPECT_NEAR(simulator.state().q[0], run.end.q[0], 1e-14);
  EXPECT_NEAR(simulator.state().v[0], run.end.v[0], 1e-13);
}

TEST(Controllers, MoveTheSameToTheBitWhateverIsRecorded) {
  const Scenario each_step = controlled_scenario(pid, {"record.every=step", "simulate.tolerance=1e-8"});
  const Simulation one = finished_run(each_step);
  for (const char* every : {"1 ms", "7.3 ms", "0.8 s"}) {
    const Simulation other =
        finished_run(controlled_scenario(pid, {fmt::format("record.every={}", every), "simulate.tolerance=1e-8"}));
    EXPECT_EQ(one.end.q, other.end.q) << every;
    EXPECT_EQ(one.end.v, other.end.v) << every;
    EXPECT_EQ(one.steps, other.steps) << every;
  }
}

// An outer one at 100 Hz leads an inner one at 1 kHz; both stand in the order in which they act.
TEST(Controllers, SeeWhatThoseBeforeThemSet) {
  const std::string text = R"yaml(
bodies: {cart: {mass: 1}}
joints: [{name: slide, prismatic: x, from: world, to: cart}]
inputs: {wanted: 0, push: 0, seen: 0}
controllers:
  - {name: outer, every: 10 ms, memory: {count: 0}, next: {count: count + 1}, out: {wanted: 0.3 + start(slide) + 0*dt}}
  - {name: inner, every: 1 ms, out: {push: 20*(wanted - v(slide)), seen: outer.count + 100*dt}}
forces: [{joint: slide, force: push + 0*outer.count}]
initial: {q: {slide: 0.2}}
simulate: {duration: 0.1 s, tolerance: 1e-12}
record: {every: 1 ms, expressions: {doubled: 2*outer.count}}
)yaml";
  const Recording out = finished_run(controlled_scenario(text)).recording;
  EXPECT_EQ(out(0, "input.wanted"), 0.5);
  EXPECT_EQ(out(0, "input.push"), 10);
  for (int k = 0; k <= 100; ++k) {
    EXPECT_EQ(out(k, "input.outer.count"), k / 10 + 1);
    EXPECT_NEAR(out(k, "input.seen"), k / 10 + 1 + 0.1, 1e-14);
    EXPECT_EQ(out(k, "doubled"), 2 * (k / 10 + 1));
    // v⁺ = v + dt 20 (w − v)
    EXPECT_NEAR(out(k, "v.slide"), 0.5 * (1 - std::pow(0.98, k)), 1e-12);
  }
}

TEST(Controllers, MoveConstraintsAndTheirEnergyIsCounted) {
  const std::string text = R"yaml(
bodies: {cart: {mass: 1}}
joints: [{name: slide, prismatic: x, from: world, to: cart}]
inputs: {speed: 0}
controllers: [{name: gear, every: 50 ms, memory: {n: 0}, next: {n: n + 1}, out: {speed: 0.1*n}}]
constraints: [{name: led, equation: v(slide) = speed}]
simulate: {duration: 0.3 s, drift: projection}
record: {every: 10 ms}
)yaml";
  const Recording out = finished_run(controlled_scenario(text)).recording;
  for (int k = 0; k < 30; ++k) EXPECT_NEAR(out(k, "v.slide"), 0.1 * (k / 5), 1e-12) << k;
}

// A rod that is pulled by forces of samples: its peak is that of the largest.
TEST(Controllers, PeaksAreThoseOfTheForcesThatWereHeld) {
  const std::string text = R"yaml(
bodies: {cart: {mass: 1}}
joints: [{name: slide, prismatic: x, from: world, to: cart}]
gravity: [0, 0, 0]
inputs: {push: 0}
controllers: [{name: beat, every: 10 ms, out: {push: 5*sin(40*t)*exp(-t)}}]
forces: [{joint: slide, force: push}]
constraints: [{name: held, equation: slide = 0}]
simulate: {duration: 1 s, tolerance: 1e-8}
record: {every: 1 s}
)yaml";
  const Simulation run = finished_run(controlled_scenario(text));
  double largest = 0;
  for (int k = 0; k <= 100; ++k) largest = std::max(largest, std::abs(5 * std::sin(0.4 * k) * std::exp(-0.01 * k)));
  EXPECT_NEAR(run.peaks.velocities[0].value, largest, 1e-12);
}

// A bump whose top is half a millisecond before a sample at which the push changes: it is looked for when that is over.
TEST(Controllers, PeaksInsideStepsAreThoseOfTheInputsOfThatTime) {
  const Simulation run = finished_run(controlled_scenario(R"yaml(
bodies: {cart: {mass: 1}}
joints: [{name: slide, prismatic: x, from: world, to: cart}]
gravity: [0, 0, 0]
inputs: {push: 0}
controllers: [{name: drop, every: 50 ms, out: {push: "if(t < 0.01, 0, -3)"}}]
forces: [{joint: slide, force: push + 10*exp(-((t - 0.0495)/0.01)^2)}]
constraints: [{name: held, equation: slide = 0}]
simulate: {duration: 0.09 s, integrator: rk4, step: 4 ms}
record: {every: 1 s}
)yaml"));
  EXPECT_NEAR(run.peaks.velocities[0].value, 10, 1e-4);
  EXPECT_NEAR(run.peaks.velocities[0].t, 0.0495, 1e-4);
}

TEST(Controllers, EndARunByNameWhereTheyGiveNoNumber) {
  const Scenario scenario = controlled_scenario(R"yaml(
bodies: {cart: {mass: 1}}
joints: [{name: slide, prismatic: x, from: world, to: cart}]
inputs: {push: 0}
controllers: [{name: root, every: 10 ms, out: {push: sqrt(0.055 - t)}}]
forces: [{joint: slide, force: push}]
simulate: {duration: 1 s}
)yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::not_a_number);
  EXPECT_EQ(run.what, "t = 0.06 s: controller 'root' gives no number for 'push'");
  EXPECT_EQ(run.end.t, 0.06);
}

std::string parallel_robot(const std::string& every) {
  return fmt::format(R"yaml(
robot: parallel.urdf
gravity: [0, 0, 0]
constraints:
  - {{name: base 1, point: root1, x: 0, y: 0.25}}
  - {{name: base 2, point: root2, x: 0.43, y: 0}}
  - {{name: base 3, point: root3, x: 0.4269, y: 0.5005}}
  - {{name: tips, coincide: [tip1, tip2, tip3], axes: xy}}
control:
  - {{name: stroke, point: tip1, x: start - 0.01 + 0.01*cos(t), y: start, baumgarte: {{alpha: 40, beta: 400}}}}
actuators:
  - {{joint: qa1{0}}}
  - {{joint: qa2{0}}}
  - {{joint: qa3{0}}}
initial:
  q: {{qa1: 1.3015, qb1: -2.1752, xa1: 0, ya1: 0.25, qa2: 2.9105, qb2: -1.4593, xa2: 0.43, ya2: 0,
      qa3: 2.981, qb3: 1.8776, xa3: 0.4269, ya3: 0.5005}}
  assemble: {{keep: [qa1, qb1]}}
simulate: {{duration: 1 s, tolerance: 1e-10}}
record: {{every: 20 ms, frames: [tip1]}}
)yaml",
                     every.empty() ? "" : ", every: " + every);
}

// Torques that are held for h are those of h/2 before, so to say: off by first order, and so is the path.
TEST(SampledMotors, OfTheParallelRobotComeToTheContinuousTorques) {
  const Recording always = finished_run(controlled_scenario(parallel_robot(""))).recording;
  const Recording two = finished_run(controlled_scenario(parallel_robot("2 ms"))).recording,
                  one = finished_run(controlled_scenario(parallel_robot("1 ms"))).recording;
  for (const char* column : {"u.qa1", "u.qa2", "u.qa3", "tip1.x"}) {
    const double size = always[column].cwiseAbs().maxCoeff();
    const double off = (one[column] - always[column]).cwiseAbs().maxCoeff();
    EXPECT_LT(off, 2e-2 * size) << column;
    EXPECT_NEAR((two[column] - always[column]).cwiseAbs().maxCoeff() / off, 2, 0.2) << column;
  }
  EXPECT_LT(one["path.stroke[0]"].cwiseAbs().maxCoeff(), 1e-4);
}

TEST(SampledMotors, HoldTheirTorquesAndMoveTheSameToTheBitWhateverIsRecorded) {
  const std::string text = parallel_robot("1 ms");
  const Simulation run = finished_run(controlled_scenario(text, {"record.every=0.1 ms", "simulate.duration=50 ms"}));
  const Recording& out = run.recording;
  ASSERT_EQ(out.rows(), 501);
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(k % 10 == 9 || out(k, "u.qa2") == out(k + 1, "u.qa2")) << k;
  EXPECT_NE(out(100, "u.qa2"), out(99, "u.qa2"));
  const Simulation seldom = finished_run(controlled_scenario(text, {"record.every=50 ms", "simulate.duration=50 ms"}));
  EXPECT_EQ(run.end.q, seldom.end.q);
  EXPECT_EQ(run.end.v, seldom.end.v);
  EXPECT_EQ(run.peaks.motors[1].value, seldom.peaks.motors[1].value);
}

}  // namespace
}  // namespace trammel
