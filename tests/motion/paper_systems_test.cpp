// The systems of the papers at given states: what needs no integration. The numbers come from an independent
// implementation (symbolic Lagrange equations and the formula as printed), 13 digits in states and forces: a state off by
// 5e-13 lets a force differ by the stiffness of the equation times that, which the bounds below allow for.
#include "support/paper_systems.h"

#include <gtest/gtest.h>

#include "motion/moment.h"
#include "support/random_robot.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/motion/ledger.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(Scara, HasTheMassMatrixAndBiasOfThePapersClosedForm) {
  const Model model = paper_robot("scara");
  const double alpha = 1.69, beta = 1.533225, gamma = 1.15, delta = 0.0201;
  Random random(3);
  Worst worst("scara against eqs. 34-36");
  for (int i = 0, all = cases(100); i < all; ++i) {
    const VecX<> q = random_configuration(random, model), v = random.vector(4, 3);
    const double c = gamma * std::cos(q[1]), s = gamma * std::sin(q[1]);
    MatX<> M(4, 4);
    M << alpha + beta + 2 * c, beta + c, delta, 0, beta + c, beta, delta, 0, delta, delta, delta, 0, 0, 0, 0, 0.5;
    const VecX<> bias = vector({-s * (2 * v[0] * v[1] + v[1] * v[1]), s * v[0] * v[0], 0, 0.5 * 9.81});
    worst.see((mass_matrix(model, q) - M).norm() / M.norm());
    worst.see((inverse_dynamics(model, q, v, VecX<>::Zero(4)) - bias).norm() /
              (bias.norm() + M.norm() * v.squaredNorm()));
  }
  EXPECT_LT(worst.value(), 20 * eps);
}

TEST(Scara, StartsOffTheHelixByThePapersInconsistency) {
  const System system = scara_on_helix();
  Data data(compile(system));
  Motion motion(4, data.problem.asked().rows);
  const VecX<> q = vector({pi / 6, -55 * pi / 180, 24 * pi / 180, 0}), v = vector({-0.157, 0.0001, 0.157, 0.0195});
  solve_motion(q, v, 0, data, motion);
  EXPECT_EQ(motion.status, Status::regular);
  // tool minus target in the order x, y, heading, z
  EXPECT_LT((data.phi - vector({0.005654565435175, -0.0002179724839498, -0.01745329251994, 0})).norm(), 1e-14);
  EXPECT_LT((data.rate - vector({-8.87324464519e-05, -0.0008772013167789, 9.999999999999e-05, -0.0005})).norm(), 1e-15);
}

TEST(Scara, ConstraintTorquesAlongTheDriftingMotion) {
  const System system = scara_on_helix();
  const ReferenceMoment moments[] = {
      {0, vector({pi / 6, -55 * pi / 180, 24 * pi / 180, 0}), vector({-0.157, 0.0001, 0.157, 0.0195}),
       vector({0.2617158001345, -0.2139965272655, 0, 4.905})},
      {1, vector({0.550704230456, -1.233680644377, 0.6656231214006, 0.0195}),
       vector({0.1845685711845, -0.4464418611461, 0.2619732899617, 0.0195}),
       vector({0.8008258147419, 0.2563241378467, 0, 4.905})},
      {2, vector({0.8241964964916, -1.63765476677, 0.7962049777587, 0.039}),
       vector({0.3155887585903, -0.2686911575052, -0.04679760108512, 0.0195}),
       vector({0.3728619898808, 0.4797364686991, 0, 4.905})},
      {20, vector({0.6190606590203, -1.119414441536, 0.4849004899962, 0.39}),
       vector({-0.1629750639609, -0.00204172032312, 0.165116784284, 0.0195}),
       vector({0.2314859555512, -0.2366340600579, 0, 4.905})}};
  Worst worst("scara Qc");
  for (const ReferenceMoment& m : moments)
    worst.see((solve_motion(system, m.q, m.v, m.t).Qc - m.Qc).norm() / m.Qc.norm());
  EXPECT_LT(worst.value(), 2e-12);
}

TEST(Scara, ConstraintTorquesAlongTheStabilisedMotion) {
  const System system = scara_on_helix();
  const ReferenceMoment moments[] = {
      {0, vector({pi / 6, -55 * pi / 180, 24 * pi / 180, 0}), vector({-0.157, 0.0001, 0.157, 0.0195}),
       vector({13.0174926619, 6.079317783793, 0.07016123093017, 4.905125})},
      {2, vector({0.8487602648927, -1.630065367018, 0.7918919070382, 0.04000011833789}),
       vector({0.3076440431839, -0.2521771147351, -0.05635372902805, 0.0203032311291}),
       vector({-6.543929749219, -2.634845749957, -0.04255004340423, 4.904912358428})},
      {10, vector({0.537808518853, -0.9580131848615, 0.4216374570408, 0.2000000800667}),
       vector({-0.1574978815564, -7.988688390537e-05, 0.1570105959757, 0.02004100686493}),
       vector({-0.7645977215712, -0.7270292002957, -0.005754119867012, 4.904981741613})}};
  Worst worst("scara Qc with Baumgarte");
  for (const ReferenceMoment& m : moments)
    worst.see((solve_motion(system, m.q, m.v, m.t, {.baumgarte = {0.5, 200}}).Qc - m.Qc).norm() / m.Qc.norm());
  EXPECT_LT(worst.value(), 2e-10);  // β = 200 and M up to 5.5: 5e-13 in q are 5e-10 N·m in Qc
}

