// Joints that turn without end: runs keep whole turns apart, and nobody may notice.
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/random.h"
#include "support/worst.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Two bars of 1 kg·m² about vertical axes.
System two_bars() {
  RobotDescription robot;
  robot.name = "two bars";
  robot.links = {rod("a", 3, 1, x_axis), rod("b", 3, 1, x_axis)};
  robot.joints = {turning("qa", "world", "a", Vec3<>::Zero(), z_axis), turning("qb", "world", "b", {3, 0, 0}, z_axis)};
  return System(build_model(robot));
}

SimulateOptions rk4_for(double duration) {
  SimulateOptions out;
  out.method = &rk4;
  out.step = 1e-3;
  out.record_every = 0.01;
  out.duration = duration;
  out.angles = true;
  return out;
}

TEST(Turns, AForceThatWindsUpSeesEveryTurn) {
  // a spring of 4 N·m/rad that no joint knows of: q = 30 cos 2t, and its potential is energy
  class Spring final : public Force {
    void add_to(const Model&, const Movement<double>& now, VecX<>& tau) const override { tau[0] -= 4 * now.q[0]; }
    double potential_energy(const Placement<double>& now) const override { return 2 * now.q[0] * now.q[0]; }
  };
  System system = two_bars();
  system.apply("spring", std::make_shared<Spring>());
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(30, 0), Eigen::Vector2d(0, 5)), rk4_for(5));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  Worst apart("wound up spring, angle over 5 s"), within("the same, but for whole turns"), energy("the same, energy");
  for (int i = 0; i < run.recording.rows(); ++i) {
    const double t = run.recording(i, "t"), q = run.recording(i, "q.qa"), angle = run.recording(i, "angle.qa");
    apart.see(std::abs(q - 30 * std::cos(2 * t)));
    apart.see(std::abs(run.recording(i, "q.qb") - 5 * t));
    within.see(std::abs(std::remainder(q - angle, 2 * pi)));
    energy.see(std::abs(run.recording(i, "energy") - run.recording(0, "energy")));
    EXPECT_LT(std::abs(angle), i == 0 ? 31 : 3.6);
  }
  // RK4: amplitude · t · ω (ωh)⁴/120, and that of the energy is of its fifth order
  EXPECT_LT(apart.value(), 30 * 5 * 2 * std::pow(2e-3, 4) / 120 + 1e-12);
  EXPECT_LT(within.value(), 1e-14);
  EXPECT_LT(energy.value(), 1e-9);
  EXPECT_NEAR(run.end.q[0], 30 * std::cos(10.0), 1e-10);
}

TEST(Turns, AJointThatIsGearedKeepsItsTurns) {
  // 2.5 turns of the one for each of the other: a turn taken off either would open the gear
  System system = two_bars();
  system.constrain("gear",
                   std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 2.5}, {1, -1.0}},
                                                   ScalarPath([](const Jet&) { return Jet(0.0); })));
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(0, 0), Eigen::Vector2d(2, 5)), rk4_for(10));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  // 10,000 steps, each with the rounding of an angle of 50 rad
  EXPECT_NEAR(run.end.q[0], 20, 1e4 * 50 * eps);
  EXPECT_NEAR(run.end.q[1], 50, 1e4 * 50 * eps);
  EXPECT_LT(run.worst_phi, 1e-13);
  for (const std::string& name : run.recording.names()) EXPECT_FALSE(name.starts_with("angle.")) << name;
}

TEST(Turns, AMotorThatLeadsAJointFollowsItOverManyTurns) {
  System system = two_bars();
  system.constrain("lead",
                   std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1.0}},
                                                   ScalarPath([](const Jet& t) { return t * t * 3.0; })),
                   Layer::control);
  system.drive({.name = "motor", .velocity = 0});
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 7)), rk4_for(5));
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_NEAR(run.end.q[0], 75, 1e-11);
  EXPECT_NEAR(run.end.q[1], 35, 1e-11);
  EXPECT_NEAR(run.peaks.motors[0].value, 6, 1e-12);
  EXPECT_LT(run.worst_path.angle, 1e-11);
}

}  // namespace
}  // namespace trammel
