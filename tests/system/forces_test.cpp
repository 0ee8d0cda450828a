#include "trammel/system/forces.h"

#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "support/worst.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/math/lane_columns.h"
#include "trammel/motion/tree_motion.h"
#include "trammel/system/templated_force.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A model at a state.
struct Moment {
  explicit Moment(const Model& of, const VecX<>& at, const VecX<>& moving, double when = 0)
      : model(of), q(at), v(moving), t(when), kin(of) {
    kinematics<double>(model, q, v, kin);
  }
  Movement<double> now() const { return {kin, q, v, t, inputs}; }
  VecX<> generalised(const Force& force) const {
    VecX<> tau = VecX<>::Zero(model.nv());
    force.add_to(model, now(), tau);
    return tau;
  }
  double energy(const Force& force) const { return force.potential_energy(now().placement()); }

  const Model& model;
  VecX<> q, v;
  double t;
  Kinematics<> kin;
  std::vector<double> inputs{};
};

Model random_model(Random& random) { return build_model(random_robot(random, random.integer(2, 6))); }

BodyPoint random_point(Random& random, const Model& model) {
  return {random.integer(0, model.body_count() - 1), random.vector(0.5)};
}

BoundExpression bound(const Model& model, const std::string& text) {
  return {model, parse_expression(text, vocabulary_of(model))};
}

// The largest difference between a force in lanes and on doubles, over 1 + the latter's size.
double force_difference_in_lanes(const Force& force, const Model& model, const MatX<>& q, const MatX<>& v, double t) {
  VecX<Lanes> q_lanes(model.nq()), v_lanes(model.nv()), tau(model.nv());
  gather(q, 0, lane_count, q_lanes);
  gather(v, 0, lane_count, v_lanes);
  Kinematics<Lanes> kin(model);
  kinematics<Lanes>(model, q_lanes, v_lanes, kin);
  tau.setConstant(Lanes(0.0));
  force.in_lanes()->add_to(force, model, {kin, q_lanes, v_lanes, t}, tau);
  double worst = 0;
  for (int lane = 0; lane < lane_count; ++lane) {
    const VecX<> one = Moment(model, q.col(lane), v.col(lane), t).generalised(force);
    for (int k = 0; k < model.nv(); ++k) {
      const double error = std::abs(tau[k][lane] - one[k]) / (1 + std::abs(one[k]));
      worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
    }
  }
  return worst;
}

TEST(Forces, AreTheSameInLanes) {
  Random random(37);
  Worst worst("forces in lanes");
  for (int i = 0; i < 50; ++i) {
    const Model model = random_model(random);
    const BodyPoint P = random_point(random, model);
    const SpringDamper spring(random_point(random, model), P, 3, 0.4, 0.2), nowhere(P, P, 3, 0.4, 0.2);
    const PointForce pushed(P, {bound(model, "2*sin(t)*frame0.x"), bound(model, "exp(-frame1.vy)"),
                                bound(model, "max(frame0.z, frame1.x)")});
    // lanes take either branch, and the other one may have no value there
    const JointForce turned(model, random.integer(0, model.nv() - 1),
                            bound(model, "if(frame1.x > 0.1, 3*sqrt(frame1.x), sqrt(1 - frame1.x)/t)"));
    MatX<> q(model.nq(), lane_count), v(model.nv(), lane_count);
    for (int lane = 0; lane < lane_count; ++lane) {
      q.col(lane) = random_configuration(random, model);
      v.col(lane) = random.vector(model.nv(), 2);
    }
    const BodyAxes axes(model.frame("frame1"));
    const PointForce thrust(P, {bound(model, "t"), bound(model, "frame0.wx"), bound(model, "frame1.z_axis.x")}, axes);
    const BodyTorque twisted(P.body, {bound(model, "sinh(frame0.y)"), bound(model, "t"), bound(model, "2")}, axes);
    const ChangingGravity weight(model, {bound(model, "sin(t)"), bound(model, "0"), bound(model, "-t")});
    for (const Force* force :
         std::initializer_list<const Force*>{&spring, &nowhere, &pushed, &turned, &thrust, &twisted, &weight})
      worst.see(force_difference_in_lanes(*force, model, q, v, random.uniform(0, 3)));
  }
  EXPECT_LT(worst.value(), 1e-12);  // sums of some dozen terms up to 100
}

