// The parallel robot of the paper at given states; where the numbers come from stands in paper_systems_test.cpp.
#include <gtest/gtest.h>

#include "motion/moment.h"
#include "support/paper_systems.h"
#include "support/worst.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(ParallelRobot, TenRowsOnTwelveCoordinatesAndTwelveWithTracking) {
  const System robot = parallel_robot(), tracking = parallel_tracking();
  const VecX<> q = parallel_start(robot.model), rest = VecX<>::Zero(12);
  Data data(compile(tracking));
  Motion motion(12, data.problem.asked().rows);
  solve_motion(q, rest, 0, data, motion);
  EXPECT_EQ(data.problem.asked().rows, 12);
  EXPECT_EQ(data.problem.asked().physical_rows, 10);
  EXPECT_EQ(motion.rank, 12);
  EXPECT_EQ(solve_motion(robot, q, rest).rank, 10);
  EXPECT_LT(data.phi.norm(), 2e-12);  // the loops close, and the path starts at the tip
  // as printed, the loops are open by 3.5e-5 m
  const VecX<> printed = vector({1.3015, -2.1752, 0, 0.25, 2.9105, -1.4593, 0.43, 0, 2.981, 1.8776, 0.4269, 0.5005});
  solve_motion(parallel_order(robot.model, printed), rest, 0, data, motion);
  const VecX<> open = vector({-3.476564574187e-05, -1.444270830975e-05, -2.459403274832e-05, 8.877215090519e-06});
  EXPECT_LT((data.phi.segment(6, 4) - open).norm(), 1e-15);
}

TEST(ParallelRobot, ConstraintForcesOfTheDrivenRobot) {
  const System system = parallel_driven();
  const ReferenceMoment moments[] = {
      {0,
       vector({1.3015, -2.1752, 0, 0.25, 2.910576233469, -1.459250310559, 0.43, 0, 2.980946844768, 1.877542681078,
               0.4269, 0.5005}),
       VecX<>::Zero(12),
       vector({-0.03418838794113, -0.01271443365913, -0.3231034223621, 0.1252916626392, -0.006291638046898,
               0.006168568884429, -0.02071960661843, 0.0623621791995, -0.02441532798147, -0.00494702869031,
               -0.0191497466062, 0.09209726685201})},
      {1,
       vector({1.489951004083, -2.29443051458, 0, 0.25, 2.835377633816, -1.2300043324, 0.43, 0, 2.889325308109,
               1.816066042998, 0.4269, 0.5005}),
       vector({-0.01719999367115, 0.02406379816707, 0, 0, -0.002764269462987, -0.01850412766069, 0, 0,
               -0.003634180710751, 0.02481658592698, 0, 0}),
       vector({0.02885435501557, 0.01374792798866, 0.3686238531399, -0.0831328409428, 0.008579374502258,
               -0.005877510638431, 0.01538953623472, -0.07376509094681, 0.01973237958813, 0.006130411685558,
               0.02003772423885, -0.06870715783399})},
      {10,
       vector({0.6944677598115, -0.95312780405, 0, 0.25, 2.379125505082, -1.578094960237, 0.43, 0, 3.446193199694,
               2.48737718285, 0.4269, 0.5005}),
       vector({-0.08921171127105, 0.2168779299725, 0, 0, -0.1018650562388, 0.0748628305076, 0, 0, 0.1076753636311,
               0.06006000501852, 0, 0}),
       vector({-0.04486263548862, 0.001980523725832, -0.1944038500162, 0.1434646523682, 0.01558348800591,
               0.004193701485103, -0.05025176466307, -0.02232259183114, -0.03011166583849, 0.001397614224682,
               -0.06161681978301, 0.1305259085961})}};
  Worst worst("parallel Qc");
  for (const ReferenceMoment& m : moments) {
    const Motion motion =
        solve_motion(system, parallel_order(system.model, m.q), parallel_order(system.model, m.v), m.t);
    worst.see((parallel_order(system.model, motion.Qc, true) - m.Qc).norm() / m.Qc.norm());
  }
  EXPECT_LT(worst.value(), 1e-11);  // the tree's M has a condition of 1e3 with free bases
}

struct TrackedMoment {
  double t;
  VecX<> q, v, Q1c, Q3c, u;  // u at qa1, qa2, qa3
};

