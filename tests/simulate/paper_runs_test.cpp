// Runs of the papers' systems against an independent implementation (symbolic Lagrangian, DOP853 at 1e-12, re-run with
// multipliers and LSODA), ten digits of each.
#include <gtest/gtest.h>

#include "support/paper_systems.h"
#include "support/worst.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

using namespace trammel::test;

SimulateOptions accurate(double duration, Drift drift = Drift::projection) {
  SimulateOptions out;
  out.method = &dop8;
  out.step = 0;
  out.duration = duration;
  out.tolerance = {1e-13, 1e-13};
  out.record_every = 1;
  out.drift.kind = drift;
  return out;
}

VecX<> angles(const Recording& rec, int row, std::initializer_list<const char*> joints) {
  VecX<> out(static_cast<int>(joints.size()));
  int i = 0;
  for (const char* joint : joints) out[i++] = rec(row, std::string("q.") + joint);
  return out;
}
constexpr std::initializer_list<const char*> parallel_angles = {"qa1", "qb1", "qa2", "qb2", "qa3", "qb3"};

TEST(PaperRuns, TheParallelRobotUnderOneMotor) {
  const System system = parallel_driven();
  const Simulation run = simulate(system, State(0, parallel_start(system.model), VecX<>::Zero(12)), accurate(10));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  Worst worst("parallel robot, modelling: angles");
  const std::pair<int, VecX<>> expected[] = {
      {1, vector({1.489951004083, -2.29443051458, 2.835377633816, -1.2300043324, 2.889325308109, 1.816066042998})},
      {2, vector({1.270878729581, -2.122203481705, 2.898083158361, -1.490643894344, 2.983023975075, 1.922863158509})},
      {5, vector({1.277474135759, -2.00288074828, 2.792770826637, -1.438507419267, 2.906705258615, 2.069031352244})},
      {10, vector({0.6944677598115, -0.95312780405, 2.379125505082, -1.578094960237, 3.446193199694, 2.48737718285})}};
  for (const auto& [t, angle] : expected)
    worst.see((angles(run.recording, t, parallel_angles) - angle).cwiseAbs().maxCoeff());
  EXPECT_LT(worst.value(), 2e-10);
  EXPECT_LT(run.worst_phi, 1e-14);
}

// The tracking robot with motors at its three bases.
System parallel_with_motors(double limit = unlimited) {
  System system = parallel_tracking();
  for (const char* joint : {"qa1", "qa2", "qa3"})
    system.drive({.name = joint, .velocity = system.model.bodies()[system.model.joint(joint)].v, .limit = limit});
  return system;
}

const std::pair<int, VecX<>> tracking_torques[] = {
    {1, vector({0.002472336468487, 0.001190920786923, 0.0002630961604631})},
    {2, vector({-0.00191442768236, -0.0008287925285638, -0.0003578382151518})},
    {5, vector({0.001316902719241, 0.0006131456514437, 0.0001655415938355})},
    {10, vector({-0.003914920217553, -0.001594607941981, -0.0008561708316051})}};

