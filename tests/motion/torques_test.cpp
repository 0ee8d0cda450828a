#include "trammel/motion/torques.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "motion/led_five_bar.h"
#include "support/closed_mechanisms.h"
#include "support/count_allocations.h"
#include "support/linear_algebra.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/motion/bounded_effort.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Every joint of one coordinate led by a row, and driven.
System led_and_driven(RobotDescription robot, const VecX<>& vdot) {
  System system(build_model(robot));
  for (int i = 0; i < system.model.nv(); ++i) {
    const double half = vdot[i] / 2;
    system.constrain("lead " + std::to_string(i),
                     std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{i, 1.0}},
                                                     ScalarPath([half](const Jet& t) { return t * t * half; })),
                     Layer::control);
    system.drive({.name = "motor " + std::to_string(i), .velocity = i});
  }
  return system;
}

// The physical system alone, with torques on its joints.
System plant(const System& system, const VecX<>& u) {
  System out(system.model);
  for (const NamedConstraint& constraint : system.constraints)
    if (constraint.layer == Layer::physical) out.constraints.push_back(constraint);
  out.forces = system.forces;
  const std::vector<Actuator> motors = system.actuators;
  out.apply("motors", std::make_shared<FunctionForce>([u, motors](const Movement<double>&, VecX<>& tau) {
              for (std::size_t j = 0; j < motors.size(); ++j) tau[motors[j].velocity] += u[static_cast<int>(j)];
            }));
  return out;
}

TEST(Torques, AMotorOnEveryJointOfATreeIsInverseDynamics) {
  Random random(3);
  Worst worst("torques against inverse dynamics");
  for (int i = 0, all = cases(100); i < all; ++i) {
    const VecX<> vdot = random.vector(7, 5);
    const System system = led_and_driven(arm7(), vdot);
    const VecX<> q = random.vector(7, 3), v = random.vector(7, 3);
    const Torques torques = solve_torques(system, q, v);
    EXPECT_EQ(torques.status, TorqueStatus::realised);
    const VecX<> inverse = inverse_dynamics(system.model, q, v, vdot);
    worst.see((torques.u - inverse).norm() / inverse.norm());
  }
  EXPECT_LT(worst.value(), 1e-11);  // cond(M) of the arm is about 1e4
}

TEST(Torques, AppliedToTheMechanismTheyGiveTheMotionAndNoOtherIsOfLessEffort) {
  Random random(12);
  const std::vector<std::string> all{"left", "right", "left elbow", "right elbow"};
  for (const std::size_t motors : {2u, 3u, 4u}) {
    VecX<> q;
    System system = led_five_bar({all.begin(), all.begin() + static_cast<int>(motors)}, q);
    for (std::size_t j = 0; j < motors; ++j) system.actuators[j].weight = 1.0 + static_cast<double>(j);
    Worst worst(std::to_string(motors) + " motors: motion under torques against the ideal one");
    for (int i = 0; i < 50; ++i) {
      // a velocity that the loop allows
      const Equation e = dense_equation(system, q, VecX<>::Zero(4));
      VecX<> v = random.vector(4, 2);
      const MatX<> A = e.A.topRows(2);
      v -= A.transpose() * inverse_of(A * A.transpose()) * (A * v);
      const Torques torques = solve_torques(system, q, v);
      ASSERT_EQ(torques.status, TorqueStatus::realised);
      const Motion ideal = solve_motion(system, q, v), driven = solve_motion(plant(system, torques.u), q, v);
      worst.see((ideal.vdot - driven.vdot).norm() / (1 + ideal.vdot.norm()));

      // along every other u that does the same, the effort grows
      VecX<> W(motors);
      for (std::size_t j = 0; j < motors; ++j) W[static_cast<int>(j)] = system.actuators[j].weight;
      for (int k = 0; k < 5 && motors > 2; ++k) {
        Data data(compile(system));
        data.motors->preload = random.vector(static_cast<int>(motors), 3);
        solve_torques(q, v, 0, data);
        const Torques& other = data.motors->torques;
        EXPECT_EQ(other.status, TorqueStatus::realised);
        EXPECT_LT((solve_motion(plant(system, other.u), q, v).vdot - ideal.vdot).norm(),
                  1e-9 * (1 + ideal.vdot.norm()));
        EXPECT_GE(other.u.cwiseProduct(W).dot(other.u), torques.u.cwiseProduct(W).dot(torques.u) * (1 - 1e-12));
      }
    }
    EXPECT_LT(worst.value(), 1e-11);
  }
}

