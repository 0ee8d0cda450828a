#include "trammel/motion/tree_motion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/count_allocations.h"
#include "support/looped_systems.h"
#include "support/seeds.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(TreeMotion, EqualsTheDenseEquationOnRandomMechanisms) {
  Random random(21);
  Worst worst("tree against dense");
  int regular = 0;
  const int all = cases(500);
  for (int i = 0; i < all; ++i) {
    const System system = random_system(random);
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    const Motion tree = solve_motion(system, q, v, 0.3), dense = udwadia_kalaba(dense_equation(system, q, v, 0.3));
    EXPECT_EQ(tree.rank, dense.rank);
    if (dense.status == Status::contradictory || dense.status == Status::nearly_redundant) continue;
    ++regular;
    worst.see((tree.vdot - dense.vdot).norm() / (1 + dense.vdot.norm()));
    worst.see((tree.Qc - dense.Qc).norm() / (1 + dense.Qc.norm()));
    worst.see((tree.residual - dense.residual).norm() / (1 + dense.vdot.norm()));
  }
  EXPECT_GT(regular, 0.6 * all);   // the rest is nearly redundant or, with too many rows, contradictory
  EXPECT_LT(worst.value(), 1e-9);  // cond(M) up to 1e4 and rows down to nearly redundant at 1e-4
}

TEST(TreeMotion, ABobAtTheBottomOfItsSwingPullsWithItsWeightAndTheCentripetalForce) {
  const double m = 2, g = 9.81, L = 1.5, speed = 3;
  RobotDescription robot;
  robot.name = "bob";
  Link bob;
  bob.name = "bob";
  bob.mass = m;
  robot.links.push_back(bob);
  Joint x = turning("x", "world", "carrier", Vec3<>::Zero(), x_axis),
        z = turning("z", "carrier", "bob", Vec3<>::Zero(), z_axis);
  x.type = z.type = JointType::prismatic;
  Link carrier;
  carrier.name = "carrier";
  robot.links.push_back(carrier);
  robot.joints = {x, z};
  System system(build_model(robot));
  system.constrain("rod", std::make_shared<Distance>(BodyPoint(), BodyPoint(system.model.frame("bob")), L));
  const VecX<> q = (VecX<>(2) << 0, -L).finished(), v = (VecX<>(2) << speed, 0).finished();
  const Motion motion = solve_motion(system, q, v);
  EXPECT_NEAR(motion.Qc[1], m * g + m * speed * speed / L, 1e-12);
  EXPECT_NEAR(motion.vdot[1], speed * speed / L, 1e-13);
  EXPECT_EQ(motion.status, Status::regular);
}

TEST(TreeMotion, APlanarLoopClosedInSpaceIsRedundantAndMovesLikeOneClosedInItsPlane) {
  VecX<> q(3);
  System in_space = tilted_four_bar(q), in_plane(in_space.model);
  const Mat3<> tilt = rotation_from_rpy({pi / 6, 0, 0});
  in_plane.constrain(
      "pin", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0)),
                                          BodyPoint(in_space.model.frame("bar2").body, Vec3<>(0.7, 0, 0)), world,
                                          tilt.leftCols(2)));
  // a velocity that the loop allows: two rows on three speeds
  const Equation e = dense_equation(in_plane, q, VecX<>::Zero(3), 0);
  VecX<> v = cross<double>(e.A.row(0).transpose(), e.A.row(1).transpose());
  v *= 2 / v[0];
  const Motion redundant = solve_motion(in_space, q, v), plain = solve_motion(in_plane, q, v);
  EXPECT_EQ(redundant.rank, 2);
  EXPECT_EQ(redundant.status, Status::redundant);
  EXPECT_EQ(plain.status, Status::regular);
  EXPECT_LT((redundant.vdot - plain.vdot).norm(), 1e-12 * plain.vdot.norm());
  EXPECT_LT((redundant.Qc - plain.Qc).norm(), 1e-12 * plain.Qc.norm());
  EXPECT_LT(redundant.residual.norm(), 1e-13 * (1 + plain.vdot.norm()));
}

TEST(TreeMotion, EvaluationDoesNotAllocate) {
  Random random(4);
  VecX<> q(3);
  const System four_bar = tilted_four_bar(q);
  for (int i = 0; i < 20; ++i) {
    const System system = i == 0 ? four_bar : random_system(random);
    const VecX<> at = i == 0 ? q : random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    Data data(compile(system));
    Motion motion(system.model.nv(), data.problem.asked().rows);
    const std::size_t before = allocation_count();
    solve_motion(at, v, 0.1, data, motion);
    EXPECT_EQ(allocation_count() - before, 0u);
  }
}

}  // namespace
}  // namespace trammel
