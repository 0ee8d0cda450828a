#include "trammel/motion/ledger.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/closed_mechanisms.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/motion/diagnosis.h"

namespace trammel {
namespace {

using namespace trammel::test;

RC_GTEST_PROP(Ledger, ForcesAddUpToQcAndPowersToItsPower, ()) {
  Random random(*any_seed());
  const System system = random_system(random);
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  if (motion.status == Status::contradictory || motion.status == Status::nearly_redundant) return;
  VecX<> sum = VecX<>::Zero(system.model.nv());
  double power = 0;
  for (const ConstraintForce& force : force_ledger(data, data.asked)) {
    sum += force.generalised;
    power += force.power;
  }
  RC_ASSERT((sum - motion.Qc).norm() < 1e-9 * (1 + motion.Qc.norm()));
  RC_ASSERT(std::abs(power - motion.Qc.dot(v)) < 1e-9 * (1 + motion.Qc.norm() * v.norm()));
}

TEST(Ledger, APlanarLoopInSpaceSharesWhatActsAcrossItsPlaneWithItsJoints) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  Data data(compile(system));
  Motion motion(3, data.problem.asked().rows);
  solve_motion(q, VecX<>::Zero(3), 0, data, motion);
  const std::vector<ConstraintForce> ledger = force_ledger(data, data.asked);
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].uniqueness, Uniqueness::shared);
  EXPECT_TRUE(ledger[0].shares_with.empty());  // with no other constraint
  EXPECT_EQ(ledger[0].determined,
            std::vector<bool>({true, false, false}));  // x is in the plane; y and z lean on each other
  EXPECT_LT((ledger[0].generalised - motion.Qc).norm(), 1e-12);

  const Diagnosis diagnosis = diagnose(system, q, VecX<>::Zero(3));
  EXPECT_EQ(diagnosis.freedoms_after, 1);
  ASSERT_EQ(diagnosis.redundant.size(), 1u);
  EXPECT_TRUE(diagnosis.redundant[0].agrees);
  EXPECT_EQ(diagnosis.redundant[0].row.substr(0, 4), "pin[");
  ASSERT_EQ(diagnosis.redundant[0].follows_from.size(), 1u);
  EXPECT_LT(diagnosis.residuals[0].phi.size(), 1e-15);
}

TEST(Ledger, TheLengthThatARowIsMeasuredByIsNotPartOfItsForce) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  system.constraints.clear();
  const std::vector<JointCoupling::Term> terms{{0, 1}, {1, -2}};
  system.constrain("gear", std::make_shared<JointCoupling>(system.model, terms, 0.1, 0.25));
  Data data(compile(system));
  Motion motion(3, data.problem.asked().rows);
  solve_motion(q, VecX<>::Ones(3), 0, data, motion);
  const ConstraintForce gear = force_ledger(data, data.asked)[0];
  EXPECT_NEAR(gear.multipliers[0], motion.Qc[0], 1e-13);
  EXPECT_NEAR(-2 * gear.multipliers[0], motion.Qc[1], 1e-13);
  EXPECT_LT((gear.generalised - motion.Qc).norm(), 1e-13);
}

TEST(Ledger, TwoRodsInOnePlaceShareTheirForceAndSaySo) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  const BodyPoint tip(system.model.frame("bar0").body, Vec3<>(0.3, 0, 0)), anchor(world, Vec3<>(0.5, 0.5, 2));
  System doubled = system;
  doubled.constraints.clear();
  doubled.constrain("rod", std::make_shared<Distance>(anchor, tip, 2));
  doubled.constrain("twin", std::make_shared<Distance>(anchor, tip, 2));
  doubled.constrain("pin", system.constraints[0].law);
  Data data(compile(doubled));
  Motion motion(3, data.problem.asked().rows);
  solve_motion(q, VecX<>::Zero(3), 0, data, motion);
  const std::vector<ConstraintForce> ledger = force_ledger(data, data.asked);
  EXPECT_EQ(motion.rank, 3);
  EXPECT_EQ(ledger[0].shares_with, std::vector<std::string>{"twin"});
  EXPECT_EQ(ledger[1].shares_with, std::vector<std::string>{"rod"});
  for (const ConstraintForce& force : ledger) EXPECT_EQ(force.uniqueness, Uniqueness::shared) << force.name;
  EXPECT_TRUE(ledger[2].shares_with.empty());
  EXPECT_NEAR(ledger[0].multipliers[0], ledger[1].multipliers[0], 1e-12 * std::abs(ledger[0].multipliers[0]));
}

