// Peaks of forces: against closed forms, and whatever is recorded.
#include <gtest/gtest.h>

#include <numbers>

#include <fmt/core.h>

#include "trammel/scenario/scenario.h"
#include "trammel/study/summary.h"
#include "trammel/study/torque_study.h"

namespace trammel {
namespace {

constexpr double g = 9.81;

struct SummedRun {
  Scenario scenario;
  Simulation simulation;
  Summary summary;
};

SummedRun run_of(Scenario scenario) {
  const Problem problem = scenario.problem();
  Simulation simulation = simulate(problem, scenario.start, scenario.simulate);
  EXPECT_EQ(simulation.status, RunStatus::finished) << simulation.what;
  Summary summary = summarise(problem, simulation, 0.1);
  return {std::move(scenario), std::move(simulation), std::move(summary)};
}
SummedRun run_of(const std::string& text) { return run_of(read_scenario_text(text, "peaks.yaml")); }

constexpr const char* in_x_and_y = R"(
bodies:
  guide: {mass: 0}
  bob: {mass: 2}
joints:
  - {name: x, prismatic: x, from: world, to: guide}
  - {name: y, prismatic: y, from: guide, to: bob}
)";

TEST(Peaks, ARodIsPulledMostAtTheBottomInsideAStep) {
  // released at θ₀ the rod pulls with m g (3 cos θ − 2 cos θ₀); it comes to the bottom after a quarter of its period, by the
  // arithmetic-geometric mean
  double a = 1, b = std::cos(0.5);
  while (a - b > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double quarter = 0.5 * std::numbers::pi * std::sqrt(1.5 / g) / a;
  for (const char* method : {"integrator: rk4, step: 30 ms", "integrator: rk4, step: 1 ms", "integrator: dopri5",
                             "integrator: dop8", "integrator: dop8, tolerance: 1e-7"}) {
    const SummedRun run = run_of(std::string(in_x_and_y) + "gravity: [0, -9.81, 0]\n" +
                                 "constraints: [{name: rod, distance: [world, bob], length: 1.5}]\n"
                                 "initial: {q: {x: 1.5*sin(1), y: -1.5*cos(1)}}\n"
                                 "record: {every: 10 s}\nsimulate: {duration: 3 s, " +
                                 method + "}\n");
    const Peak peak = run.summary.constraints[0].peak.force;
    EXPECT_NEAR(peak.value, 2 * g * (3 - 2 * std::cos(1)), 2e-5 * peak.value) << method;
    const double swings = std::round((peak.t / quarter - 1) / 2);  // any pass of the bottom
    EXPECT_NEAR(peak.t, (1 + 2 * swings) * quarter, 3e-3) << method;
    EXPECT_LT(run.summary.constraints[0].peak.moment.value, 1e-12);
  }
}

TEST(Peaks, AreSizesNotComponents) {
  const SummedRun run = run_of(std::string(in_x_and_y) +
                               "gravity: [-9.81, -9.81, 0]\nconstraints: [{name: pin, point: bob, x: 0, y: 0}]\n"
                               "simulate: {duration: 0.1 s}\n");
  EXPECT_NEAR(run.summary.constraints[0].peak.force.value, 2 * g * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(run.summary.constraints[0].peak.force.t, 0);
  EXPECT_NE(run.summary.text().find("27.75"), std::string::npos) << run.summary.text();
}

TEST(Peaks, OfALoadThatTurnsAreConstantWhereItsComponentsAreNot) {
  // held on a circle at a steady 3 rad/s: m r ω²
  const SummedRun run =
      run_of(std::string(in_x_and_y) +
             "gravity: [0, 0, 0]\nconstraints: [{name: hand, point: bob, x: 0.4*cos(3*t), y: 0.4*sin(3*t)}]\n"
             "initial: {q: {x: 0.4}, v: {y: 1.2}}\nsimulate: {duration: 2 s}\n");
  EXPECT_NEAR(run.summary.constraints[0].peak.force.value, 2 * 0.4 * 9, 1e-7);
  for (const Summary::OfVelocity& v : run.summary.velocities) EXPECT_NEAR(v.peak.value, 2 * 0.4 * 9, 1e-4) << v.name;
  EXPECT_NEAR(run.summary.velocities[1].peak.t, std::numbers::pi / 6, 2e-3);
}

TEST(Peaks, OfTheSliderCrankAreThoseOfThePistonAtItsFarEnd) {
  const SummedRun run = run_of(read_scenario(TRAMMEL_SOURCE_DIR "/examples/10-slider-crank.yaml"));
  EXPECT_NEAR(run.summary.constraints[0].peak.force.value, 0.5 * 0.05 * 2500 * 1.25, 1e-5 * 78);
  ASSERT_EQ(run.summary.motors.size(), 1u);
  EXPECT_EQ(run.summary.motors[0].unit, "N·m");
  EXPECT_GT(run.summary.motors[0].peak.t, 0);
}

TEST(Peaks, OfAForceThatJumpsAreReachedBeforeTheJump) {
  // pulled by 10 t N up to 0.7354 s, and not at all afterwards
  for (const char* method : {"integrator: rk4, step: 10 ms", "integrator: dopri5, step: 20 ms"}) {
    const SummedRun run =
        run_of(std::string("bodies: {a: {mass: 1}}\njoints: [{name: x, prismatic: x, from: world, to: a}]\n"
                           "gravity: [0, 0, 0]\nconstraints: [{name: hold, equation: x = 0}]\n"
                           "forces: [{joint: x, force: 'if(t < 0.7354, 10*t, 0)'}]\n"
                           "simulate: {duration: 1 s, ") +
               method + "}\n");
    EXPECT_NEAR(run.summary.velocities[0].peak.value, 7.354, 2e-4) << method;
  }
}

TEST(Peaks, OfARunOfOneStepAreFoundInside) {
  // sin πt over one second: nothing at both ends
  const SummedRun run = run_of(
      "bodies: {a: {mass: 1}}\njoints: [{name: x, prismatic: x, from: world, to: a}]\ngravity: [0, 0, 0]\n"
      "constraints: [{name: hold, equation: x = 0}]\nforces: [{joint: x, force: 5*sin(pi*t)}]\n"
      "record: {every: 10 s}\nsimulate: {duration: 1 s, integrator: rk4, step: 1 s}\n");
  EXPECT_EQ(run.simulation.steps, 1);
  EXPECT_NEAR(run.summary.velocities[0].peak.value, 5, 1e-4);
}

// All peaks, forces first.
std::vector<double> values_of(const Peaks& peaks) {
  std::vector<double> out;
  for (const WrenchPeak& c : peaks.constraints) out.insert(out.end(), {c.force.value, c.moment.value, c.other.value});
  for (const Peak& peak : peaks.velocities) out.push_back(peak.value);
  for (const Peak& peak : peaks.motors) out.push_back(peak.value);
  return out;
}

void expect_no_row_above(const SummedRun& run) {
  const Recording& recording = run.simulation.recording;
  for (const Summary::OfVelocity& v : run.summary.velocities)
    EXPECT_LE(recording["Qc." + v.name].cwiseAbs().maxCoeff(), v.peak.value) << run.scenario.name << ' ' << v.name;
  for (const Summary::OfMotor& m : run.summary.motors)
    EXPECT_LE(recording["u." + m.name].cwiseAbs().maxCoeff(), m.peak.value) << run.scenario.name << ' ' << m.name;
}

TEST(Peaks, DoNotDependOnWhatIsRecorded) {
  double worst = 0;
  for (const char* example :
       {"01-scara-helix", "02-parallel-tracking", "03-four-bar", "05-two-link-line", "06-trammel-of-archimedes",
        "07-five-bar", "08-bead-on-a-wire", "09-double-pendulum-cartesian", "10-slider-crank", "11-3-rrr", "12-stewart",
        "14-rolling-disc"}) {
    Scenario scenario = read_scenario(TRAMMEL_SOURCE_DIR "/examples/" + std::string(example) + ".yaml");
    scenario.simulate.duration = std::min(scenario.simulate.duration, 1.5);
    std::vector<double> rare;
    for (const double every : {1.0, 0.1, 1e-3}) {
      scenario.simulate.record_every = every;
      const SummedRun run = run_of(scenario);
      expect_no_row_above(run);
      const std::vector<double> values = values_of(run.simulation.peaks);
      if (rare.empty()) rare = values;
      const double largest = *std::ranges::max_element(values);
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] < 1e-8 * largest) continue;
        const double difference = std::abs(values[k] - rare[k]) / values[k];
        EXPECT_LT(difference, 5e-5) << example << ", every " << every << " s: " << values[k] << " and " << rare[k];
        worst = std::max(worst, difference);
      }
    }
  }
  fmt::print("peaks of runs that record otherwise differ by up to {:.1e} of themselves\n", worst);
}

