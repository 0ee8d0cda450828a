// What the equation of motion says when it cannot simply answer: each verdict names what a user can act on.
#include <gtest/gtest.h>

#include <limits>

#include "support/looped_systems.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/ledger.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Two rods of one metre about z, along x at zero.
RobotDescription two_rod_description() {
  RobotDescription robot;
  robot.name = "two rods";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "a", Vec3<>::Zero(), z_axis), turning("q2", "a", "b", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "b", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  return robot;
}
System two_rods() { return System(build_model(two_rod_description(), Vec3<>(0, -9.81, 0))); }

// The tip held at one place, along some axes of a frame turned by R.
std::shared_ptr<PointOnPath> tip_held(const System& system, const Mat3<>& R, const PointOnPath::Axes& axes) {
  return std::make_shared<PointOnPath>(
      BodyPoint(system.model.frame("tip")), [](const Jet&) { return Vec3<Jet>(Jet(1.0), Jet(1.0), Jet(0.0)); },
      Frame{"axes", world, {R, Vec3<>::Zero()}}, axes);
}

TEST(Verdicts, WithoutRowsTheMotionIsFree) {
  const System system = two_rods();
  const VecX<> q = Eigen::Vector2d(0.3, 0.4), v = Eigen::Vector2d(1, -2);
  const Motion motion = solve_motion(system, q, v);
  EXPECT_EQ(motion.status, Status::regular);
  EXPECT_EQ(motion.rank, 0);
  EXPECT_EQ(motion.Qc, VecX<>(VecX<>::Zero(2)));
  const Equation e = dense_equation(system, q, v);
  EXPECT_LT((e.M * motion.vdot - e.Q).norm(), 1e-13 * e.Q.norm());
  EXPECT_EQ(diagnose(system, q, v).freedoms_after, 2);
}

TEST(Verdicts, MoreRowsThanFreedomsAreRedundantIfTheyAgreeAndContradictoryIfNot) {
  System system = two_rods();
  for (int i = 0; i < 3; ++i)
    system.constrain("rest " + std::to_string(i),
                     std::make_shared<JointCoupling>(
                         system.model, std::vector<JointCoupling::Term>{{0, 1.0 + i}, {1, 2.5 - i}}, 0.1));
  const VecX<> q = Eigen::Vector2d(0.3, 0.4), v = VecX<>::Zero(2);
  const Motion agreeing = solve_motion(system, q, v);
  EXPECT_EQ(agreeing.status, Status::redundant);
  EXPECT_EQ(agreeing.rank, 2);
  EXPECT_LT(agreeing.vdot.norm(), 1e-13);

  system.constrain("runaway",
                   std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1.0}, {1, 1.0}},
                                                   ScalarPath([](const Jet& t) { return t * t; })));
  const Diagnosis diagnosis = diagnose(system, q, v);
  EXPECT_EQ(diagnosis.status, Status::contradictory);
  EXPECT_EQ(diagnosis.freedoms_after, 0);
  const std::string text = diagnosis.text();
  EXPECT_NE(text.find("contradicts"), std::string::npos) << text;
}

TEST(Verdicts, RankLostOnTheWayIsSaidAndTheRowIsNamed) {
  System system = two_rods();
  system.constrain("tip", tip_held(system, Mat3<>::Identity(), {true, true, false}));
  const Motion bent = solve_motion(system, Eigen::Vector2d(0.3, 0.9), Eigen::Vector2d(1, -1));
  EXPECT_EQ(bent.status, Status::regular);

  // nearly stretched: the row along the arm fades
  const Diagnosis near = diagnose(system, Eigen::Vector2d(0.3, 1e-6), VecX<>::Zero(2));
  EXPECT_EQ(near.status, Status::nearly_redundant);
  EXPECT_EQ(near.weakest_row.substr(0, 4), "tip[");
  EXPECT_LT(near.weakest_pivot, 1e-5);

  // stretched and moving: nothing can bend the path of the tip inwards, and that is a contradiction
  const Diagnosis stretched = diagnose(system, Eigen::Vector2d(0.3, 0), Eigen::Vector2d(1, 0));
  EXPECT_EQ(stretched.rank, 1);
  EXPECT_EQ(stretched.status, Status::contradictory);
  ASSERT_EQ(stretched.redundant.size(), 1u);
  EXPECT_FALSE(stretched.redundant[0].agrees);
  // stretched and at rest: just redundant
  EXPECT_EQ(diagnose(system, Eigen::Vector2d(0.3, 0), VecX<>::Zero(2)).status, Status::redundant);
}

TEST(Verdicts, NotANumberIsBlamedOnTheOneItComesFrom) {
  System system = two_rods();
  system.constrain("good", tip_held(system, Mat3<>::Identity(), {true, false, false}));
  System bad_path = system, bad_force = system, bad_friction = system;
  bad_path.constrain("broken path",
                     std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1.0}},
                                                     ScalarPath([](const Jet& t) { return sqrt(t - 1.0); })));
  bad_force.apply("broken motor",
                  std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>& tau) { tau[1] = not_a_number; }));
  class BrokenLaw final : public WorkingForce {
    void add_to(const Model&, const Movement<double>&, const Rows&, const Eigen::Ref<const VecX<>>&,
                VecX<>& tau) const override {
      tau[0] = not_a_number;
    }
  };
  bad_friction.constraints[0].working = std::make_shared<BrokenLaw>();
  const VecX<> q = Eigen::Vector2d(0.3, 0.9), v = Eigen::Vector2d(1, -1);
  for (const auto& [broken, blamed] : {std::pair<const System&, const char*>{bad_path, "constraint 'broken path'"},
                                       {bad_force, "force 'broken motor'"},
                                       {bad_friction, "constraint 'good'"}}) {
    EXPECT_EQ(solve_motion(broken, q, v).status, Status::not_a_number);
    const Diagnosis diagnosis = diagnose(broken, q, v);
    EXPECT_EQ(diagnosis.not_numbers, std::vector<std::string>{blamed});
    EXPECT_EQ(diagnosis.text(), std::string("not a finite number: ") + blamed + "\n");
  }
  const Diagnosis state = diagnose(system, Eigen::Vector2d(0.3, not_a_number), v);
  EXPECT_EQ(state.not_numbers, std::vector<std::string>{"the state"});
}

