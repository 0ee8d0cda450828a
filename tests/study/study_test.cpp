#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/paper_systems.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/check.h"
#include "trammel/study/compare.h"
#include "trammel/study/summary.h"
#include "trammel/study/torque_study.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

SimulateOptions brief() {
  SimulateOptions out;
  out.duration = 0.5;
  out.method = &rk4;
  out.step = 2e-3;
  out.record_every = 0.02;
  return out;
}

TEST(Summary, ReadsPeaksDriftAndBalanceFromTheRecording) {
  const Looped looped = hinged_four_bar();
  const State start(0, looped.q, VecX<>::Zero(3));
  const Simulation run = simulate(looped.system, start, brief());
  const Summary summary = summarise(compile(looped.system), run, 0.1);
  EXPECT_EQ(summary.freedoms_before, 3);
  EXPECT_EQ(summary.rank, 2);
  EXPECT_EQ(summary.freedoms_after, 1);
  ASSERT_EQ(summary.constraints.size(), 1u);
  EXPECT_LT(summary.constraints[0].open_by.length, 1e-14);
  EXPECT_LT(summary.constraints[0].open_by.angle, 1e-14);
  EXPECT_GT(summary.constraints[0].peak.force.value, 0);
  EXPECT_EQ(summary.constraints[0].peak.uniqueness, Uniqueness::shared);
  EXPECT_EQ(summary.velocities.size(), 3u);
  EXPECT_LT(summary.energy.error, 1e-6);
  EXPECT_EQ(summary.steps, 250);
  EXPECT_NEAR(summary.simulated, 0.5, 1e-12);
  const std::string text = summary.text();
  for (const char* word : {"freedoms", "loop", "q1", "energy balance", "times as fast as the clock"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(Summary, SaysWhoPutEnergyInAndThatItAddsUp) {
  Looped looped = hinged_four_bar();
  looped.system.apply("brake", std::make_shared<FunctionForce>(
                                   [](const Movement<double>& now, VecX<>& tau) { tau[0] -= 0.2 * now.v[0]; }));
  looped.system.apply("push",
                      std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>& tau) { tau[0] += 5; }));
  const Simulation run = simulate(looped.system, State(0, looped.q, VecX<>::Zero(3)), brief());
  const Summary summary = summarise(compile(looped.system), run, 0.1);
  ASSERT_EQ(summary.works.size(), 3u);
  EXPECT_EQ(summary.works[0].name, "push");
  EXPECT_EQ(summary.works[1].name, "brake");
  EXPECT_EQ(summary.works[2].name, "ideal constraints");
  const double turned = run.end.q[0] - looped.q[0];
  EXPECT_NEAR(summary.works[0].work, 5 * turned, 1e-6);
  EXPECT_EQ(summary.works[1].put_in, 0);
  EXPECT_GT(summary.works[1].taken_out, 0.1);
  EXPECT_NEAR(summary.together, summary.kinetic_and_weight, summary.energy.error + 1e-12);
  const std::string text = summary.text();
  for (const char* word : {"work of", "push", "brake", "together"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(Summary, CountsFreedomsAlsoWhereTheRunFailsAtItsStart) {
  Looped looped = hinged_four_bar();
  looped.system.apply("broken", std::make_shared<FunctionForce>(
                                    [](const Movement<double>&, VecX<>& tau) { tau[0] += std::sqrt(-1.0); }));
  const Simulation run = simulate(looped.system, State(0, looped.q, VecX<>::Zero(3)), brief());
  EXPECT_EQ(run.status, RunStatus::not_a_number);
  EXPECT_EQ(run.recording.rows(), 0);
  const Summary summary = summarise(compile(looped.system), run, 0.1);
  EXPECT_EQ(summary.freedoms_before, 3);
  EXPECT_EQ(summary.rows, 5);
  EXPECT_EQ(summary.rank, 2);
  EXPECT_EQ(summary.freedoms_after, 1);
  EXPECT_EQ(summary.constraints.size(), 1u);
  EXPECT_NE(summary.text().find("3 of the robot, 5 rows of constraints (not a number)"), std::string::npos)
      << summary.text();
}

TEST(Summary, TellsTheDistanceFromATrackedPathItsRateAndThePeaksOfAllSteps) {
  System weak = parallel_tracking();
  for (const char* joint : {"qa1", "qa2", "qa3"})
    weak.drive({.name = joint, .velocity = weak.model.bodies()[weak.model.joint(joint)].v, .limit = 0.003});
  SimulateOptions options = brief();
  options.duration = 1;
  options.record_every = 1;
  const Simulation run = simulate(weak, State(0, parallel_start(weak.model), VecX<>::Zero(12)), options);
  const Summary summary = summarise(compile(weak), run, 0.1);
  for (const Summary::OfMotor& motor : summary.motors) {
    EXPECT_LE(motor.peak.value, 0.003);
    EXPECT_GE(motor.peak.value, run.recording["u." + motor.name].cwiseAbs().maxCoeff());
  }
  bool tracked = false;
  for (const Summary::OfConstraint& c : summary.constraints)
    if (!c.physical) {
      tracked = true;
      EXPECT_GT(c.rate.length, 0);
      EXPECT_LE(c.open_by.length, summary.worst_path.length);
    }
  EXPECT_TRUE(tracked);
}

TEST(Compare, AllFormulationsAgreeAlongARunOfTheParallelRobot) {
  const System system = parallel_tracking();
  const Simulation run = simulate(system, State(0, parallel_start(system.model), VecX<>::Zero(12)), brief());
  const std::vector<FormulationResult> results = compare_formulations(compile(system), run.recording, 5);
  ASSERT_EQ(results.size(), 8u);
  for (const FormulationResult& result : results) {
    EXPECT_EQ(result.answered, 5) << result.name;
    EXPECT_LT(result.disagreement, 1e-11) << result.name;
    EXPECT_GT(result.microseconds, 0) << result.name;
  }
}

TEST(Compare, RedundantRowsAreTooMuchForMultipliersAlone) {
  const Looped looped = hinged_four_bar();
  const Simulation run = simulate(looped.system, State(0, looped.q, VecX<>::Zero(3)), brief());
  for (const FormulationResult& result : compare_formulations(compile(looped.system), run.recording, 5)) {
    EXPECT_EQ(result.answered, result.name == "multipliers" ? 0 : 5) << result.name;
    EXPECT_LT(result.disagreement, 1e-10) << result.name;
  }
}

TEST(Compare, DriftControlsSideBySide) {
  const Looped looped = hinged_four_bar();
  const std::vector<DriftResult> results =
      compare_drift_controls(looped.system, State(0, looped.q, VecX<>::Zero(3)), brief(), {20, 100});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].cost, 1);
  EXPECT_LT(results[3].worst_phi, 1e-14);
  EXPECT_GT(results[0].worst_phi, 100 * results[3].worst_phi);
}

// A row that stands out of another by 1e-5 is one of the rows with the default tolerance, and none with 1e-3: for everybody.
TEST(RankTolerance, IsTheSameForRunSummaryCheckAndComparison) {
  const auto scenario = [](const char* simulate) {
    return read_scenario_text(std::string(R"(
trammel: 1
name: two sliders
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}
  b: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  - {name: x, prismatic: x, from: world, to: a}
  - {name: y, prismatic: y, from: world, to: b}
constraints:
  - {name: first, equation: x = 0}
  - {name: second, equation: x + 1e-5*y = 0}
initial: {v: {y: 0}}
)") + simulate,
                              "sliders.yaml");
  };
  for (const auto& [simulate, rank] :
       {std::pair("simulate: {duration: 0.1}", 2), std::pair("simulate: {duration: 0.1, rank_tolerance: 1e-3}", 1)}) {
    const Scenario asked = scenario(simulate);
    const Simulation run = trammel::simulate(asked.system, asked.start, asked.simulate);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_EQ(run.recording["rank"].maxCoeff(), rank);
    EXPECT_EQ(summarise(asked.problem(), run, 0.1).rank, rank);
    EXPECT_EQ(check(asked).diagnosis.rank, rank);
    for (const FormulationResult& result : compare_formulations(asked.problem(), run.recording, 3)) {
      if (result.name == "Maggi" || result.name == "Kane") {
        EXPECT_EQ(result.unknowns, 2 - rank) << result.name;
      }
    }
  }
}

// A block of 2 kg is led along x = t² by its motor: 4 N, less what pushes it.
TEST(TorqueStudy, SeesTheInputsOfTheRun) {
  Scenario scenario = read_scenario_text(
      "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: [{name: slide, prismatic: x, from: world, to: block}]\n"
      "gravity: [0, 0, 0]\n"
      "inputs: {push: 0}\n"
      "forces: [{joint: slide, force: push}]\n"
      "motion: {slide: t^2}\n"
      "simulate: {duration: 1 s, integrator: rk4, step: 0.1 s}\n"
      "record: {every: 0.1 s}\n",
      "s.yaml");
  scenario.simulate.set_inputs = [](const State& at, std::span<double> inputs) { inputs[0] = at.t < 0.45 ? 1 : -30; };
  const TorqueStudy torques_along = study_torques(scenario, driven_system(scenario));
  ASSERT_EQ(torques_along.torques.rows(), 11);
  for (int row = 0; row < torques_along.torques.rows(); ++row)
    EXPECT_NEAR(torques_along.torques(row, "u.slide"), torques_along.torques(row, "t") < 0.45 ? 3 : 34, 1e-12);
  EXPECT_NEAR(torques_along.motors[0].peak.value, 34, 1e-12);

  // a push between two rows of the table shows in the peak
  scenario.simulate.record_every = 1;
  scenario.simulate.set_inputs = [](const State& at, std::span<double> inputs) {
    inputs[0] = at.t > 0.25 && at.t < 0.75 ? -30 : 1;
  };
  const TorqueStudy between = study_torques(scenario, driven_system(scenario));
  ASSERT_EQ(between.torques.rows(), 2);
  EXPECT_NEAR(between.torques(1, "u.slide"), 3, 1e-12);
  EXPECT_NEAR(between.motors[0].peak.value, 34, 1e-12);
}

}  // namespace
}  // namespace trammel