// A body that is held on its slide, and pushed aside likewise, by a controller that looks every so often.
std::string pushed(const std::string& every, const std::string& push, const std::string& force) {
  return "inputs: {push: 0}\nbodies: {a: {mass: 1}}\ngravity: [0, 0, 0]\n"
         "joints: [{name: x, prismatic: x, from: world, to: a}]\nconstraints: [{name: hold, equation: x = 0}]\n"
         "controllers: [{name: servo, every: " +
         every + ", memory: {since: 0}, next: {since: t}, out: {push: " + push +
         "}}]\n"
         "forces: [{joint: x, force: " +
         force + "}, {point: a, force: [0, " + force +
         ", 0]}]\n"
         "simulate: {duration: 2 s, step: 100 ms}\n";
}

void expect_peak_of_pushed(const std::string& text, double wanted, double t) {
  for (const char* every : {"1 s", "10 ms", "1 ms"})
    for (const char* reactions : {"", ", reactions: all"}) {
      const SummedRun run = run_of(text + "record: {every: " + every + reactions + "}\n");
      const Peaks& peaks = run.simulation.peaks;
      EXPECT_NEAR(peaks.velocities[0].value, wanted, 2e-5 * wanted) << every;
      EXPECT_NEAR(peaks.velocities[0].t, t, 2e-3) << every;
      for (const WrenchPeak& joint : peaks.joints) EXPECT_NEAR(joint.force.value, wanted, 2e-5 * wanted) << every;
    }
}