const TrackedMoment tracked[] = {
    {0,
     vector({1.3015, -2.1752, 0, 0.25, 2.910576233469, -1.459250310559, 0.43, 0, 2.980946844768, 1.877542681078, 0.4269,
             0.5005}),
     VecX<>::Zero(12), VecX<>::Zero(12),
     vector({0.002018447092499, -0.001279033154635, -0.0143144969416, 0.001975846288521, 0.0006090675623409,
             0.0003498188209927, -0.002019537662726, -0.000695210843931, -0.0004681546847464, -0.0003425218520096,
             -0.001710553618096, 0.0008976645256853}),
     vector({0.004495883485001, 0.00228343726565, 0.0003124543795281})},
    {1,
     vector({1.316253355719, -2.195925096352, 0, 0.25, 2.912663758225, -1.442861215586, 0.43, 0, 2.978267115045,
             1.860769242174, 0.4269, 0.5005}),
     vector({0.0271083715609, -0.03781739074949, 0, 0, 0.003505656042084, 0.03035785830235, 0, 0, -0.004545737494184,
             -0.03096431929258, 0, 0}),
     vector({9.81104038318e-06, -2.076221890523e-06, -9.803104160285e-05, -0.0001529256824854, -3.678578101519e-05,
             -1.041301216149e-06, 4.24557139646e-05, 0.0001586868697645, 4.265390758533e-05, -3.224619445212e-07,
             -2.564731985771e-05, -0.0001956422690369}),
     vector({0.001101944570631, -0.0006975734491439, -0.007810913852963, 0.001028434294445, 0.0003158852192258,
             0.0001900160738242, -0.00107957111944, -0.000313788222596, -0.0002407036702846, -0.0001865901166503,
             -0.0009361832304119, 0.0004258375821751}),
     vector({0.002472336468487, 0.001190920786923, 0.0002630961604631})},
    {5,
     vector({1.32453958144, -2.207438891894, 0, 0.25, 2.91367902968, -1.43354088401, 0.43, 0, 2.976941465501,
             1.851281002976, 0.4269, 0.5005}),
     vector({-0.03103139080672, 0.04294590174675, 0, 0, -0.003591783733589, -0.03505555441531, 0, 0, 0.004726820877763,
             0.03561848120285, 0, 0}),
     vector({1.240432794709e-05, -2.269040890744e-06, -0.0001233648755604, -0.0002029112639766, -4.79125200755e-05,
             -1.568613196297e-06, 5.544113976554e-05, 0.0002056761401158, 5.554766519262e-05, -2.042289122287e-07,
             -3.321163276374e-05, -0.0002537977235292}),
     vector({0.0005867207180112, -0.0003694244015211, -0.004149176139373, 0.0005360427818862, 0.0001617498977453,
             0.0001005299836123, -0.0005654181583623, -0.0001428184055439, -0.0001243703299007, -9.88284382591e-05,
             -0.0004969553129861, 0.0002118061246059}),
     vector({0.001316902719241, 0.0006131456514437, 0.0001655415938355})}};

TEST(ParallelRobot, TrackingAddsTheIncrementOfTheSecondLayer) {
  const System robot = parallel_robot(), tracking = parallel_tracking();
  Worst worst("parallel Q1c and Q3c");
  for (const TrackedMoment& m : tracked) {
    const VecX<> q = parallel_order(robot.model, m.q), v = parallel_order(robot.model, m.v);
    const VecX<> Q1c = solve_motion(robot, q, v, m.t).Qc, Qc = solve_motion(tracking, q, v, m.t).Qc;
    worst.see((parallel_order(robot.model, Q1c, true) - m.Q1c).norm() / m.Q3c.norm());
    worst.see((parallel_order(robot.model, Qc - Q1c, true) - m.Q3c).norm() / m.Q3c.norm());
  }
  EXPECT_LT(worst.value(), 1e-11);
}

TEST(ParallelRobot, ThreeMotorsGiveTheSameMotionAsTheTrackingConstraint) {
  const System tracking = parallel_tracking();
  const Model& model = tracking.model;
  Worst worst("parallel motors");
  for (const TrackedMoment& m : tracked) {
    const VecX<> q = parallel_order(model, m.q), v = parallel_order(model, m.v);
    System driven = parallel_robot();
    const VecX<> u = by_joint(model, {{"qa1", m.u[0]}, {"qa2", m.u[1]}, {"qa3", m.u[2]}});
    driven.apply("motors", std::make_shared<FunctionForce>([u](const Movement<double>&, VecX<>& tau) { tau += u; }));
    const VecX<> wanted = solve_motion(tracking, q, v, m.t).vdot;
    worst.see((solve_motion(driven, q, v, m.t).vdot - wanted).norm() / wanted.norm());
  }
  EXPECT_LT(worst.value(), 1e-10);  // u has 13 digits; the loops' velocity terms stand against it
}

}  // namespace
}  // namespace trammel
