#include "trammel/motion/solve_batch.h"

#include <gtest/gtest.h>

#include "support/all_formulations.h"
#include "support/closed_mechanisms.h"
#include "support/condition.h"
#include "support/describe.h"
#include "support/histogram.h"
#include "support/linear_algebra.h"
#include "support/looped_systems.h"
#include "support/mechanisms.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/expression_constraint.h"
#include "trammel/math/lane_columns.h"
#include "trammel/motion/lane_motion.h"
#include "trammel/system/forces.h"

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
    MotionBatchWorkspace work(compile(system), workers);
    MotionBatch batch;
    solve_batch(states.q, states.v, 0, work, batch);
    Worst worst(GetParam().name + " in lanes, over eps times the condition of M");
    for (Eigen::Index i = 0; i < states.q.cols(); ++i) {
      const Equation equation = dense_equation(system, states.q.col(i), states.v.col(i));
      const VecX<> vdot = solve_symmetric(equation.M, equation.Q);
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
  MotionBatchWorkspace work(compile(system));
  MotionBatch batch;
  solve_batch(states.q, states.v, 0, work, batch);
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
  MotionBatchWorkspace work(compile(system));
  MotionBatch batch;
  solve_batch(states.q, states.v, 0, work, batch);
  for (int i = 0; i < 2 * lane_count; ++i) EXPECT_EQ(batch.status[i], i == 1 ? Status::not_a_number : Status::regular);
}

// Where states of another rank or verdict are among them, these go by themselves; nobody can tell from the answers.
void expect_motions(const System& system, const States& states, const MotionBatch& batch, double t, Histogram& errors,
                    const std::string& name) {
  for (Eigen::Index i = 0; i < states.q.cols(); ++i) {
    const VecX<> q = states.q.col(i), v = states.v.col(i);
    const Motion alone = solve_motion(system, q, v, t);
    EXPECT_EQ(batch.status[i], alone.status) << name << ", state " << i;
    EXPECT_EQ(batch.rank[i], alone.rank) << name << ", state " << i;
    if (!comparable(alone)) continue;
    const Equation equation = dense_equation(system, q, v, t);
    const Motion reference = udwadia_kalaba(equation);
    Motion beside = reference;
    beside.vdot = batch.vdot.col(i), beside.Qc = batch.Qc.col(i);
    const double bound = eps * condition(equation, reference.rank), apart = difference(beside, reference) / bound;
    errors.see(name, apart);
    errors.see(name + ", alone", difference(alone, reference) / bound);
    EXPECT_LT(apart, 100) << name << ", state " << i;
  }
}

TEST(SolveBatch, MovesRandomMechanismsAsUdwadiaAndKalabaSay) {
  Random random(17);
  Histogram errors("in lanes, apart from udwadia_kalaba, over eps·cond");
  for (int i = 0, all = cases(100); i < all; ++i) {
    const System system = random_busy_system(random);
    const States states(system.model, 17);
    MotionBatchWorkspace work(compile(system), 2);
    MotionBatch batch;
    solve_batch(states.q, states.v, 0.3, work, batch);
    expect_motions(system, states, batch, 0.3, errors, "random");
  }
}

// States on the constraints, with velocities that keep them: redundant rows agree with the others there.
States states_on(const Looped& looped, int count) {
  const System& system = looped.system;
  Data data(compile(system));
  States out(system.model, count);
  Random random(23);
  VecX<> step(system.model.nv());
  for (int i = 0; i < count; ++i) {
    VecX<> q = retract(system.model, looped.q, random.vector(system.model.nv(), 0.1)), v = out.v.col(i);
    for (int k = 0; k < 6; ++k) {
      EXPECT_TRUE(factorize_motion(q, v, 0, data));
      least_step(-data.phi, data, data.asked, step);
      q = retract(system.model, q, step);
    }
    EXPECT_TRUE(factorize_motion(q, v, 0, data));
    least_step(-data.rate, data, data.asked, step);
    out.q.col(i) = q, out.v.col(i) = v + step;
  }
  return out;
}