TEST(Peaks, JustBeforeAControllerActsCount) {
  // a ramp on a staircase: 20 sin 9t at the last sample, and 5 N in a tenth of a second more
  double wanted = 0, t = 0;
  for (int k = 0; k < 20; ++k)
    if (const double top = 20 * std::sin(0.9 * k) + 5; std::abs(top) > wanted) {
      wanted = std::abs(top);
      t = 0.1 * (k + 1);
    }
  expect_peak_of_pushed(pushed("100 ms", "20*sin(9*t)", "push + 50*(t - servo.since)"), wanted, t);
}

TEST(Peaks, InsideStepsAreSoughtWithTheInputsOfTheStep) {
  // an arch over every half second, the first of which is the highest: 48 · ¼ · ¼ N
  expect_peak_of_pushed(pushed("500 ms", "16*(3 - t)", "push*(t - servo.since)*(0.5 - (t - servo.since))"), 3, 0.25);
}

TEST(Peaks, InsideALongStepThatTheMotionDoesNotSeeAreSought) {
  // an arch over every tenth of a second, which is one step: nothing where it begins and ends
  expect_peak_of_pushed(pushed("100 ms", "1/(0.01 + (t - 1)^2)", "push*(t - servo.since)*(0.1 - (t - servo.since))"),
                        0.25, 1.05);
}

TEST(Peaks, HaveUnits) {
  const SummedRun hinge =
      run_of(read_scenario(TRAMMEL_SOURCE_DIR "/examples/03-four-bar.yaml", {"simulate.duration=0.2"}));
  const Summary::OfConstraint& loop = hinge.summary.constraints[0];
  EXPECT_TRUE(loop.in_metres && loop.in_radians && !loop.in_other);
  EXPECT_EQ(loop.peak.uniqueness, Uniqueness::shared);
  ASSERT_EQ(hinge.summary.remarks().size(), 1u);
  const std::string text = hinge.summary.text();
  for (const char* word :
       {"open by", "rad/s", "peak force", " N ", "at s", " N·m", "shared", "that the motion does not determine"})
    EXPECT_NE(text.find(word), std::string::npos) << word << '\n' << text;
  const SummedRun crank = run_of(read_scenario(TRAMMEL_SOURCE_DIR "/examples/10-slider-crank.yaml"));
  EXPECT_NE(crank.summary.text().find("path missed by"), std::string::npos);
  EXPECT_EQ(crank.summary.worst_path.length, 0);
  EXPECT_NE(crank.summary.worst_path.text(3).find(" rad"), std::string::npos) << "a joint that turns is led";
  EXPECT_EQ(crank.summary.text().find("inf"), std::string::npos) << "a motor without a limit";
}

