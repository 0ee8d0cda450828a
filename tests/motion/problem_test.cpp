#include "trammel/motion/problem.h"

#include <gtest/gtest.h>

#include "motion/led_five_bar.h"
#include "support/mechanisms.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/base/parallel_for.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/torques.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// With a force that looks at q, and weak motors at three joints.
System tracking_five_bar(VecX<>& q) {
  System system = led_five_bar({"left", "right", "left elbow"}, q);
  system.apply("spring", std::make_shared<FunctionForce>(
                             [](const Movement<double>& now, VecX<>& tau) { tau[1] -= 0.3 * now.q[1]; }));
  for (Actuator& motor : system.actuators) motor.limit = 0.7;
  return system;
}

// The physical system alone, its motors' torques an ordinary force on it.
System plant_under(const System& system, const VecX<>& u) {
  System out = system;
  std::erase_if(out.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
  out.actuators.clear();
  out.apply("motors",
            std::make_shared<FunctionForce>([u, motors = system.actuators](const Movement<double>&, VecX<>& tau) {
              for (std::size_t j = 0; j < motors.size(); ++j) tau[motors[j].velocity] += u[static_cast<int>(j)];
            }));
  return out;
}

TEST(Problem, KnowsEveryRowByNamePlaceLevelAndRole) {
  VecX<> q;
  System system = tracking_five_bar(q);
  system.constrain("speed", std::make_shared<JointSpeed>(system.model, 0, [](const Jet& t) { return t; }));
  system.constraints[1].leads = 2;
  const Problem problem = compile(system);
  EXPECT_TRUE(problem.driven());
  ASSERT_EQ(problem.asked().rows, 5);
  ASSERT_EQ(problem.held().rows, 3);
  const std::span<const RowInfo> rows = problem.rows();
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[2].name, "speed");  // a physical one, although it was added last
  EXPECT_EQ(rows[2].constraint, 2);
  EXPECT_EQ(rows[2].level, Level::velocity);
  EXPECT_EQ(rows[2].role, Role::constraint);
  EXPECT_EQ(rows[4].name, "stroke[1]");
  EXPECT_EQ(rows[4].row, 1);
  EXPECT_EQ(rows[4].layer, Layer::control);
  EXPECT_EQ(rows[4].role, Role::motion);
  system.actuators.clear();
  EXPECT_FALSE(compile(system).driven());
  EXPECT_EQ(compile(system).held().rows, 5);
}

TEST(Problem, RefusesOptionsThatMakeNoSense) {
  VecX<> q;
  const System system = tracking_five_bar(q);
  EXPECT_THROW(compile(system, {.rank = {.relative = -1}}), Error);
  EXPECT_THROW(compile(system, {.baumgarte = {std::nan(""), 0}}), Error);
}

// The motion of a driven problem shares kinematics, factor and rows with its motors. Another way to the same: the torques by
// themselves, then the plant with these as a force, both compiled anew.
class Driven : public testing::TestWithParam<int> {};

TEST_P(Driven, IsTheMotionOfThePlantUnderTheTorquesOfItsMotors) {
  Random random(4);
  VecX<> q0;
  System system = tracking_five_bar(q0);
  // friction of the loop, which the plant feels, or of the path, which it does not
  if (GetParam() >= 0) {
    NamedConstraint& rubs = system.constraints[GetParam()];
    rubs.working = std::make_shared<CoulombFriction>(*rubs.law, 0.1, BodyPoint(system.model.frame("left tip")));
  }
  const Problem problem = compile(system, {.baumgarte = {3, 20}});
  Data data(problem);
  Motion motion(4, problem.held().rows);
  Worst u("torques of the driven problem"), vdot("v̇ of the driven problem"), Qc("Qc of the driven problem"),
      forces("its forces of constraints");
  int limited = 0;
  for (int i = 0, all = cases(300); i < all; ++i) {
    const VecX<> q = q0 + random.vector(4, 0.2), v = random.vector(4, 2);
    const Torques torques = solve_torques(system, q, v, 0.3, problem.options());
    const Motion expected = solve_motion(plant_under(system, torques.u), q, v, 0.3, problem.options());
    if (i % 2 == 0) {
      solve_driven(q, v, 0.3, data, motion);
    } else {
      ASSERT_TRUE(factorize_motion(q, v, 0.3, data));
      solve_driven_factorized(data, motion);
    }
    ASSERT_EQ(motion.status, expected.status);
    ASSERT_EQ(motion.residual.size(), expected.residual.size());
    u.see((data.motors->torques.u - torques.u).norm() / (1 + torques.u.norm()));
    limited += torques.status == TorqueStatus::limited;
    vdot.see((motion.vdot - expected.vdot).norm() / (1 + expected.vdot.norm()));
    Qc.see((motion.Qc - expected.Qc).norm() / (1 + expected.Qc.norm()));
    VecX<> sum = VecX<>::Zero(4);
    for (const ConstraintForce& force : force_ledger(data, data.held())) sum += force.generalised;
    forces.see((sum - expected.Qc).norm() / (1 + expected.Qc.norm()));
  }
  EXPECT_GT(limited, 0);
  // 100 eps·cond; cond(M) of the five-bar is below 1e3 in these postures
  EXPECT_LT(u.value(), 2e-11);
  EXPECT_LT(vdot.value(), 2e-11);
  EXPECT_LT(Qc.value(), 2e-11);
  EXPECT_LT(forces.value(), 2e-11);
}