TEST(Torques, AMotorAtItsLimitIsNamedAndTheOthersTakeOverWhatTheyCan) {
  VecX<> q;
  System system = led_five_bar({"left", "right", "left elbow"}, q);
  const VecX<> v = VecX<>::Zero(4);
  const Torques free = solve_torques(system, q, v);
  // half of what it gave: the other two can make up for it
  system.actuators[0].limit = std::abs(free.u[0]) / 2;
  const Torques shared = solve_torques(system, q, v);
  EXPECT_EQ(shared.status, TorqueStatus::realised);
  EXPECT_TRUE(shared.at_limit[0]);
  EXPECT_NEAR(std::abs(shared.u[0]), *system.actuators[0].limit, 1e-15);
  EXPECT_GE(shared.u.norm(), free.u.norm());
  // all too weak: the path is missed, and it says by whom
  for (Actuator& actuator : system.actuators) actuator.limit = 1e-3;
  const Torques weak = solve_torques(system, q, v);
  EXPECT_EQ(weak.status, TorqueStatus::limited);
  EXPECT_GT(weak.shortfall.norm(), 0.01);
  const std::string text = shortfall_text(compile(system), weak);
  EXPECT_NE(text.find("at the limit: 'stroke' by"), std::string::npos) << text;
  // the shortfall is what the plant then lacks
  const Motion driven = solve_motion(plant(system, weak.u), q, v);
  const Equation e = dense_equation(system, q, v);
  EXPECT_LT((e.b.tail(2) - e.A.bottomRows(2) * driven.vdot - weak.shortfall).norm(), 1e-12);
}

TEST(Torques, ALimitIsATorqueWhateverTheWeightOfTheMotor) {
  // a lone turning bar, asked to turn at ±2 rad/s² with half the torque that takes
  for (const double vdot : {2.0, -2.0})
    for (const double weight : {0.01, 1.0, 100.0}) {
      RobotDescription robot;
      robot.name = "bar";
      robot.links = {rod("bar", 3, 1, x_axis)};  // 1 kg·m² about its end
      robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), z_axis)};
      System system = led_and_driven(robot, VecX<>::Constant(1, vdot));
      system.actuators[0].weight = weight;
      system.actuators[0].limit = 1;
      const Torques weak = solve_torques(system, VecX<>::Zero(1), VecX<>::Zero(1));
      EXPECT_EQ(weak.status, TorqueStatus::limited) << weight;
      EXPECT_NEAR(weak.u[0], vdot / 2, 1e-14) << weight;
    }
}

TEST(Torques, ACraneCannotBeDrivenAlongThePathOfItsLoad) {
  // trolley on x, load on a cable: at rest the trolley does not move the load sideways at all
  RobotDescription robot;
  robot.name = "crane";
  robot.links = {rod("trolley", 5, 0.2, x_axis), rod("load", 2, 0.1, z_axis)};
  Joint trolley = turning("trolley", "world", "trolley", Vec3<>::Zero(), x_axis);
  trolley.type = JointType::prismatic;
  Joint load = turning("load", "world", "load", {0, 0, -2}, z_axis);
  load.type = JointType::floating;
  robot.joints = {trolley, load};
  System system(build_model(robot));
  const BodyPoint hook(system.model.frame("load"));
  system.constrain("cable", std::make_shared<Distance>(BodyPoint(system.model.frame("trolley")), hook, 2));
  system.constrain("load path",
                   std::make_shared<PointOnPath>(
                       hook, [](const Jet& t) { return Vec3<Jet>(t * t * 0.1, Jet(0.0), Jet(-2.0)); },
                       PointOnPath::Axes{true, false, false}),
                   Layer::control);
  system.drive({.name = "winch", .velocity = 0});
  VecX<> q = neutral_configuration(system.model);
  q[3] = -2 + 2;  // the joint's own frame stands at −2 already
  const Torques torques = solve_torques(system, q, VecX<>::Zero(7));
  EXPECT_EQ(torques.status, TorqueStatus::unreachable);
  EXPECT_EQ(shortfall_text(compile(system), torques),
            "the control acts along directions that 'winch' cannot reach: 'load path' by 0.2 m/s² is missed");
}

