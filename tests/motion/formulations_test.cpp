#include "trammel/formulations/formulations.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/all_formulations.h"
#include "support/condition.h"
#include "support/histogram.h"
#include "support/looped_systems.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/joint_coupling.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(Formulations, AllAgreeOnRandomMechanismsWithinTheirCondition) {
  Random random(31);
  Histogram errors("apart from udwadia_kalaba, over eps·cond");
  int compared = 0, redundant = 0, left_out = 0;
  while (compared < 200) {
    const System system = random_busy_system(random);
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    const std::vector<Answer> answers = all_answers(system, q, v, 0.3);
    const Motion& reference = answers[0].motion;
    if (!comparable(reference)) {
      ++left_out;
      continue;
    }
    ++compared;
    redundant += reference.status == Status::redundant;
    const Equation e = dense_equation(system, q, v, 0.3);
    const double bound = eps * condition(e, reference.rank);
    for (const Answer& answer : answers) {
      EXPECT_EQ(answer.motion.status, reference.status) << answer.name << ": " << name_of(answer.motion.status);
      EXPECT_EQ(answer.motion.rank, reference.rank) << answer.name;
      errors.see(answer.name, difference(answer.motion, reference) / bound);
      EXPECT_LT(difference(answer.motion, reference), 100 * bound) << answer.name << ", case " << compared;
    }
    const Motion kkt = multipliers(e);
    EXPECT_EQ(kkt.status, reference.status == Status::regular ? Status::regular : Status::singular);
    if (kkt.status == Status::regular) {
      errors.see("multipliers", difference(kkt, reference) / bound);
      EXPECT_LT(difference(kkt, reference), 100 * bound) << "multipliers, case " << compared;
    }
  }
  std::printf("compared %d (%d of them redundant), left out %d nearly redundant or contradictory\n", compared,
              redundant, left_out);
}

// Every constraint twice, each weighed by 1e-6 to 1e6.
System doubled_and_rescaled(Random& random, const System& system) {
  System out = system;
  out.constraints.clear();
  for (const NamedConstraint& c : system.constraints)
    for (const char* copy : {"", " again"}) out.constrain(c.name + copy, c.law, c.layer, random.log_uniform(1e-6, 1e6));
  return out;
}

TEST(Formulations, DuplicatedAndRescaledConstraintsChangeNothing) {
  Random random(32);
  Histogram errors("doubled constraints, apart from plain ones, over eps·cond");
  for (int compared = 0, all = cases(100); compared < all;) {
    const System system = random_busy_system(random), doubled = doubled_and_rescaled(random, system);
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    const Equation e = dense_equation(system, q, v, 0.3);
    const Motion plain = udwadia_kalaba(e);
    if (plain.status != Status::regular) continue;
    ++compared;
    const double bound = eps * condition(e, plain.rank);
    for (const Answer& answer : all_answers(doubled, q, v, 0.3)) {
      EXPECT_EQ(answer.motion.rank, plain.rank) << answer.name;
      EXPECT_EQ(answer.motion.status, Status::redundant) << answer.name << ": " << name_of(answer.motion.status);
      errors.see(answer.name, difference(answer.motion, plain) / bound);
      EXPECT_LT(difference(answer.motion, plain), 100 * bound) << answer.name << ", case " << compared;
    }
    EXPECT_EQ(multipliers(dense_equation(doubled, q, v, 0.3)).status, Status::singular);
  }
}

TEST(Formulations, MaggiTakesRowsOfAnyLength) {
  Random random(33);
  Worst worst("maggi, rows scaled by 1e-6 to 1e6, over eps·cond");
  for (int compared = 0; compared < 100;) {  // always all of them: rows that are left as they are show in few
    const System system = random_busy_system(random);
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    Equation e = dense_equation(system, q, v, 0.3);
    const Motion plain = udwadia_kalaba(e);
    if (!comparable(plain)) continue;
    ++compared;
    const double bound = eps * condition(e, plain.rank);
    for (int k = 0; k < e.A.rows(); ++k) {
      const double scale = random.log_uniform(1e-6, 1e6);
      e.A.row(k) *= scale;
      e.b[k] *= scale;
    }
    EXPECT_EQ(maggi(e).status, plain.status);
    worst.see(difference(maggi(e), plain) / bound);
  }
  EXPECT_LT(worst.value(), 100);
}

// q_other = ratio·q_0
std::shared_ptr<const Constraint> gear(const Model& model, double ratio, int other) {
  return std::make_shared<JointCoupling>(model, std::vector<JointCoupling::Term>{{0, ratio}, {other, -1.0}}, 0.0);
}

// Rows on velocities themselves, beside rows on bodies.
TEST(Formulations, AgreeOnCoupledJoints) {
  Random random(34);
  Histogram errors("coupled joints, apart from udwadia_kalaba, over eps·cond");
  constexpr JointType single[] = {JointType::revolute, JointType::prismatic, JointType::helical};
  for (int compared = 0; compared < 50;) {
    System system(build_model(random_robot(random, 5, single), random.vector(10)));
    system.constrain("gear", gear(system.model, random.uniform(0.5, 2), 3));
    system.constrain("rod",
                     std::make_shared<Distance>(BodyPoint(world, random.vector(3)), BodyPoint(4, random.vector()), 1));
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    const Equation e = dense_equation(system, q, v, 0.3);
    const std::vector<Answer> answers = all_answers(system, q, v, 0.3);
    if (!comparable(answers[0].motion)) continue;
    ++compared;
    const double bound = eps * condition(e, answers[0].motion.rank);
    for (const Answer& answer : answers) {
      errors.see(answer.name, difference(answer.motion, answers[0].motion) / bound);
      EXPECT_LT(difference(answer.motion, answers[0].motion), 100 * bound) << answer.name << ", case " << compared;
    }
  }
}