TEST(Diagnosis, AHingeInAPlanarLoopLeavesOneFreedomAndNamesTheThreeRowsThatFollow) {
  const auto [system, q] = hinged_four_bar();
  const Diagnosis diagnosis = diagnose(system, q, VecX<>::Zero(3));
  EXPECT_EQ(diagnosis.status, Status::redundant);
  EXPECT_EQ(diagnosis.freedoms_after, 1);
  EXPECT_EQ(diagnosis.redundant.size(), 3u);
  for (const Diagnosis::RedundantRow& row : diagnosis.redundant) EXPECT_TRUE(row.agrees) << row.row;
}

TEST(Diagnosis, AHingeThatARoundedFileTurnsBy4e6LocksTheLoopAndIsNamedWithTheToleranceThatFreesIt) {
  const auto [system, q] = hinged_four_bar(4e-6);
  const Diagnosis locked = diagnose(system, q, VecX<>::Zero(3));
  EXPECT_EQ(locked.status, Status::nearly_redundant);
  EXPECT_EQ(locked.freedoms_after, 0);
  ASSERT_EQ(locked.nearly_redundant.size(), 1u);
  EXPECT_EQ(locked.nearly_redundant[0].row.substr(0, 5), "loop[");
  const double tolerance = locked.nearly_redundant[0].tolerance;
  EXPECT_GT(tolerance, 1e-7);
  EXPECT_LT(tolerance, 1e-5);
  EXPECT_NE(locked.text().find("frees it"), std::string::npos);

  const Diagnosis freed = diagnose(system, q, VecX<>::Zero(3), 0, {.rank = {.relative = 2 * tolerance}});
  EXPECT_EQ(freed.freedoms_after, 1);
  EXPECT_EQ(freed.status, Status::redundant);
}

TEST(Diagnosis, RowsThatContradictEachOtherAreNamed) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  const BodyPoint tip(system.model.frame("bar0").body, Vec3<>(0.3, 0, 0));
  const BodyPoint above(world, Vec3<>(0.2, 0.3, 1.5));
  // two rods of one direction, the second from further off: at speed they ask for different accelerations
  const Vec3<> p =
      Vec3<>(0.3 * std::cos(pi / 3), 0.3 * std::sin(pi / 3) * std::cos(pi / 6), 0.3 * std::sin(pi / 3) * 0.5);
  const BodyPoint further(world, Vec3<>(above.p_BP + (above.p_BP - p)));
  system.constrain("near", std::make_shared<Distance>(above, tip, 1));
  system.constrain("far", std::make_shared<Distance>(further, tip, 2));
  const Diagnosis diagnosis = diagnose(system, q, VecX<>::Constant(3, 2.0));
  EXPECT_EQ(diagnosis.status, Status::contradictory);
  bool named = false;
  for (const Diagnosis::RedundantRow& row : diagnosis.redundant)
    if (!row.agrees) named |= row.row == "near" || row.row == "far" || row.row.starts_with("pin");
  EXPECT_TRUE(named) << diagnosis.text();
}