TEST(Peaks, AreSaidToBeTheLeastUnlessCompliancesShareThem) {
  const auto remark = [](const std::string& compliance) {
    const std::string rod = ", distance: [world, bob], length: 1.5" + compliance + "}";
    const SummedRun run =
        run_of(std::string(in_x_and_y) + "gravity: [0, -9.81, 0]\nconstraints: [{name: one" + rod + ", {name: other" +
               rod + "]\ninitial: {q: {x: 1.5, y: 0}}\nsimulate: {duration: 0.1}\n");
    return run.summary.remarks().at(0);
  };
  EXPECT_NE(remark("").find("'one', 'other' share a force that the motion does not determine: the least is shown"),
            std::string::npos)
      << remark("");
  const std::string elastic = remark(", compliance: {force: 1e-8, torque: 1e-6}");
  EXPECT_NE(elastic.find("what their compliances make of it"), std::string::npos) << elastic;
}

// x² = 0 holds x by a gradient that vanishes: its multipliers, 1e11 and more, are rounding.
TEST(Peaks, AreNotTakenWhereARowVanishes) {
  const SummedRun run = run_of(
      "bodies: {a: {mass: 1}}\n"
      "joints: [{name: x, prismatic: x, from: world, to: a}]\n"
      "constraints: [{name: c, equation: x^2 = 0}]\n"
      "forces: [{joint: x, force: 1}]\n"
      "simulate: {duration: 1}\n");
  for (const char* column : {"lambda.c", "Qc.x"})
    EXPECT_TRUE(run.simulation.recording[column].array().isNaN().all()) << column;
  const WrenchPeak& peak = run.summary.constraints[0].peak;
  EXPECT_EQ(peak.singular_since, 0.0);
  for (const Peak& size : {peak.force, peak.moment, peak.other}) EXPECT_TRUE(std::isnan(size.value));
  EXPECT_TRUE(std::isnan(run.summary.velocities[0].peak.value));
  EXPECT_EQ(run.summary.text().find("nan"), std::string::npos) << run.summary.text();
  EXPECT_EQ(run.summary.text().find("share"), std::string::npos) << run.summary.text();
}

// yⁿ = (1 − t)ⁿ leads y to the origin, where its gradient n yⁿ⁻¹ vanishes; against a force F it takes λ = −F/(n yⁿ⁻¹).
SummedRun led_to_the_origin(const std::string& force, const std::string& method, int n = 2) {
  return run_of(std::string(in_x_and_y) + "gravity: [0, 0, 0]\nforces: [{joint: y, force: " + force +
                fmt::format("}}]\nconstraints: [{{name: c, equation: y^{0} = (1 - t)^{0}}}]\n", n) +
                "initial: {q: {y: 1}, v: {y: -1}}\nrecord: {every: 0.1}\nsimulate: {duration: 1, " + method + "}\n");
}
constexpr const char* fixed_steps[] = {"integrator: rk4, step: 10 ms", "integrator: rk4, step: 1 ms"};

TEST(Peaks, AForceThatGrowsAsOneOverTheDistanceIsUnbounded) {
  for (const char* method : fixed_steps) {
    const SummedRun run = led_to_the_origin("3", method);
    const Peak peak = run.summary.constraints[0].peak.other;
    EXPECT_FALSE(peak.is_bounded()) << method << ": " << peak.value;
    EXPECT_NEAR(peak.t, 1, 1e-9);
    // but Qc = 2yλ = −F is the same all the way
    EXPECT_NEAR(run.summary.velocities[1].peak.value, 3, 3e-5);
    const VecX<> lambda = run.simulation.recording["lambda.c"], y = run.simulation.recording["q.y"];
    for (int row = 0; row + 1 < lambda.size(); ++row) EXPECT_NEAR(lambda[row] * 2 * y[row], -3, 1e-9);
    EXPECT_TRUE(std::isnan(lambda[lambda.size() - 1]));
    EXPECT_NE(run.summary.text().find("'c': its force is unbounded near t = 1 s"), std::string::npos);
    EXPECT_NE(run.summary.text().find(" unbounded "), std::string::npos) << run.summary.text();
  }
}

TEST(Peaks, AForceThatGrowsAsOneOverTheSquareIsUnboundedToo) {
  for (const char* method : fixed_steps) {
    const SummedRun run = led_to_the_origin("3", method, 3);
    const Peak peak = run.summary.constraints[0].peak.other;
    EXPECT_FALSE(peak.is_bounded()) << method << ": " << peak.value;
    EXPECT_NEAR(peak.t, 1, 0.02);
    EXPECT_NEAR(run.summary.velocities[1].peak.value, 3, 3e-5);
  }
}