TEST(PaperRuns, TheParallelRobotsMotorTorquesAlongTheIdealMotion) {
  const System system = parallel_tracking(), driven = parallel_with_motors();
  const Simulation ideal = simulate(system, State(0, parallel_start(system.model), VecX<>::Zero(12)), accurate(10));
  ASSERT_EQ(ideal.status, RunStatus::finished) << ideal.what;
  Worst worst("parallel robot: torques along the ideal motion");
  for (const auto& [t, u] : tracking_torques) {
    VecX<> q(12), v(12);
    for (int i = 0; i < 12; ++i) {
      q[i] = ideal.recording(t, "q." + system.model.velocity_name(i));
      v[i] = ideal.recording(t, "v." + system.model.velocity_name(i));
    }
    const Torques torques = solve_torques(driven, q, v, t);
    EXPECT_EQ(torques.status, TorqueStatus::realised);
    worst.see((torques.u - u).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst.value(), 1e-9);
}

TEST(PaperRuns, TheSameTorquesAppliedGiveTheSameMotion) {
  const System system = parallel_tracking(), driven = parallel_with_motors();
  const State start(0, parallel_start(system.model), VecX<>::Zero(12));
  const Simulation ideal = simulate(system, start, accurate(10)), tracked = simulate(driven, start, accurate(10));
  ASSERT_EQ(tracked.status, RunStatus::finished) << tracked.what;
  Worst apart("parallel robot: tracked against ideal, over 10 s"), torques("parallel robot: torques in the loop");
  for (int row = 0; row < ideal.recording.rows(); ++row)
    apart.see((angles(ideal.recording, row, parallel_angles) - angles(tracked.recording, row, parallel_angles)).norm());
  for (const auto& [t, u] : tracking_torques)
    for (int j = 0; j < 3; ++j) torques.see(std::abs(tracked.recording(t, "u." + driven.actuators[j].name) - u[j]));
  EXPECT_LT(apart.value(), 1e-8);
  EXPECT_LT(torques.value(), 1e-9);
  EXPECT_LT(tracked.worst_path.length, 1e-8);
  EXPECT_TRUE(tracked.warnings.empty());
}

TEST(PaperRuns, MotorsThatAreTooWeakAreNamedWithTheTimeAndThePathError) {
  const System weak = parallel_with_motors(0.003);
  const Simulation run = simulate(weak, State(0, parallel_start(weak.model), VecX<>::Zero(12)), accurate(3));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  ASSERT_FALSE(run.warnings.empty());
  EXPECT_EQ(run.warnings[0].substr(0, 32), "motor 'qa1' first meets its limi");
  EXPECT_GT(run.worst_path.length, 1e-5);
  // what is recorded of it, component by component
  double recorded = 0;
  for (const std::string& name : run.recording.names())
    if (name.starts_with("path.")) recorded = std::max(recorded, run.recording[name].cwiseAbs().maxCoeff());
  EXPECT_GT(recorded, 1e-5);
  EXPECT_LE(recorded, run.worst_path.length);
  std::printf("%s\n", run.warnings[0].c_str());
}

const State scara_start(0, vector({std::numbers::pi / 6, -55 * std::numbers::pi / 180, 24 * std::numbers::pi / 180, 0}),
                        vector({-0.157, 0.0001, 0.157, 0.0195}));

TEST(PaperRuns, TheScaraDriftsAsItsStartSaysAndBaumgarteRingsAsItsLawSays) {
  const System system = scara_on_helix();
  SimulateOptions with_tool = accurate(20, Drift::none);
  with_tool.frames = {"tool"};
  const Simulation plain = simulate(system, scara_start, with_tool);
  ASSERT_EQ(plain.status, RunStatus::finished);
  // rows x, y, heading, z
  const char* names[] = {"phi.circle[0]", "phi.circle[1]", "phi.heading", "phi.height"};
  const char* rates[] = {"phidot.circle[0]", "phidot.circle[1]", "phidot.heading", "phidot.height"};
  Worst linear("SCARA, un-stabilised: φ against φ(0) + t φ̇(0)"), exact("the same, heading and z");
  for (int row = 0; row < plain.recording.rows(); ++row)
    for (int k = 0; k < 4; ++k) {
      const double law = plain.recording(0, names[k]) + plain.recording(row, "t") * plain.recording(0, rates[k]);
      (k < 2 ? linear : exact).see(std::abs(plain.recording(row, names[k]) - law));
    }
  EXPECT_LT(linear.value(), 1e-8);
  EXPECT_LT(exact.value(), 1e-13);
  EXPECT_NEAR(plain.recording(10, "tool.z"), 0.195, 1e-9);
  EXPECT_NEAR(plain.recording(5, "Qc.q1"), 0.2525229607, 1e-9);
  EXPECT_NEAR(plain.recording(10, "q.q2"), -1.0424387344, 1e-9);

  SimulateOptions options = accurate(10, Drift::baumgarte);
  options.drift.gains = {0.5, 200};
  const Simulation ringing = simulate(system, scara_start, options);
  Worst law("SCARA, Baumgarte: φ against its closed form");
  const double decay = 0.25, omega = std::sqrt(200 - decay * decay);
  for (int row = 0; row < ringing.recording.rows(); ++row)
    for (int k = 0; k < 4; ++k) {
      const double t = ringing.recording(row, "t"), a = ringing.recording(0, names[k]),
                   b = (ringing.recording(0, rates[k]) + decay * a) / omega;
      law.see(std::abs(ringing.recording(row, names[k]) -
                       std::exp(-decay * t) * (a * std::cos(omega * t) + b * std::sin(omega * t))));
    }
  EXPECT_LT(law.value(), 1e-8);
  EXPECT_NEAR(ringing.recording(2, "Qc.q1"), -6.5439297492, 1e-8);
  EXPECT_NEAR(ringing.recording(10, "q.q4"), 0.2000000801, 1e-9);
}

TEST(PaperRuns, TheTwoLinksVelocityModificationHelpsAndHurtsWhereItWasMeasuredTo) {
  const System system = two_link_on_line();
  const State start(0, vector({std::numbers::pi / 3, -2 * std::numbers::pi / 3}), VecX<>::Zero(2));
  // exact angles: elbow up, by the law of cosines
  const auto exact = [](double t, VecX<>& q, VecX<>& v) {
    const Jet time(t, 1), y = 0.5 - 0.5 * cos(std::numbers::pi * time), r2 = y * y + 1.0;
    const Jet bend = acos(r2 * 0.5 - 1.0), q1 = atan2(y, Jet(1.0)) + bend * 0.5;
    q = vector({q1.x, -bend.x});
    v = vector({q1.dx, -bend.dx});
  };
  struct Case {
    const Tableau* method;
    double step;
    bool modified, corrected_forces;
    double joint, speed;  // measured elsewhere: the largest errors at step ends
  };
  for (const Case& c :
       {Case{&rk4, 0.05, false, false, 9.76e-4, 1.10e-3}, Case{&rk4, 0.05, true, false, 2.27e-7, 6.43e-5},
        Case{&rk4, 0.05, true, true, -1, 1.04e-5}, Case{&euler, 0.001, false, false, 3.46e-2, 4.72e-2},
        Case{&euler, 0.001, true, false, 7.3e-3, 7.5e-3}, Case{&heun, 0.01, false, false, 1.28e-4, 1.85e-4},
        Case{&heun, 0.01, true, false, 7.8e-5, 2.74e-3}}) {
    SimulateOptions options;
    options.method = c.method;
    options.step = c.step;
    options.duration = 10;
    options.record_every = 0;
    options.drift = {c.modified ? Drift::velocity : Drift::none, {}, c.corrected_forces};
    const Simulation run = simulate(system, start, options);
    double joint = 0, speed = 0;
    for (int row = 0; row < run.recording.rows(); ++row) {
      VecX<> q, v;
      exact(run.recording(row, "t"), q, v);
      for (int i = 0; i < 2; ++i) {
        const std::string name = i == 0 ? "q1" : "q2";
        joint = std::max(joint, std::abs(run.recording(row, "q." + name) - q[i]));
        speed = std::max(speed, std::abs(run.recording(row, "v." + name) - v[i]));
      }
    }
    std::printf("%-8s h = %-6g %-9s joint %.2e speed %.2e\n", std::string(c.method->name).c_str(), c.step,
                c.modified ? "modified" : "plain", joint, speed);
    if (c.joint > 0) {
      EXPECT_NEAR(joint, c.joint, 0.01 * c.joint);
    }
    EXPECT_NEAR(speed, c.speed, 0.01 * c.speed);
  }
}

}  // namespace
}  // namespace trammel