// The cycloid of the serial paper at u = t/T, with its rates.
struct SerialMoment {
  VecX<> q, v, vdot;
};
SerialMoment serial_at(double u, double T) {
  const VecX<> delta = vector({pi / 2, pi / 4, -pi / 3});
  return {delta * (u - std::sin(2 * pi * u) / (2 * pi)), delta * ((1 - std::cos(2 * pi * u)) / T),
          delta * (2 * pi * std::sin(2 * pi * u) / (T * T))};
}

TEST(SerialManipulator, InverseTorquesOfTheSlowAndTheFastRun) {
  const Model model = paper_robot("serial");
  struct Row {
    double u;
    VecX<> slow, fast;
  };
  const Row table[] = {
      {0, vector({0, 78.48, 24.525}), vector({0, 78.48, 24.525})},
      {0.25, vector({5.935966360915, 79.570234862214, 24.853981685672}),
       vector({37.099789755717, 86.051088626121, 26.617548640029})},
      {0.5, vector({-1.152344783159, 74.908135583968, 23.968575922749}),
       vector({-7.202154894744, 78.819544040145, 22.148877084919})},
      {0.75, vector({-5.019473987364, 63.816076150333, 23.545848401913}),
       vector({-31.371712421023, 59.657042487384, 22.035248166006})},
      {1, vector({0, 61.841277268660, 23.689330889739}), vector({0, 61.841277268660, 23.689330889739})}};
  Worst worst("serial inverse torques, relative"), law("serial 2.5² law, N·m");
  for (const Row& row : table) {
    const SerialMoment slow = serial_at(row.u, 5), fast = serial_at(row.u, 2);
    const VecX<> tau_slow = inverse_dynamics(model, slow.q, slow.v, slow.vdot);
    const VecX<> tau_fast = inverse_dynamics(model, fast.q, fast.v, fast.vdot);
    worst.see((tau_slow - row.slow).norm() / row.slow.norm());
    worst.see((tau_fast - row.fast).norm() / row.fast.norm());
    const VecX<> G = inverse_dynamics(model, slow.q, VecX<>::Zero(3), VecX<>::Zero(3));
    law.see(((tau_fast - G) - 2.5 * 2.5 * (tau_slow - G)).norm());
  }
  EXPECT_LT(worst.value(), 2e-14);  // 12 decimals, three of them, of 66 N·m at least
  EXPECT_LT(law.value(), 2e-13);
}

TEST(SerialManipulator, OnATableItsToolPressesAsWorkedOutByHand) {
  // at rest and stretched out level, the table lets α̈3 = −2 α̈2: with the rates w and −w of the links the kinetic energy is
  // ½ (m2/4 + J2 + m3/4 + J3) w² and gravity's power −g (m2 + m3)/2 w; the row of α3 then gives the force of the table
  const double m = 3, J = 0.36, m4 = 1, g = 9.81;
  const double a = -g * m / (2 * (m / 4 + J));
  const double M33 = m / 4 + J + m4, M23 = M33 + m / 2 + m4, G3 = g * (m / 2 + m4);
  const double force = G3 + (M23 - 2 * M33) * a;
  const System system = serial_on_plane();
  Data data(compile(system));
  Motion motion(3, data.problem.asked().rows);
  solve_motion(VecX<>::Zero(3), VecX<>::Zero(3), 0, data, motion);
  EXPECT_LT((motion.vdot - vector({0, a, -2 * a})).norm(), 1e-13);
  EXPECT_LT((motion.Qc - vector({0, 2 * force, force})).norm(), 1e-13);
  EXPECT_NEAR(force_ledger(data, data.asked)[0].multipliers[0], force, 1e-13);
}

TEST(TwoLink, ConstraintTorquesOnTheVerticalLine) {
  const System system = two_link_on_line();
  struct Row {
    double t;
    VecX<> q, v, vdot, Qc;
  };
  const Row table[] = {{0, vector({pi / 3, -2 * pi / 3}), vector({0, 0}), vector({4.934802200545, 0}),
                        vector({15.56726923397, 2.863733516712})},
                       {0.25, vector({1.186441216028, -2.082056531054}), vector({0.994144366465, 0.1865106629674}),
                        vector({2.079333537748, 1.981010525559}), vector({11.38414108961, 3.479605356855})},
                       {0.5, vector({1.441244159646, -1.955193101291}), vector({0.8330247944428, 0.8472245339863}),
                        vector({-2.764773833481, 2.371274258613}), vector({3.93395970999, 4.336905941438})},
                       {1, vector({pi / 2, -pi / 2}), vector({0, 0}), vector({0, -4.934802200545}),
                        vector({3.260065933152, 3.260065933152})}};
  Data data(compile(system));
  Motion motion(2, data.problem.asked().rows);
  Worst worst("two-link"), rows("two-link rows");
  for (const Row& row : table) {
    solve_motion(row.q, row.v, row.t, data, motion);
    EXPECT_EQ(motion.rank, 2);
    rows.see(data.phi.norm() + data.rate.norm());  // the state is on the line: A v = c
    worst.see((motion.vdot - row.vdot).norm() / row.vdot.norm());
    worst.see((motion.Qc - row.Qc).norm() / row.Qc.norm());
  }
  EXPECT_LT(rows.value(), 3e-12);
  EXPECT_LT(worst.value(), 5e-12);
}

}  // namespace
}  // namespace trammel