RC_GTEST_PROP(BoundedEffort, NoOtherPointWithinTheBoundsIsBetter, ()) {
  Random random(*any_seed());
  const int n = random.integer(1, 6), m = random.integer(1, 4);
  MatX<> G = MatX<>::NullaryExpr(m, n, [&] { return random.uniform(-1, 1); });
  if (random.integer(0, 3) == 0) G.row(0).setZero();
  const VecX<> r = random.vector(m, 2);
  const VecX<> upper = VecX<>::NullaryExpr(n, [&] { return random.uniform(0, 1); });
  const VecX<> lower = VecX<>::NullaryExpr(n, [&] { return random.uniform(-1, 0); });
  BoundedEffort effort(n, m);
  VecX<> x(n);
  effort.solve(G, r, lower, upper, x);
  RC_ASSERT((x.array() >= lower.array() - 1e-12).all() && (x.array() <= upper.array() + 1e-12).all());
  const double misfit = (G * x - r).norm();
  for (int i = 0, all = cases(300); i < all; ++i) {
    // other points within the bounds, near and far
    VecX<> other = x + random.vector(n, random.log_uniform(1e-4, 1));
    other = other.cwiseMin(upper).cwiseMax(lower);
    const double theirs = (G * other - r).norm();
    RC_ASSERT(theirs > misfit - 1e-9);
    if (theirs < misfit + 1e-14) RC_ASSERT(other.norm() > x.norm() - 1e-4);  // a misfit of 1e-14 is a step of 1e-7/σ
  }
}

// The least |x| with G x = r within the bounds, by trying every choice of variables at their bounds.
VecX<> least_by_trying_all(const MatX<>& G, const VecX<>& r, const VecX<>& lower, const VecX<>& upper) {
  const int n = static_cast<int>(G.cols());
  const int choices = static_cast<int>(std::pow(3, n));
  VecX<> best = VecX<>::Constant(n, 1e3);
  for (int choice = 0; choice < choices; ++choice) {
    MatX<> free = G;
    VecX<> fixed = VecX<>::Zero(n);
    for (int j = 0, code = choice; j < n; ++j, code /= 3) {
      if (code % 3 == 0) continue;
      fixed[j] = code % 3 == 1 ? lower[j] : upper[j];
      free.col(j).setZero();
    }
    const VecX<> x = fixed + least_squares(free, r - G * fixed);
    const bool within = (x.array() >= lower.array() - 1e-11).all() && (x.array() <= upper.array() + 1e-11).all();
    if (within && (G * x - r).norm() < 1e-10 && x.norm() < best.norm()) best = x;
  }
  return best;
}

TEST(BoundedEffort, IsTheLeastOfAllChoicesOfVariablesAtTheirBounds) {
  Random random(31);
  Worst worst("bounded effort against all choices of bounds");
  int at_bounds = 0;
  for (int i = 0; i < 10000; ++i) {
    const int n = random.integer(2, 5), m = random.integer(1, n - 1);
    const MatX<> G = MatX<>::NullaryExpr(m, n, [&] { return random.uniform(-1, 1); });
    const VecX<> upper = VecX<>::NullaryExpr(n, [&] { return random.log_uniform(0.05, 1); });
    const VecX<> lower = VecX<>::NullaryExpr(n, [&] { return -random.log_uniform(0.05, 1); });
    // something within the bounds does it, often near to them
    VecX<> some(n);
    for (int j = 0; j < n; ++j)
      some[j] = (random.integer(0, 1) == 0 ? lower[j] : upper[j]) * std::sqrt(random.uniform(0.3, 1));
    const VecX<> r = G * some;
    BoundedEffort effort(n, m);
    VecX<> x(n);
    effort.solve(G, r, lower, upper, x);
    const VecX<> least = least_by_trying_all(G, r, lower, upper);
    worst.see((x - least).norm());
    for (int j = 0; j < n; ++j) at_bounds += effort.at_bound(j);
  }
  EXPECT_GT(at_bounds, 3000);
  EXPECT_LT(worst.value(), 1e-10);  // rounding over the least of 10,000 smallest singular values
}

TEST(Torques, EvaluationDoesNotAllocate) {
  VecX<> q;
  System system = led_five_bar({"left", "right", "left elbow"}, q);
  system.actuators[1].limit = 1e-2;
  Data data(compile(system));
  Motion motion(4, data.problem.held().rows);
  const VecX<> v = VecX<>::Zero(4);
  const std::size_t before = allocation_count();
  solve_torques(q, v, 0, data);
  solve_driven(q, v, 0, data, motion);
  EXPECT_EQ(allocation_count() - before, 0u);
}

}  // namespace
}  // namespace trammel