// Baumgarte's part of the force.
RC_GTEST_PROP(Ledger, HoldingAndStabilisingPartsAreThoseOfTheirOwnRightHandSides, ()) {
  Random random(*any_seed());
  System system = random_system(random);
  system.constraints[0].baumgarte = Baumgarte{3, 40};
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  const MotionOptions options{.baumgarte = {5, 70}};
  Data data(compile(system, options));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  if (motion.status != Status::regular) return;
  const std::vector<ConstraintForce> ledger = force_ledger(data, data.asked);

  // by the dense equation, with and without
  System plain = system;
  plain.constraints[0].baumgarte.reset();
  const Motion whole = udwadia_kalaba(dense_equation(system, q, v, 0, options.baumgarte));
  const Motion holding = udwadia_kalaba(dense_equation(plain, q, v, 0));
  RC_ASSERT((motion.vdot - whole.vdot).norm() < 1e-9 * (1 + whole.vdot.norm()));
  VecX<> held = VecX<>::Zero(system.model.nv());
  const Equation e = dense_equation(plain, q, v, 0);
  int row = 0;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (const ConstraintForce& force : ledger) {
      if (force.layer != layer) continue;
      const int m = static_cast<int>(force.multipliers.size());
      held += e.A.middleRows(row, m).transpose() * (force.multipliers - force.stabilising);
      row += m;
    }
  RC_ASSERT((held - holding.Qc).norm() < 1e-8 * (1 + holding.Qc.norm()));
}

RC_GTEST_PROP(Ledger, LayersSplitByMultipliersAndByIncrements, ()) {
  Random random(*any_seed());
  const System system = random_system(random);
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  if (motion.status != Status::regular && motion.status != Status::redundant) return;
  const LayerSplit split = split_layers(data);
  System without(system.model);
  for (const NamedConstraint& c : system.constraints)
    if (c.layer == Layer::physical) without.constraints.push_back(c);
  const VecX<> alone = solve_motion(without, q, v).Qc;
  const double size = 1e-9 * (1 + motion.Qc.norm());
  RC_ASSERT((split.physical_rows + split.control_rows - motion.Qc).norm() < size);
  RC_ASSERT((split.without_control + split.control_increment - motion.Qc).norm() < size);
  RC_ASSERT((split.without_control - alone).norm() < size);
}

TEST(Ledger, AWrenchIsTheSameForceInEveryFrame) {
  // a rod pulls on a tip: about the tip it has no moment, and its force is its tension along the rod
  VecX<> q(3);
  System system = tilted_four_bar(q);
  system.constraints.clear();
  const Frame tip{"tip", system.model.frame("bar2").body, {Mat3<>::Identity(), Vec3<>(0.7, 0, 0)}};
  const BodyPoint anchor(world, Vec3<>(0.5, 0.5, 2));
  system.constrain("rod", std::make_shared<Distance>(anchor, BodyPoint(tip), 2));
  Data data(compile(system));
  Motion motion(3, data.problem.asked().rows);
  const VecX<> v = VecX<>::Ones(3);
  solve_motion(q, v, 0, data, motion);
  const ConstraintForce rod = force_ledger(data, data.asked)[0];
  ASSERT_EQ(rod.wrenches.size(), 1u);
  const Vec6<> at_tip = rod.wrenches[0].in(tip, data.tree.kin);
  EXPECT_LT(at_tip.head<3>().norm(), 1e-13 * at_tip.norm());
  EXPECT_NEAR(at_tip.tail<3>().norm(), std::abs(rod.multipliers[0]), 1e-13 * at_tip.norm());
  // in the world: the same force, and the moment of it at the tip's place
  const Vec3<> p = BodyPoint(tip).position<double>(data.tree.kin), n = (p - anchor.p_BP).normalized();
  const Vec6<> at_world = rod.wrenches[0].in(Frame{"world", world, {}}, data.tree.kin);
  EXPECT_LT((at_world.tail<3>() - n * rod.multipliers[0]).norm(), 1e-13 * at_tip.norm());
  EXPECT_LT((at_world.head<3>() - cross<double>(p, n * rod.multipliers[0])).norm(), 1e-13 * at_tip.norm());
}

}  // namespace
}  // namespace trammel