TEST(SolveBatch, MovesLoopsAsUdwadiaAndKalabaSay) {
  Histogram errors("loops in lanes, apart from udwadia_kalaba, over eps·cond");
  const std::pair<const char*, Looped> loops[] = {
      {"five-bar", five_bar()}, {"3-RRR", three_rrr()}, {"hinged four-bar", hinged_four_bar()}, {"Stewart", stewart()}};
  for (const auto& [name, looped] : loops) {
    const States states = states_on(looped, 33);
    MotionBatchWorkspace work(compile(looped.system));
    MotionBatch batch;
    solve_batch(states.q, states.v, 0, work, batch);
    expect_motions(looped.system, states, batch, 0, errors, name);
  }
}
// Flat, the bars of a rhombus feel the two rows of its pin as one.
TEST(SolveBatch, AStateOfAnotherRankGoesByItself) {
  const Looped looped = folding_four_bar();
  const int count = 2 * lane_count;
  for (const int flat : {0, lane_count + 1}) {  // all others are of another rank than the first, or one is
    States states = states_on(looped, count);
    states.q.col(flat) = Vec3<>(0, 0, pi);
    states.v.col(flat).setZero();
    MotionBatchWorkspace work(compile(looped.system));
    MotionBatch batch;
    solve_batch(states.q, states.v, 0, work, batch);
    for (int i = 0; i < count; ++i) EXPECT_EQ(batch.rank[i], i == flat ? 1 : 2) << i;
    Histogram errors("beside a flat rhombus, apart from udwadia_kalaba, over eps·cond");
    expect_motions(looped.system, states, batch, 0, errors, "rhombus");
  }
}

// Its redundant rows agree only where the loop is closed.
TEST(SolveBatch, AStateWhoseRowsContradictEachOtherGoesByItself) {
  const Looped looped = hinged_four_bar();
  States states = states_on(looped, 2 * lane_count);
  System system = looped.system;
  system.constraints.push_back(system.constraints[0]);
  system.constraints.back().name = "loop, stabilised";
  system.constraints.back().baumgarte = Baumgarte{0, 50};
  const int off = lane_count;
  states.q(1, off) += 0.01;
  MotionBatchWorkspace work(compile(system));
  MotionBatch batch;
  solve_batch(states.q, states.v, 0, work, batch);
  for (int i = 0; i < 2 * lane_count; ++i)
    EXPECT_EQ(batch.status[i], i == off ? Status::contradictory : Status::redundant) << i;
  EXPECT_EQ(batch.vdot.col(off), solve_motion(system, states.q.col(off), states.v.col(off)).vdot);
}

// The row in the middle is left out, since it follows from the first; where it has no value nothing moves all the same.
TEST(SolveBatch, AStateWhoseRedundantRowIsNotANumberGoesByItself) {
  System system(build_model(arm7()));
  const Vocabulary words = vocabulary_of(system.model);
  for (const char* text : {"q1 = q2", "asin(q1) = asin(q2)", "2*q1 = 2*q2"})
    system.constrain(text, std::make_shared<ExpressionConstraint>(system.model, parse_equation(text, words)));
  MatX<> q = MatX<>::Constant(system.model.nq(), 3 * lane_count, 0.5), v = MatX<>::Zero(system.model.nv(), q.cols());
  const int off = lane_count + 1;
  q.col(off).setConstant(2);  // beyond asin
  MotionBatchWorkspace work(compile(system));
  MotionBatch batch;
  solve_batch(q, v, 0, work, batch);
  for (int i = 0; i < static_cast<int>(q.cols()); ++i)
    EXPECT_EQ(batch.status[i], i == off ? Status::not_a_number : Status::redundant) << i;
}

// A user's own: two rows on three angles, φ = C (q₁, q₃, q₅).
class Geared final : public PositionConstraint<Geared> {
 public:
  int rows() const override { return 2; }
  std::span<const int> bodies() const override { return {}; }
  std::span<const int> velocities() const override { return angles_; }
  double row_scale(int) const override { return 1; }
  void evaluate(const Movement<double>& now, Rows& out) const override {
    law<double>(now.placement(), out.phi);
    out.rate = C_ * Vec3<>(now.v[1], now.v[3], now.v[5]);
    out.b.setZero();
    out.coefficients = C_;
  }
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    for (int k = 0; k < 2; ++k) out[k] = now.q[1] * C_(k, 0) + now.q[3] * C_(k, 1) + now.q[5] * C_(k, 2);
  }

 private:
  std::vector<int> angles_{1, 3, 5};
  Eigen::Matrix<double, 2, 3> C_{{1, 2, -0.5}, {0.3, -1, 4}};
};