TEST(Peaks, OfTorquesAreFoundInsideSteps) {
  // 2 kg led along 0.1 sin(7t) m, as a run meets it in any steps: 9.8 N, first at t = π/14
  for (const char* how : {"every: 0.4", "every: 1", "every: step"}) {
    const Scenario scenario = read_scenario_text(fmt::format(R"(
bodies: {{a: {{mass: 2}}}}
joints: [{{name: x, prismatic: x, from: world, to: a}}]
motion: {{x: 0.1*sin(7*t)}}
actuators: [{{joint: x}}]
simulate: {{duration: 2}}
record: {{{}}}
)",
                                                             how),
                                                 "torques.yaml");
    const TorqueStudy study = study_torques(scenario, driven_system(scenario));
    EXPECT_NEAR(study.motors[0].peak.value, 9.8, 1e-5) << how;
    EXPECT_NEAR(std::abs(std::sin(7 * study.motors[0].peak.t)), 1, 1e-5) << how;
  }
}

TEST(Peaks, OfARunThatFailsAreThoseUpToItsLastStep) {
  // a push that grows until it is not a number any more, into a point that is held: 20 t
  const Scenario scenario = read_scenario_text(std::string(in_x_and_y) + R"(
gravity: [0, 0, 0]
constraints: [{name: c, point: bob, y: 0}]
forces: [{joint: y, force: 20*t + 0*sqrt(0.6373 - t)}]
simulate: {duration: 1, integrator: rk4, step: 1 ms}
record: {every: 0.1}
)",
                                               "fails.yaml");
  const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  ASSERT_EQ(run.status, RunStatus::not_a_number) << run.what;
  EXPECT_NEAR(run.peaks.constraints[0].force.value, 20 * 0.637, 20 * 1e-6);
  EXPECT_NEAR(run.peaks.constraints[0].force.t, 0.637, 1e-6);
}

TEST(Peaks, OfAPointThatFollowsTheRobotAreForces) {
  // the cart, 2 kg, is pushed, and pushes a bob of 1 kg ahead of itself; a rod grows as the cart goes
  const SummedRun run = run_of(R"(
bodies: {cart: {mass: 2}, bob: {mass: 1, inertia: [1, 1, 1]}}
gravity: [0, 0, 0]
joints:
  - {name: s, prismatic: x, from: world, to: cart}
  - {name: p, planar: z, from: world, to: bob}
constraints:
  - {name: follow, point: bob, x: cart.x + 0.5, compliance: {force: 1e-8}}
  - {name: rod, distance: [cart, bob], length: 0.5 + 0*s}
forces: [{joint: s, force: 3}]
initial: {q: {p: [0.5, 0, 0]}}
simulate: {duration: 0.1}
)");
  double sum = 0;
  for (const Summary::OfConstraint& c : run.summary.constraints) {
    EXPECT_TRUE(c.in_metres && !c.in_other && !c.in_radians) << c.name;
    sum += c.peak.force.value;
  }
  EXPECT_NEAR(sum, 1, 1e-9);  // the compliant one gives way to the rigid one
  EXPECT_NEAR(run.summary.constraints[1].peak.force.value, 1, 1e-9);
}

TEST(Peaks, AForceThatIsBoundedBesideASingularMomentHasItsPeak) {
  for (const char* method : fixed_steps) {
    // λ = −F/(2y): constant; falling to zero; highest where it is singular
    for (const auto& [force, most] : {std::pair("3*y", 1.5), {"3*y^2", 1.5}, {"3*y*(2 - y)", 3.0}}) {
      const SummedRun run = led_to_the_origin(force, method);
      const Peak peak = run.summary.constraints[0].peak.other;
      EXPECT_NEAR(peak.value, most, 0.02 * most) << force << ", " << method;
      EXPECT_NE(run.summary.text().find("'c' is singular at t = 1 s"), std::string::npos) << run.summary.text();
    }
    // λ = −F/(3y²): constant; highest where it is singular
    for (const auto& [force, most] : {std::pair("3*y^2", 1.0), {"3*y^2*(2 - y)", 2.0}})
      EXPECT_NEAR(led_to_the_origin(force, method, 3).summary.constraints[0].peak.other.value, most, 0.05 * most)
          << force << ", " << method;
  }
}

}  // namespace
}  // namespace trammel