TEST(SpringDamper, PullsDownTheSlopeOfItsEnergy) {
  Random random(31);
  Worst worst("spring against central differences");
  for (int i = 0; i < 50; ++i) {
    const Model model = random_model(random);
    const BodyPoint P = i % 2 == 0 ? BodyPoint(world, random.vector()) : random_point(random, model);
    const SpringDamper spring(P, random_point(random, model), 3, 0, 0.4);
    const VecX<> q = random_configuration(random, model), rest = VecX<>::Zero(model.nv());
    const VecX<> tau = Moment(model, q, random.vector(model.nv(), 2)).generalised(spring);
    for (int k = 0; k < model.nv(); ++k) {
      const VecX<> step = 1e-5 * VecX<>::Unit(model.nv(), k);
      const double slope = (Moment(model, retract(model, q, step), rest).energy(spring) -
                            Moment(model, retract(model, q, -step), rest).energy(spring)) /
                           2e-5;
      worst.see(std::abs(tau[k] + slope) / (1 + tau.norm()));
    }
  }
  EXPECT_LT(worst.value(), 1e-8);  // h² = 1e-10 of the third derivative, and eps/h = 2e-11
}

TEST(SpringDamper, TheDamperTakesDampingTimesTheSquareOfTheRate) {
  Random random(32);
  Worst worst("damper's power");
  for (int i = 0; i < 50; ++i) {
    const Model model = random_model(random);
    const BodyPoint P = random_point(random, model), S = random_point(random, model);
    if (P.body == S.body) continue;
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 2);
    const Moment moment(model, q, v);
    // the rate of the length by jets along the motion
    Positions<Jet> where(model);
    positions<Jet>(model, coordinate_jets(model, q, v, VecX<>::Zero(model.nv())), where);
    const double rate = Vec3<Jet>(S.position(where) - P.position(where)).norm().dx;
    worst.see(std::abs(moment.generalised(SpringDamper(P, S, 0, 0.7, 1)).dot(v) + 0.7 * rate * rate) /
              (1 + rate * rate));
  }
  EXPECT_LT(worst.value(), 1e-13);
}

TEST(SpringDamper, AMassOnASpringIsPulledByStretchAndRate) {
  const double m = 2, k = 30, d = 4, L0 = 0.5, g = 9.81;
  System system(build_model(free_body(m, {1, 1, 1})));
  const BodyPoint mass(system.model.frame("body")), ceiling(world, {0, 0, 1});
  const auto spring = std::make_shared<SpringDamper>(ceiling, mass, k, d, L0);
  system.apply("spring", spring);
  const VecX<> q = free_coordinates({0, 0, 0.2}, Mat3<>::Identity());
  const VecX<> v = free_velocities(Mat3<>::Identity(), {0, 0, -1.5}, Vec3<>::Zero());
  // hangs at 0.8 m below the ceiling, going down
  EXPECT_NEAR(solve_motion(system, q, v).vdot[2], (k * (0.8 - L0) + d * 1.5) / m - g, 1e-14);
  EXPECT_NEAR(Moment(system.model, q, v).energy(*spring), 0.5 * k * 0.09, 1e-15);
  // where the points meet there is no direction to pull in
  const VecX<> met = free_coordinates({0, 0, 1}, Mat3<>::Identity());
  EXPECT_EQ(Moment(system.model, met, v).generalised(*spring).norm(), 0);
}

TEST(JointForce, IsItsExpressionOnOneVelocity) {
  Random random(33);
  const JointType turning[] = {JointType::revolute};
  const Model model = build_model(random_robot(random, 4, turning));
  const VecX<> q = random_configuration(random, model), v = random.vector(4, 2);
  const Moment moment(model, q, v, 0.7);
  const int i = model.bodies()[model.joint("joint2")].v;
  const JointForce force(model, i, bound(model, "3*joint1 - 2*v(joint3) + sin(t)"));
  VecX<> expected = VecX<>::Zero(4);
  expected[i] =
      3 * q[model.bodies()[model.joint("joint1")].q] - 2 * v[model.bodies()[model.joint("joint3")].v] + std::sin(0.7);
  EXPECT_LT((moment.generalised(force) - expected).norm(), 1e-15);
  EXPECT_EQ(moment.energy(force), 0);
  EXPECT_THROW(JointForce(model, 4, bound(model, "1")), Error);
  EXPECT_THROW(JointForce(model, -1, bound(model, "1")), Error);
}

TEST(JointForce, FollowsTheInputsOfTheMoment) {
  System system(build_model(free_body(1, {1, 1, 1})));
  system.add_input("push");
  system.add_input("gain");
  const Expression law = parse_expression("push - gain*v(free[0])", vocabulary_of(system));
  const JointForce force(system.model, 0, {system.model, law, {}, system.input_names()});
  Moment moment(system.model, free_coordinates(Vec3<>::Zero(), Mat3<>::Identity()), VecX<>::Unit(6, 0) * 0.5);
  moment.inputs = {3, 20};
  EXPECT_DOUBLE_EQ(moment.generalised(force)[0], 3 - 20 * 0.5);
  moment.inputs = {-1, 4};
  EXPECT_DOUBLE_EQ(moment.generalised(force)[0], -1 - 4 * 0.5);
}