TEST(Verdicts, FrictionThatFindsNoForceIsUnsettled) {
  System system = two_rods();
  system.constrain("wall", tip_held(system, Mat3<>::Identity(), {true, false, false}));
  NamedConstraint& wall = system.constraints.back();
  // a law that asks for more friction the less there is
  class Quarrel final : public WorkingForce {
    void add_to(const Model&, const Movement<double>&, const Rows&, const Eigen::Ref<const VecX<>>& lambda,
                VecX<>& tau) const override {
      tau[0] += lambda[0] > 0 ? -1e3 : 1e3;
      tau[1] += lambda[0] > 0 ? -1e3 : 1e3;
    }
  };
  wall.working = std::make_shared<Quarrel>();
  const VecX<> q = Eigen::Vector2d(0.3, 0.9), v = VecX<>::Zero(2);
  const Motion motion = solve_motion(system, q, v);
  EXPECT_EQ(motion.status, Status::unsettled);
  EXPECT_FALSE(has_motion(motion.status));
}

// Layers.

TEST(Layers, AControlRowThatContradictsALoopLeavesTheLoopExactAndIsNamed) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  for (int i = 0; i < 2; ++i)
    system.constrain("drive " + std::to_string(i),
                     std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{i, 1.0}},
                                                     ScalarPath([i](const Jet& t) { return t * t * (1.0 + i); })),
                     Layer::control);
  Data data(compile(system));
  Motion motion(3, data.problem.asked().rows);
  solve_motion(q, VecX<>::Zero(3), 0, data, motion);
  EXPECT_EQ(motion.status, Status::contradictory);
  EXPECT_EQ(motion.rank, 3);
  EXPECT_LT(motion.residual.head(3).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT(motion.residual.tail(2).cwiseAbs().maxCoeff(), 0.1);
  bool named = false;
  for (const Diagnosis::RedundantRow& row : diagnose(system, q, VecX<>::Zero(3)).redundant)
    named |= row.row.starts_with("drive") && !row.agrees;
  EXPECT_TRUE(named);
}

TEST(Layers, AControlRowInThePhysicalSpanNearASingularPostureDoesNotBlowUp) {
  for (const double bend : {1e-2, 1e-4, 1e-6, 1e-8}) {
    System system = two_rods();
    const VecX<> q = Eigen::Vector2d(0.3, bend), v = VecX<>::Zero(2);
    system.constrain("tip", tip_held(system, Mat3<>::Identity(), {true, true, false}));
    const Motion alone = solve_motion(system, q, v);
    system.constrain("again", tip_held(system, rotation_from_rpy({0, 0, 0.7}), {true, false, false}), Layer::control);
    const Motion both = solve_motion(system, q, v);
    EXPECT_EQ(both.rank, 2) << bend;
    EXPECT_LT((both.vdot - alone.vdot).norm(), 1e-12 * (1 + alone.vdot.norm())) << bend;
    EXPECT_LT((both.Qc - alone.Qc).norm(), 1e-12 * (1 + alone.Qc.norm())) << bend;
    const Diagnosis diagnosis = diagnose(system, q, v);
    ASSERT_EQ(diagnosis.redundant.size(), 1u) << bend;
    EXPECT_EQ(diagnosis.redundant[0].row, "again");
    EXPECT_EQ(diagnosis.redundant[0].follows_from.size(), 2u);
  }
}

TEST(Layers, NoiseOfNearlyRedundantRowsIsNotTakenForAControlRow) {
  // a third rod leaves room for what rounding makes of a row that the first two already determine
  for (const double bend : {1e-5, 1e-6, 1e-7, 1e-8}) {
    RobotDescription robot = two_rod_description();
    robot.links.push_back(rod("c", 1, 1, x_axis));
    robot.joints.push_back(turning("q3", "b", "c", {1, 0, 0}, z_axis));
    System system(build_model(robot, Vec3<>(0, -9.81, 0)));
    const VecX<> q = Vec3<>(0.3, bend, 0.7), v = VecX<>::Zero(3);
    system.constrain("tip", tip_held(system, Mat3<>::Identity(), {true, true, false}));
    const Motion alone = solve_motion(system, q, v);
    system.constrain("again", tip_held(system, rotation_from_rpy({0, 0, 0.7}), {true, false, false}), Layer::control);
    const Motion both = solve_motion(system, q, v);
    EXPECT_EQ(both.rank, 2) << bend;
    EXPECT_LT((both.vdot - alone.vdot).norm(), 1e-12 * (1 + alone.vdot.norm())) << bend;
  }
}

}  // namespace
}  // namespace trammel
