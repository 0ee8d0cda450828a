#include "trammel/motion/stages.h"

#include <gtest/gtest.h>

#include "motion/led_five_bar.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/opening.h"
#include "trammel/motion/torques.h"

namespace trammel {
namespace {

using namespace trammel::test;

// With its tip led; every row holds by itself.
struct FiveBar {
  VecX<> q;
  System system = led_five_bar({}, q);
  State at() const { return State(0.2, q, VecX<>::Ones(4)); }
};

// The same equation by a tree and by the matrices that the tree gives: the stages agree.
TEST(Stages, OfMatricesGiveWhatThoseOfTheTreeGive) {
  VecX<> q0;
  const System system = led_five_bar({}, q0);
  MatrixSystem matrices;
  matrices.coordinates = {"a", "b", "c", "d"};
  matrices.mass = [&](const VecX<>& q, double t, MatX<>& M) { M = dense_equation(system, q, VecX<>::Zero(4), t).M; };
  matrices.forces = [&](const VecX<>& q, const VecX<>& v, double t, VecX<>& Q) {
    Q = dense_equation(system, q, v, t).Q;
  };
  for (const NamedConstraint& constraint : system.constraints) {
    const Constraint& law = *constraint.law;
    matrices.constraints.push_back({constraint.name, law.rows(), Level::position,
                                    [&](const VecX<Jet>& q, const VecX<Jet>&, const Jet& t, Eigen::Ref<VecX<Jet>> out) {
                                      Positions<Jet> where(system.model);
                                      positions<Jet>(system.model, q, where);
                                      law.phi(Placement<Jet>{where, q, t}, out);
                                    },
                                    constraint.layer});
  }
  Data by_tree(compile(system)), by_matrices(compile(matrices));
  ASSERT_EQ(by_matrices.problem.asked().rows, by_tree.problem.asked().rows);
  Random random(3);
  Worst vdot("v̇ by matrices"), Qc("Qc by matrices"), step("least steps by matrices"), energy_error("kinetic energy");
  for (int i = 0, all = cases(200); i < all; ++i) {
    const State at(random.uniform(0, 1), q0 + random.vector(4, 0.2), random.vector(4, 2));
    solve(at, by_tree);
    solve(at, by_matrices);
    ASSERT_EQ(by_tree.motion.status, by_matrices.motion.status);
    vdot.see((by_tree.motion.vdot - by_matrices.motion.vdot).norm() / (1 + by_tree.motion.vdot.norm()));
    Qc.see((by_tree.motion.Qc - by_matrices.motion.Qc).norm() / (1 + by_tree.motion.Qc.norm()));
    const VecX<> change = random.vector(by_tree.problem.held().rows, 0.1);
    VecX<> one(4), other(4);
    least_step(change, by_tree, one);
    least_step(change, by_matrices, other);
    step.see((one - other).norm() / one.norm());
    energy_error.see(std::abs(kinetic_energy(at.v, by_tree) - kinetic_energy(at.v, by_matrices)) /
                     kinetic_energy(at.v, by_tree));
  }
  // 100 eps·cond; cond(M) of the five-bar is below 1e3 in these postures
  EXPECT_LT(vdot.value(), 2e-11);
  EXPECT_LT(Qc.value(), 2e-11);
  EXPECT_LT(step.value(), 2e-11);
  EXPECT_LT(energy_error.value(), 1e-13);
}

TEST(Stages, GoOnWithTheFactorsOfAStateNearby) {
  const FiveBar bar;
  Data data(compile(bar.system));
  ASSERT_TRUE(factorize(bar.at(), data));
  State other = bar.at();
  other.v *= 2;
  evaluate_rows(other, data);
  EXPECT_TRUE(data.has_rows(data.problem.held()));
  EXPECT_FALSE(data.has_motion());
  solve(data);  // the factors hang on q alone
  EXPECT_TRUE(data.has_motion());
  const VecX<> vdot = data.motion.vdot;
  solve(other, data);
  EXPECT_LT((vdot - data.motion.vdot).norm(), 1e-12 * (1 + vdot.norm()));
}

TEST(StagesDeathTest, ForcesOfAnEarlierStateAreNotGiven) {
  const FiveBar bar;
  Data data(compile(bar.system));
  solve(bar.at(), data);
  EXPECT_EQ(held_multipliers(data).size(), data.problem.held().rows);
  evaluate_rows(bar.at(), data);
  EXPECT_DEATH(held_multipliers(data), "has_motion");
  EXPECT_DEATH(force_ledger(data, data.asked), "has_solution");
  EXPECT_DEATH(power(bar.at().v, data), "has_motion");
}

TEST(StagesDeathTest, NothingIsSolvedWithoutFactorsOrRows) {
  const FiveBar bar;
  Data data(compile(bar.system));
  EXPECT_DEATH(solve(data), "factor");
  EXPECT_DEATH(data.factors(), "factor");
  ASSERT_TRUE(factorize(bar.at(), data));
  place(bar.q, VecX<>::Zero(4), 0, data);
  EXPECT_DEATH(solve(data), "has_rows");
}

TEST(StagesDeathTest, WhatWasSolvedForOtherRowsOrElsewhereIsNotThatOfTheHeldOnes) {
  VecX<> q;
  const System system = led_five_bar({"left", "right"}, q);
  const State at(0.2, q, VecX<>::Ones(4));
  Data data(compile(system));
  solve(at, data);
  EXPECT_TRUE(data.has_motion() && data.has_solution(data.held()));
  EXPECT_DEATH(force_ledger(data, data.asked), "has_solution");
  Motion ideal(4, data.problem.asked().rows);
  solve_motion(at.q, at.v, at.t, data, ideal);  // as if the path held by itself: not what the motors give
  EXPECT_EQ(force_ledger(data, data.asked).size(), 2u);
  EXPECT_DEATH(force_ledger(data, data.held()), "has_solution");
  EXPECT_DEATH(held_multipliers(data), "has_motion");
  evaluate_rows(at, data);  // of the rows that are held alone
  EXPECT_TRUE(data.has_rows(data.problem.held()));
  EXPECT_DEATH(WorstOpenings(data.problem).include(data), "has_rows");
}

TEST(StagesDeathTest, ADataThatWasMovedFromHasNoProblem) {
  const FiveBar bar;
  Data data(compile(bar.system));
  const Data taken(std::move(data));
  EXPECT_EQ(taken.problem.nv(), 4);
  EXPECT_DEATH(solve(bar.at(), data), "compiled_");  // NOLINT(bugprone-use-after-move): that is the point
}

TEST(StagesDeathTest, RowsOfAnotherProblemAreNotSolved) {
  const FiveBar bar;
  const Problem one = compile(bar.system), other = compile(bar.system);
  Data data(one), of_other(other);
  solve(bar.at(), data);
  solve(bar.at(), of_other);
  EXPECT_DEATH(solve_rows(data, of_other.asked), "asked");
}

TEST(StagesDeathTest, AProblemIsATreeOrIsGivenByItsMatrices) {
  const FiveBar bar;
  const Problem tree = compile(bar.system);
  EXPECT_DEATH(tree.matrices(), "is_tree");
  MatrixSystem matrices;
  matrices.coordinates = {"x"};
  const Problem given = compile(matrices);
  EXPECT_FALSE(given.is_tree());
  EXPECT_DEATH(given.system(), "is_tree");
}

}  // namespace
}  // namespace trammel
