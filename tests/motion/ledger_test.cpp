#include "trammel/motion/ledger.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/looped_systems.h"
#include "trammel/motion/diagnosis.h"

namespace trammel {
namespace {

using namespace trammel::test;

RC_GTEST_PROP(Ledger, ForcesAddUpToQcAndPowersToItsPower, ()) {
  Random random(*any_seed());
  const System system = random_system(random);
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  MotionWorkspace work(system);
  Motion motion(system.model.nv(), work.rows);
  solve_motion(system, q, v, 0, {}, work, motion);
  if (motion.status == Status::contradictory || motion.status == Status::nearly_redundant) return;
  VecX<> sum = VecX<>::Zero(system.model.nv());
  double power = 0;
  for (const ConstraintForce& force : force_ledger(system, v, work)) {
    sum += force.generalised;
    power += force.power;
  }
  RC_ASSERT((sum - motion.Qc).norm() < 1e-9 * (1 + motion.Qc.norm()));
  RC_ASSERT(std::abs(power - motion.Qc.dot(v)) < 1e-9 * (1 + motion.Qc.norm() * v.norm()));
}

TEST(Ledger, APlanarLoopInSpaceHasOneForceAlthoughItsRowsShareIt) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  // a rod to the crank's tip from far above: a row of its own, whose force is its own too
  const BodyPoint tip(system.model.frame("bar0").body, Vec3<>(0.3, 0, 0));
  MotionWorkspace work(system);
  Motion motion(3, work.rows);
  solve_motion(system, q, VecX<>::Zero(3), 0, {}, work, motion);
  const std::vector<ConstraintForce> ledger = force_ledger(system, VecX<>::Zero(3), work);
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_TRUE(ledger[0].is_determined());  // as a whole
  EXPECT_EQ(ledger[0].determined,
            std::vector<bool>({true, false, false}));  // x is in the plane; y and z lean on each other
  EXPECT_LT((ledger[0].generalised - motion.Qc).norm(), 1e-12);

  const Diagnosis diagnosis = diagnose(system, q, VecX<>::Zero(3));
  EXPECT_EQ(diagnosis.freedoms_after, 1);
  ASSERT_EQ(diagnosis.redundant.size(), 1u);
  EXPECT_TRUE(diagnosis.redundant[0].agrees);
  EXPECT_EQ(diagnosis.redundant[0].row.substr(0, 4), "pin[");
  ASSERT_EQ(diagnosis.redundant[0].follows_from.size(), 1u);
  EXPECT_LT(diagnosis.residuals[0].phi, 1e-15);
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
  MotionWorkspace work(doubled);
  Motion motion(3, work.rows);
  solve_motion(doubled, q, VecX<>::Zero(3), 0, {}, work, motion);
  const std::vector<ConstraintForce> ledger = force_ledger(doubled, VecX<>::Zero(3), work);
  EXPECT_EQ(motion.rank, 3);
  EXPECT_EQ(ledger[0].shares_with, std::vector<std::string>{"twin"});
  EXPECT_EQ(ledger[1].shares_with, std::vector<std::string>{"rod"});
  EXPECT_TRUE(ledger[2].is_determined());
}

TEST(Diagnosis, NamesContradictingRowsAndAHingeThatIsSlightlyOff) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  // the pin's place as a rounded file gives it: 4e-6 rad out of the plane, seen at the far end
  Model model = system.model;
  System rounded(model);
  const Mat3<> almost = rotation_from_rpy({pi / 6 + 4e-6, 0, 0});
  rounded.constrain(
      "loop", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0)),
                                           BodyPoint(model.frame("bar2").body, Vec3<>(0.7, 0, 0)), world, almost));
  const Diagnosis off = diagnose(rounded, q, VecX<>::Zero(3));
  // directions that are merely turned within the three leave the same constraint: redundant, not nearly so
  EXPECT_EQ(off.status, Status::redundant);

  // two rods that ask the same point to move differently
  const BodyPoint tip(model.frame("bar0").body, Vec3<>(0.3, 0, 0));
  System torn(model);
  torn.constrain("slow", std::make_shared<KnifeEdge>(tip, Vec3<>(0, 1, 0)));
  torn.constrain("rod", std::make_shared<Distance>(BodyPoint(world, Vec3<>(0, 0, 0)), tip, 0.3));
  torn.constrain("pin", system.constraints[0].law);
  const Diagnosis diagnosis = diagnose(torn, q, VecX<>::Ones(3));
  EXPECT_NE(diagnosis.text().find("freedoms"), std::string::npos);
  EXPECT_EQ(diagnosis.residuals.size(), 3u);
}

}  // namespace
}  // namespace trammel