TEST(SolveBatch, RowsThatActOnSeveralVelocitiesDirectlyMoveAsUdwadiaAndKalabaSay) {
  System system(build_model(arm7()));
  system.constrain("gears", std::make_shared<Geared>());
  const States states(system.model, 9);
  MotionBatchWorkspace work(compile(system));
  MotionBatch batch;
  solve_batch(states.q, states.v, 0, work, batch);
  Histogram errors("gears in lanes, apart from udwadia_kalaba, over eps·cond");
  expect_motions(system, states, batch, 0, errors, "gears");
}

// Whether lanes do the work at all: a state of the leader's rank, far from another, agrees.
TEST(LaneMotion, StatesLikeTheLeaderAreSolvedBesideIt) {
  for (const Looped& looped : {five_bar(), three_rrr(), stewart()}) {
    const States states = states_on(looped, lane_count);
    Data data(compile(looped.system));
    Motion leader(looped.system.model.nv(), data.problem.asked().rows);
    solve_motion(states.q.col(0), states.v.col(0), 0, data, leader);
    LaneMotion lanes(data.problem);
    lanes.follow(data);
    gather(states.q, 0, lane_count, lanes.q);
    gather(states.v, 0, lane_count, lanes.v);
    EXPECT_TRUE(lanes.solve(0, data).all());
  }
}

TEST(SolveBatch, ANumberOfWorkersChangesNothing) {
  const Looped looped = stewart();
  const States states(looped.system.model, 5 * lane_count + 1);
  MotionBatch one, three;
  for (const auto& [workers, batch] : {std::pair(1, &one), std::pair(3, &three)}) {
    MotionBatchWorkspace work(compile(looped.system, {{}, {2, 30}}), workers);
    solve_batch(states.q, states.v, 0.5, work, *batch);
  }
  EXPECT_EQ(one.vdot, three.vdot);
  EXPECT_EQ(one.Qc, three.Qc);
  EXPECT_EQ(one.rank, three.rank);
  EXPECT_EQ(one.status, three.status);
}

// Baumgarte's terms, and what is not a number, by themselves and in lanes.
TEST(SolveBatch, UnderConstraintsIsWhatSolveMotionGives) {
  const Looped looped = five_bar();
  const MotionOptions options{{}, {2, 30}};
  States states(looped.system.model, 2 * lane_count);
  states.v(1, 2) = std::numeric_limits<double>::quiet_NaN();
  MotionBatchWorkspace work(compile(looped.system, options));
  MotionBatch batch;
  solve_batch(states.q, states.v, 0, work, batch);
  for (int i = 0; i < 2 * lane_count; ++i) {
    const Motion one = solve_motion(looped.system, states.q.col(i), states.v.col(i), 0, options);
    EXPECT_EQ(batch.status[i], one.status);
    if (i == 2) {
      EXPECT_EQ(one.status, Status::not_a_number);
      EXPECT_TRUE(batch.vdot.col(i).array().isNaN().all());
    } else {
      const Equation equation = dense_equation(looped.system, states.q.col(i), states.v.col(i));
      EXPECT_LT((batch.vdot.col(i) - one.vdot).norm() / (1 + one.vdot.norm()),
                100 * eps * condition(equation, one.rank));
    }
  }
}

TEST(SolveBatch, ForcesSeeTheInputs) {
  System system(build_model(chain(3)));
  system.add_input("push", 7);
  system.apply("push", std::make_shared<JointForce>(
                           system.model, 1,
                           BoundExpression(system.model, parse_expression("2*push", vocabulary_of(system)), {},
                                           system.input_names())));
  const Problem problem = compile(system);
  const MatX<> q = MatX<>::Constant(3, 2 * lane_count, 0.2), v = MatX<>::Zero(3, 2 * lane_count);
  MotionBatchWorkspace work(problem);
  MotionBatch batch;
  solve_batch(q, v, 0, work, batch);
  Data data(problem);
  Motion motion(3, 0);
  solve_motion(q.col(0), v.col(0), 0, data, motion);
  System pushed(system.model);
  pushed.apply("push", std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>& tau) { tau[1] += 14; }));
  const Motion expected = solve_motion(pushed, q.col(0), v.col(0));
  EXPECT_LT((motion.vdot - expected.vdot).norm(), 1e-12 * expected.vdot.norm());
  EXPECT_LT((batch.vdot.col(2 * lane_count - 1) - expected.vdot).norm(), 1e-12 * expected.vdot.norm());
}

}  // namespace
}  // namespace trammel