TEST(Formulations, WithoutConstraintsAllGiveTheFreeMotion) {
  Random random(35);
  System system = random_busy_system(random);
  system.constraints.clear();
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  const std::vector<Answer> answers = all_answers(system, q, v, 0.3);
  const double bound = 100 * eps * condition(dense_equation(system, q, v, 0.3), 0);
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.motion.status, Status::regular) << answer.name;
    EXPECT_EQ(answer.motion.rank, 0) << answer.name;
    EXPECT_LT((answer.motion.vdot - answers[0].motion.vdot).norm(), bound * (1 + answers[0].motion.vdot.norm()))
        << answer.name;
  }
}

TEST(Formulations, RowsThatCannotHoldTogetherAreCalledContradictory) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  const int bar = system.model.frame("bar2").body;
  // two rods that turn with one point ask for different accelerations of it along one line
  system.constrain("rod", std::make_shared<Distance>(BodyPoint(world, {0, 0, 5}), BodyPoint(bar, {0.7, 0, 0}), 1));
  const VecX<> v = VecX<>::Constant(3, 1.0);
  for (const Answer& answer : all_answers(system, q, v, 0))
    EXPECT_EQ(answer.motion.status, Status::contradictory) << answer.name << ": " << name_of(answer.motion.status);
}

TEST(Formulations, AStateThatIsNotANumberIsSaidToBeNone) {
  VecX<> q(3);
  const System system = tilted_four_bar(q);
  VecX<> v = VecX<>::Zero(3);
  v[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(maggi(dense_equation(system, q, v)).status, Status::not_a_number);
  EXPECT_EQ(lagrange(system, q, v).status, Status::not_a_number);
  EXPECT_EQ(kane(system, q, v).status, Status::not_a_number);
  EXPECT_EQ(absolute(system, q, v).status, Status::not_a_number);
}

// A bob right above a pivot that turns and tilts: turning moves no mass there, and only the gear says how it turns.
TEST(Formulations, WhereMIsSingularTheConstraintsDecideOrNothingDoes) {
  const double m = 2, L = 0.7, torque = 3, ratio = 4;
  RobotDescription robot;
  robot.name = "bob";
  robot.links.resize(2);
  robot.links[0].name = "fork";
  robot.links[1].name = "bob";
  robot.links[1].mass = m;
  robot.links[1].com = {0, 0, L};
  robot.joints = {turning("turn", "world", "fork", Vec3<>::Zero(), z_axis),
                  turning("tilt", "fork", "bob", Vec3<>::Zero(), y_axis)};
  System system(build_model(robot));
  system.apply("motor",
               std::make_shared<FunctionForce>([=](const Movement<double>&, VecX<>& tau) { tau[1] += torque; }));
  const VecX<> q = VecX<>::Zero(2), v = VecX<>::Zero(2);
  const auto answers = [&] {
    return std::vector<Answer>{{"maggi", maggi(dense_equation(system, q, v))},
                               {"lagrange", lagrange(system, q, v)},
                               {"kane", kane(system, q, v)},
                               {"absolute", absolute(system, q, v)}};
  };
  for (const Answer& answer : answers()) EXPECT_EQ(answer.motion.status, Status::singular) << answer.name;

  system.constrain("gear", gear(system.model, ratio, 1));
  for (const Answer& answer : answers()) {
    EXPECT_EQ(answer.motion.status, Status::regular) << answer.name << ": " << name_of(answer.motion.status);
    EXPECT_NEAR(answer.motion.vdot[1], torque / (m * L * L), 1e-13) << answer.name;
    EXPECT_NEAR(answer.motion.vdot[0], torque / (m * L * L) / ratio, 1e-13) << answer.name;
    EXPECT_LT(answer.motion.Qc.norm(), 1e-13) << answer.name;  // nothing hangs on the gear
  }
}

TEST(Formulations, MaggiRollsAWheelWhoseTravelHasNoMass) {
  // Udwadia and Phohomsiri: y its travel without mass, θ its turn
  const double m = 2, R = 0.3, Ic = 0.07, alpha = 0.4, g = 9.81;
  Equation e{MatX<>::Zero(2, 2), VecX<>(2), MatX<>(1, 2), VecX<>::Zero(1)};
  e.M(1, 1) = m * R * R + Ic;
  e.Q << 0, m * g * R * std::sin(alpha);
  e.A << 1, -R;
  const Motion motion = maggi(e);
  const double turn = m * g * R * std::sin(alpha) / (m * R * R + Ic);
  EXPECT_EQ(motion.status, Status::regular);
  EXPECT_NEAR(motion.vdot[0], R * turn, 1e-13);
  EXPECT_NEAR(motion.vdot[1], turn, 1e-13);

  e.A << 0, 1;  // says nothing about y
  EXPECT_EQ(maggi(e).status, Status::singular);
  e.M << 1, 1, 1, 1;  // no zero on the diagonal, and nothing asked for
  e.A.resize(0, 2);
  e.b.resize(0);
  EXPECT_EQ(maggi(e).status, Status::singular);
}

}  // namespace
}  // namespace trammel