INSTANTIATE_TEST_SUITE_P(Friction, Driven, testing::Values(-1, 0, 1), [](const testing::TestParamInfo<int>& where) {
  return where.param < 0 ? "Nowhere" : where.param == 0 ? "OfTheLoop" : "OfThePath";
});

TEST(DrivenForces, SeeWholeTurnsOfJoints) {
  VecX<> q;
  const System system = tracking_five_bar(q);
  Data data(compile(system));
  Motion here(4, data.problem.held().rows), turned = here;
  solve_driven(q, VecX<>::Zero(4), 0, data, here);
  data.turns[1] = 1.5;  // as far as the force can tell, the joint stands there
  solve_driven(q, VecX<>::Zero(4), 0, data, turned);
  EXPECT_GT((here.vdot - turned.vdot).norm() + (here.Qc - turned.Qc).norm(), 1e-6);
}

// One problem, eight threads, a Data for each: the same motions to the bit as one thread alone.
TEST(Problem, IsSharedBetweenThreads) {
  Random random(5);
  VecX<> q0;
  const Problem problem = compile(tracking_five_bar(q0));
  constexpr int count = 400;
  std::vector<VecX<>> q, v, alone(count), together(count);
  for (int i = 0; i < count; ++i) {
    q.push_back(q0 + random.vector(4, 0.2));
    v.push_back(random.vector(4, 2));
  }
  const auto solve = [&](std::vector<VecX<>>& out) {
    return [&](int, int begin, int end) {
      Data data(problem);
      Motion motion(4, problem.held().rows);
      EXPECT_EQ(problem.endless().size(), 4u);  // made by whichever thread asks first
      for (int i = begin; i < end; ++i) {
        solve_driven(q[i], v[i], 0.1, data, motion);
        out[i] = motion.vdot;
      }
    };
  };
  parallel_for(count, 1, 1, solve(alone));
  parallel_for(count, 8, 1, solve(together));
  for (int i = 0; i < count; ++i) ASSERT_EQ(alone[i], together[i]) << i;
}

// A pendulum of length L with more rods where it is told so: v̇ = −g sin θ / L.
System pendulum_of(const Changes& numbers) {
  RobotDescription robot;
  Link bob = rod("bob", numbers.at("mass"), 1, x_axis);
  bob.com = Vec3<>(0, 0, -numbers.at("length"));
  bob.inertia = {};
  robot.links = {bob};
  robot.joints = {turning("swing", "world", "bob", Vec3<>::Zero(), x_axis)};
  System out(build_model(robot));
  if (numbers.at("pinned") > 0) out.constrain("pin", std::make_shared<JointSpeed>(out.model, 0, 0.0));
  return out;
}

TEST(Problem, OfAFunctionOfItsNumbersChangesThem) {
  const System nominal = parametrised({{"length", 2}, {"mass", 3}, {"pinned", 0}}, pendulum_of);
  const Problem problem = compile(nominal);
  ASSERT_EQ(problem.parameters().size(), 3u);
  Data data(problem);
  const VecX<> q = VecX<>::Constant(1, 0.4), v = VecX<>::Constant(1, 0.7);
  Motion motion(1, 0);
  for (const double length : {2.0, 0.5, 7.0}) {
    data.set({{"length", length}, {"mass", 0.2}});
    solve_motion(q, v, 0, data, motion);
    EXPECT_NEAR(motion.vdot[0], -9.81 * std::sin(0.4) / length, 1e-14 * 9.81 / length);
  }
  EXPECT_EQ(data.problem.with({}).parameters()[0].value, 2);
  // a row more is another problem
  EXPECT_THROW((void)problem.with({{"pinned", 1}}), Error);
  EXPECT_THROW((void)problem.with({{"lenght", 1}}), Error);
  EXPECT_THROW((void)compile(System(nominal.model)).with({{"length", 1}}), Error);
}

TEST(Problem, WeighsItsRowsAnewWhereTheirLengthsChange) {
  const System system = parametrised({{"length", 1}, {"scale", 1}}, [](const Changes& numbers) {
    System out(build_model(chain(2)));
    out.constrain("speed", std::make_shared<JointSpeed>(out.model, 0, 1.0, numbers.at("length")), Layer::physical,
                  numbers.at("scale"));
    out.constrain("other speed", std::make_shared<JointSpeed>(out.model, 0, 2.0));  // which contradicts it
    return out;
  });
  const Changes changes{{"length", 0.3}, {"scale", 5}};
  const Problem in_place = compile(system).with(changes), anew = compile(system.source->make(changes));
  EXPECT_EQ(in_place.asked().weight, anew.asked().weight);
  EXPECT_EQ(in_place.held().weight, anew.held().weight);
  EXPECT_NE(in_place.asked().weight, compile(system).asked().weight);
  const VecX<> zero = VecX<>::Zero(2);
  Data one{in_place}, other{anew};
  Motion motion(2, 2), expected = motion;
  solve_motion(zero, zero, 0, one, motion);
  solve_motion(zero, zero, 0, other, expected);
  EXPECT_EQ(motion.vdot, expected.vdot);
}

}  // namespace
}  // namespace trammel