TEST(PointForce, DoesTheVirtualWorkOfTheForceAtItsPoint) {
  Random random(34);
  Worst worst("point force against the Jacobian");
  for (int i = 0; i < 30; ++i) {
    const Model model = random_model(random);
    const Moment moment(model, random_configuration(random, model), random.vector(model.nv(), 2), 0.3);
    const Frame& frame = model.frame("frame1");
    const PointForce force(BodyPoint(frame), {bound(model, "2*t"), bound(model, "-1"), bound(model, "frame0.x")});
    const Vec3<> f(0.6, -1, BodyPoint(model.frame("frame0")).position<double>(moment.kin).x());
    Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
    frame_jacobian<double>(model, moment.kin, frame, J);
    worst.see((moment.generalised(force) - J.bottomRows<3>().transpose() * f).norm());
  }
  EXPECT_LT(worst.value(), 1e-13);
}

TEST(PointForce, AlongTheAxesOfAFrameTurnsWithIt) {
  Random random(35);
  Worst worst("forces and torques along a frame's axes against the Jacobian");
  for (int i = 0; i < 30; ++i) {
    const Model model = random_model(random);
    const Moment moment(model, random_configuration(random, model), random.vector(model.nv(), 2), 0.3);
    const Frame &at = model.frame("frame1"), &along = i % 3 == 0 ? model.frame("world") : model.frame("frame0");
    const std::array<BoundExpression, 3> x{bound(model, "2*t"), bound(model, "-1"), bound(model, "3")};
    const Vec3<> x_W = moment.kin.pose(along).R * Vec3<>(0.6, -1, 3);
    Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
    frame_jacobian<double>(model, moment.kin, at, J);
    const PointForce force(BodyPoint(at), x, BodyAxes(along));
    const BodyTorque torque(at.body, x, BodyAxes(along));
    worst.see((moment.generalised(force) - J.bottomRows<3>().transpose() * x_W).norm());
    worst.see((moment.generalised(torque) - J.topRows<3>().transpose() * x_W).norm());
    std::vector<Vec6<>> wrenches(model.body_count(), Vec6<>::Zero());
    torque.add_wrenches(moment.now(), wrenches);
    worst.see((wrenches[at.body] - spatial<double>(x_W, Vec3<>::Zero())).norm());
  }
  EXPECT_LT(worst.value(), 1e-13);
}

TEST(ChangingGravity, IsTheModelsOwnWhereItStandsStill) {
  Random random(36);
  Worst worst("gravity as a force against the model's");
  for (int i = 0; i < 30; ++i) {
    const RobotDescription robot = random_robot(random, random.integer(2, 6));
    const Model heavy = build_model(robot, {1, -2, -9.81}), weightless = build_model(robot, {0, 0, 0});
    const VecX<> q = random_configuration(random, heavy), v = random.vector(heavy.nv(), 2);
    const ChangingGravity gravity(weightless,
                                  {bound(weightless, "1"), bound(weightless, "-4*t"), bound(weightless, "-9.81")});
    System with_force(weightless);
    with_force.apply("gravity", std::make_shared<ChangingGravity>(gravity));
    const VecX<> vdot = solve_motion(with_force, q, v, 0.5).vdot,
                 expected = solve_motion(System(heavy), q, v, 0.5).vdot;
    worst.see((vdot - expected).norm() / (1 + expected.norm()));
  }
  EXPECT_LT(worst.value(), 1e-11);
}

TEST(PointForce, OnTheWorldMovesNothing) {
  const Model model = build_model(free_body(1, {1, 1, 1}));
  const PointForce force(BodyPoint(), {bound(model, "1"), bound(model, "2"), bound(model, "3")});
  const Moment moment(model, free_coordinates({1, 2, 3}, Mat3<>::Identity()), VecX<>::Zero(6));
  EXPECT_EQ(moment.generalised(force).norm(), 0);
}

TEST(SpringDamper, RefusesNegativeNumbers) {
  const BodyPoint P, S(0, Vec3<>::Zero());
  EXPECT_THROW(SpringDamper(P, S, -1, 0, 0), Error);
  EXPECT_THROW(SpringDamper(P, S, 1, -1, 0), Error);
  EXPECT_THROW(SpringDamper(P, S, 1, 0, -1), Error);
  EXPECT_THROW(SpringDamper(P, S, std::nan(""), 0, 0), Error);
  EXPECT_THROW(SpringDamper(P, S, 1, std::numeric_limits<double>::infinity(), 0), Error);
}

}  // namespace
}  // namespace trammel
