// How elastic constraints share a force that the motion leaves open: closed forms, and stiff springs in their places.
#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "motion/body_forces.h"
#include "support/linear_algebra.h"
#include "support/looped_systems.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/weld.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/stages.h"

namespace trammel {
namespace {

using namespace trammel::test;

void make_elastic(NamedConstraint& constraint, double force, double torque = 0) {
  constraint.compliance = Compliance{force, torque};
}

// A body that hangs on vertical rods from the ceiling, its mass centre at the origin; the rods are at the given places.
System hanging_body(const std::vector<Vec3<>>& rods, double mass) {
  System out(build_model(free_body(mass, {1, 1.5, 2})));
  for (std::size_t i = 0; i < rods.size(); ++i)
    out.constrain("rod" + std::to_string(i),
                  std::make_shared<Distance>(BodyPoint(world, rods[i] + Vec3<>(0, 0, 2)), BodyPoint(0, rods[i]), 2));
  return out;
}

VecX<> multipliers_at_rest(const System& system, const VecX<>& q) {
  Data data(compile(system));
  solve(0, q, VecX<>::Zero(system.model.nv()), data);
  EXPECT_LT(newton_residual(data), 1e-13);
  return held_multipliers(data);
}

const VecX<> at_origin = free_coordinates(Vec3<>::Zero(), Mat3<>::Identity());

TEST(Compliance, ThreeRodsShareABeamAsItsTiltAllows) {
  // stretches Cᵢ Tᵢ lie on a line: T = ((α + β x)/C), Σ T = W, Σ T x = 0
  const double weight = 5 * gravity;
  const std::vector<Vec3<>> rods = {{-1, 0, 0}, {0.3, 0, 0}, {0.8, 0, 0}};
  const double C[] = {1e-6, 4e-6, 2e-6};
  System system = hanging_body(rods, 5);
  Eigen::Matrix2d sums = Eigen::Matrix2d::Zero();
  for (int i = 0; i < 3; ++i) {
    make_elastic(system.constraints[i], C[i]);
    const Eigen::Vector2d at(1, rods[i].x());
    sums += at * at.transpose() / C[i];
  }
  const VecX<> line = solve_symmetric(sums, Eigen::Vector2d(weight, 0));
  const VecX<> lambda = multipliers_at_rest(system, at_origin);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(lambda[i], -(line[0] + line[1] * rods[i].x()) / C[i], 1e-12 * weight);
}

TEST(Compliance, FourLegsShareATableAsItsTiltAllows) {
  const double weight = 3 * gravity;
  const Vec3<> feet[] = {{1, 0.8, -0.5}, {-0.9, 1, -0.5}, {-1.1, -0.7, -0.5}, {0.6, -1, -0.5}};
  const double C[] = {1e-6, 1e-6, 5e-6, 2e-6};
  System system(build_model(free_body(3, {1, 1.5, 2})));
  Mat3<> sums = Mat3<>::Zero();
  for (int i = 0; i < 4; ++i) {
    system.constrain("leg" + std::to_string(i),
                     std::make_shared<PointOnPlane>(BodyPoint(0, feet[i]), BodyPoint(), Vec3<>::UnitZ()));
    make_elastic(system.constraints[i], C[i]);
    const Vec3<> at(1, feet[i].x(), feet[i].y());
    sums += at * at.transpose() / C[i];
  }
  const VecX<> plane = solve_symmetric(sums, Vec3<>(weight, 0, 0));
  const VecX<> lambda = multipliers_at_rest(system, free_coordinates({0, 0, 0.5}, Mat3<>::Identity()));
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(lambda[i], plane.dot(Vec3<>(1, feet[i].x(), feet[i].y())) / C[i], 1e-12 * weight);
}

TEST(Compliance, ARigidRodAmongElasticOnesTakesAllThatItCan) {
  System system = hanging_body({{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 5);
  make_elastic(system.constraints[0], 1e-6), make_elastic(system.constraints[2], 3e-6);
  EXPECT_LT((multipliers_at_rest(system, at_origin) + Vec3<>(0, 5 * gravity, 0)).norm(), 1e-12);

  // beside the mass centre it takes what leaves the elastic ones the least energy: stretches 0 and proportional to the distance
  System beside = hanging_body({{-1, 0, 0}, {-0.2, 0, 0}, {1, 0, 0}}, 5);
  make_elastic(beside.constraints[0], 1e-6), make_elastic(beside.constraints[2], 3e-6);
  // tilt β about the rigid rod: T₀ = −0.8 β/C₀, T₂ = 1.2 β/C₂, and their moment about it is that of the weight at 0.2
  const double beta = 0.2 * 5 * gravity / (0.8 * 0.8 / 1e-6 + 1.2 * 1.2 / 3e-6);
  const double T0 = -0.8 * beta / 1e-6, T2 = 1.2 * beta / 3e-6;
  EXPECT_LT((multipliers_at_rest(beside, at_origin) + Vec3<>(T0, 5 * gravity - T0 - T2, T2)).norm(), 1e-11);
}

TEST(Compliance, WhatElasticRodsLeaveOpenAmongRigidOnesIsLeast) {
  // two rigid rods in one place share alike; the elastic ones beside them bear nothing
  System system = hanging_body({{-1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 5);
  make_elastic(system.constraints[0], 1e-6), make_elastic(system.constraints[3], 1e-6);
  const double half = 2.5 * gravity;
  EXPECT_LT((multipliers_at_rest(system, at_origin) + Eigen::Vector4d(0, half, half, 0)).norm(), 1e-12);
}

TEST(Compliance, OfAConstraintWhoseForceIsUniqueChangesNothing) {
  VecX<> q(3);
  System system = tilted_four_bar(q);
  const BodyPoint tip(system.model.frame("bar0").body, Vec3<>(0.3, 0, 0));
  system.constraints.clear();
  system.constrain("rod", std::make_shared<Distance>(BodyPoint(world, Vec3<>(0.5, 0.5, 2)), tip, 2));
  for (const char* name : {"a", "b"})
    system.constrain(name,
                     std::make_shared<Distance>(BodyPoint(world, Vec3<>(1, 2, 2)),
                                                BodyPoint(system.model.frame("bar2").body, Vec3<>(0.7, 0, 0)), 2));
  const VecX<> rigid = multipliers_at_rest(system, q);
  make_elastic(system.constraints[0], 1e-5);
  EXPECT_LT((multipliers_at_rest(system, q) - rigid).norm(), 1e-12 * rigid.norm());
}

// Static forces of springs of stiffness 1/(C ε) in the places of elastic rods, beside rods that are rigid: Newton's method with the stiffness
// of the unloaded springs.
struct Rod {
  BodyPoint P, S;
  double length, compliance;
};
VecX<> forces_of_springs(const Model& model, const VecX<>& q0, const std::vector<Rod>& rods, double softness) {
  const int n = model.nv(), m = static_cast<int>(rods.size());
  std::vector<Distance> laws;
  for (const Rod& rod : rods) laws.emplace_back(rod.P, rod.S, rod.length);
  VecX<> q = q0, force = VecX<>::Zero(m);  // λ of each rod
  for (int round = 0; round < 100; ++round) {
    Kinematics<> kin(model);
    kinematics<double>(model, q, VecX<>::Zero(n), kin);
    WorldInertias<> inertias(model);
    world_inertias<double>(model, kin, inertias);
    std::vector<Vec6<>> wrenches(model.body_count());
    VecX<> weight(n);
    gravity_forces<double>(model, kin, wrenches, weight);
    MatX<> A = MatX<>::Zero(m, n);
    VecX<> stretch(m);
    const VecX<> still = VecX<>::Zero(n);
    for (int i = 0; i < m; ++i) {
      Rows rows = rows_for(laws[i]);
      laws[i].evaluate({kin, q, still, 0.0}, rows);
      stretch[i] = rows.phi[0];
      VecX<> row = VecX<>::Zero(n);
      for (std::size_t s = 0; s < laws[i].bodies().size(); ++s)
        if (laws[i].bodies()[s] != world)
          add_generalised_force(model, kin, laws[i].bodies()[s], Vec6<>(rows.wrench(static_cast<int>(s), 0)), row);
      A.row(i) = row.transpose();
    }
    // weight = Aᵀ λ,  φ + A u + ε C λ = 0
    MatX<> K = MatX<>::Zero(n + m, n + m);
    K.topRightCorner(n, m) = A.transpose();
    K.bottomLeftCorner(m, n) = A;
    for (int i = 0; i < m; ++i) K(n + i, n + i) = softness * rods[i].compliance;
    VecX<> rest(n + m);
    rest << weight, -stretch;
    const VecX<> step = least_squares(K, rest);
    force = step.tail(m);
    q = retract(model, q, step.head(n));
    if (step.head(n).norm() < 1e-15) break;
  }
  return force;
}

TEST(Compliance, IsTheLimitOfStiffSprings) {
  // errors are a power series in ε: two steps of Richardson's leave ε³; rounding of φ over C ε leaves some 1e-6 N
  Worst worst("forces beside those of stiff springs");
  for (int seed = 0; seed < cases(300); ++seed) {
    Random random(seed);
    RobotDescription robot;
    robot.links = {random_link(random, "base"), random_link(random, "arm")};
    robot.joints = {random_joint(random, JointType::floating, "free", "world", "base"),
                    random_joint(random, JointType::revolute, "q", "base", "arm")};
    System system(build_model(robot, random.vector(10)));
    const Model& model = system.model;
    const VecX<> q = random_configuration(random, model);
    Positions<> where(model);
    positions<double>(model, q, where);
    std::vector<Rod> rods;
    for (int i = 0; i < 10; ++i) {
      const int body = i % 2;
      const BodyPoint S(body, random.vector(0.5));
      const Vec3<> at = S.position<double>(where) + 2 * random.direction();
      const BodyPoint P(world, at);
      rods.push_back({P, S, 2, random.integer(0, 3) == 0 ? 0 : random.log_uniform(1e-6, 1e-5)});
      system.constrain("rod" + std::to_string(i), std::make_shared<Distance>(P, S, 2));
      if (rods.back().compliance > 0) make_elastic(system.constraints.back(), rods.back().compliance);
    }
    Data data(compile(system));
    solve(0, q, VecX<>::Zero(7), data);
    if (data.factors().smallest_pivot() < 0.02) continue;  // near a singular posture strains are large
    const VecX<> lambda = held_multipliers(data);
    const VecX<> a = forces_of_springs(model, q, rods, 0.008), b = forces_of_springs(model, q, rods, 0.004),
                 c = forces_of_springs(model, q, rods, 0.002);
    const VecX<> limit = (8 * c - 6 * b + a) / 3;
    worst.see((limit - lambda).norm() / lambda.norm());
  }
  EXPECT_LT(worst.value(), 1e-5);
}

TEST(Compliance, ElasticAndSlippingRowsInOneDependenceAreNamed) {
  // a body on a rail is held by a rod and by a brake (a speed of zero): what slips has no strain to share by. A pair of rods elsewhere
  // is elastic alone.
  RobotDescription robot;
  robot.links = {rod("cart", 1, 1, x_axis), rod("other", 1, 1, x_axis)};
  robot.joints = {turning("x", "world", "cart", Vec3<>::Zero(), x_axis),
                  turning("y", "world", "other", Vec3<>(0, 3, 0), x_axis)};
  for (Joint& joint : robot.joints) joint.type = JointType::prismatic;
  System system(build_model(robot));
  const auto along_x = [](int body, double y) {
    return std::make_shared<Distance>(BodyPoint(world, Vec3<>(-2, y, 0)), BodyPoint(body, Vec3<>::Zero()), 2);
  };
  system.constrain("rod", along_x(0, 0));
  system.constrain("brake", std::make_shared<JointSpeed>(system.model, 0, 0.0));
  system.constrain("left", along_x(1, 3));
  system.constrain("right", along_x(1, 3));
  for (NamedConstraint& constraint : system.constraints) make_elastic(constraint, 1e-6, 1e-6);
  Data data(compile(system));
  solve(0, VecX<>::Zero(2), VecX<>::Zero(2), data);
  held_multipliers(data);
  EXPECT_EQ(data.forces->split.elastic_and_slipping(data.problem), std::vector<std::string>({"rod", "brake"}));

  system.constraints[1].compliance.reset();
  Data rigid_brake(compile(system));
  solve(0, VecX<>::Zero(2), VecX<>::Zero(2), rigid_brake);
  held_multipliers(rigid_brake);
  EXPECT_TRUE(rigid_brake.forces->split.elastic_and_slipping(rigid_brake.problem).empty());
}

}  // namespace
}  // namespace trammel
