#include "trammel/motion/solve_batch.h"

#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/condition.h"
#include "support/describe.h"
#include "support/worst.h"
#include "trammel/motion/dense_equation.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double eps = std::numeric_limits<double>::epsilon();

struct States {
  States(const Model& model, int count) : q(model.nq(), count), v(model.nv(), count) {
    Random random(5);
    for (int i = 0; i < count; ++i)
      q.col(i) = random_configuration(random, model), v.col(i) = random.vector(model.nv(), 3);
  }
  MatX<> q, v;
};

// Every state of a batch against the dense equation, solved by Eigen: M v̇ = Q shares no code with lanes.
class FreeTreesInLanes : public testing::TestWithParam<RobotDescription> {};

TEST_P(FreeTreesInLanes, MoveAsTheDenseEquationSays) {
  const System system(build_model(GetParam()));
  const States states(system.model, 4 * lane_count + 1);  // the last group is not full
  for (const int workers : {1, 3}) {
    MotionBatchWorkspace work(system, workers);
    MotionBatch batch;
    solve_batch(system, states.q, states.v, 0, {}, work, batch);
    Worst worst(GetParam().name + " in lanes, over eps times the condition of M");
    for (Eigen::Index i = 0; i < states.q.cols(); ++i) {
      const Equation equation = dense_equation(system, states.q.col(i), states.v.col(i));
      const VecX<> vdot = equation.M.ldlt().solve(equation.Q);
      const double of_root = condition(equation, 0);
      worst.see((batch.vdot.col(i) - vdot).norm() / (1 + vdot.norm()) / (eps * of_root * of_root));
      EXPECT_EQ(batch.status[i], Status::regular);
    }
    EXPECT_LT(worst.value(), 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, FreeTreesInLanes,
                         testing::Values(arm7(), scara(), tree36(), chain(20), joint_zoo(), massless_links()),
                         [](const auto& robot) { return robot.param.name; });

// A bead without extent on a spoke without mass: at the hub nothing resists turning.
TEST(FreeTreesInLanes, AStateWithoutAnAnswerDoesNotSpoilItsNeighbours) {
  RobotDescription robot;
  robot.name = "spoke";
  robot.links.resize(2);
  robot.links[0].name = "spoke";
  robot.links[1].name = "bead";
  robot.links[1].mass = 2;
  robot.joints = {turning("turn", "world", "spoke", {0, 0, 0}, z_axis),
                  turning("slide", "spoke", "bead", {0, 0, 0}, x_axis)};
  robot.joints[1].type = JointType::prismatic;
  const System system(build_model(robot));
  const int count = 3 * lane_count, hub = lane_count + 1;
  States states(system.model, count);
  states.q.row(1).array() = 0.5;
  states.q(1, hub) = 0;
  MotionBatchWorkspace work(system);
  MotionBatch batch;
  solve_batch(system, states.q, states.v, 0, {}, work, batch);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(batch.status[i], i == hub ? Status::singular : Status::regular) << i;
    if (i == hub) {
      EXPECT_TRUE(std::isnan(batch.vdot(0, i)));
      continue;
    }
    // polar coordinates: φ̈ = −2 ṙ φ̇/r, r̈ = r φ̇²
    const double turn = states.v(0, i), slide = states.v(1, i);
    EXPECT_NEAR(batch.vdot(0, i), -2 * slide * turn / 0.5, 1e-13);
    EXPECT_NEAR(batch.vdot(1, i), 0.5 * turn * turn, 1e-13);
  }
}

TEST(SolveBatch, SaysWhereAStateIsNotANumber) {
  const System system(build_model(arm7()));
  States states(system.model, 2 * lane_count);
  states.v(3, 1) = std::numeric_limits<double>::quiet_NaN();
  MotionBatchWorkspace work(system);
  MotionBatch batch;
  solve_batch(system, states.q, states.v, 0, {}, work, batch);
  for (int i = 0; i < 2 * lane_count; ++i) EXPECT_EQ(batch.status[i], i == 1 ? Status::not_a_number : Status::regular);
}

TEST(SolveBatch, UnderConstraintsIsWhatSolveMotionGives) {
  for (const Looped& looped : {five_bar(), three_rrr(), stewart()}) {
    const States states(looped.system.model, 7);
    MotionBatchWorkspace work(looped.system, 2);
    MotionBatch batch;
    solve_batch(looped.system, states.q, states.v, 0.5, {}, work, batch);
    for (int i = 0; i < 7; ++i) {
      const Motion one = solve_motion(looped.system, states.q.col(i), states.v.col(i), 0.5);
      EXPECT_EQ(batch.status[i], one.status);
      EXPECT_EQ(batch.rank[i], one.rank);
      if (!has_motion(one.status)) continue;
      EXPECT_EQ(batch.vdot.col(i), one.vdot);
      EXPECT_EQ(batch.Qc.col(i), one.Qc);
    }
  }
}

}  // namespace
}  // namespace trammel
