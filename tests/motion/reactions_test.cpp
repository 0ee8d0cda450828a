#include "trammel/motion/reactions.h"

#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "motion/body_forces.h"
#include "support/closed_mechanisms.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/stages.h"

namespace trammel {
namespace {

using namespace trammel::test;

BoundExpression said(const Model& model, const std::string& text) {
  return {model, parse_expression(text, vocabulary_of(model))};
}

// A robot whose description is kept, so that it can be built again with a joint cut; what acts on it is given by the names of links, in
// whose frames points stand.
struct Loaded {
  RobotDescription robot;
  Vec3<> gravity;
  std::function<void(System&)> load;

  System system() const {
    System out(build_model(robot, gravity));
    load(out);
    return out;
  }
};

BodyPoint point_on(const Model& model, const std::string& link, const Vec3<>& p) {
  if (link == "world") return {world, p};
  const Frame& frame = model.frame(link);
  return {frame.body, frame.X_BF * p};
}

// Springs, dampers, friction and rotors in all joints but one; a push, a spring and a torque; a ball, a rod, a point on a moving path, one on
// a rough plane, and a knife edge in random places: the rows need not hold, as they say what forces there are all the same.
Loaded random_loaded(Random& random, int bodies, int bare) {
  Loaded out;
  out.robot = random_robot(random, bodies);
  out.gravity = random.vector(10);
  std::string turning;
  for (int i = 0; i < bodies; ++i) {
    Joint& joint = out.robot.joints[i];
    const double rotor = random.uniform(0, 0.2);
    if (i == bare) continue;
    for (int k = 0; k < size_of(joint.type).v; ++k) {
      Coordinate& c = joint.coordinates.emplace_back();
      c.rotor_inertia = rotor;
      c.damping = random.uniform(0, 1), c.friction = random.uniform(0, 1);
      if (rates_are_velocities(joint.type)) c.stiffness = random.uniform(0, 10), c.rest = random.uniform(-1, 1);
    }
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic) turning = joint.name;
  }
  const auto link = [&] { return "link" + std::to_string(random.integer(0, bodies - 1)); };
  struct Place {
    std::string link;
    Vec3<> p;
  };
  std::vector<Place> at;
  for (int i = 0; i < 6; ++i) at.push_back({link(), random.vector(0.4)});
  std::vector<Vec3<>> fixed;
  for (int i = 0; i < 5; ++i) fixed.push_back(random.direction());
  const int kinds = random.integer(1, 15);
  out.load = [=](System& system) {
    const Model& model = system.model;
    const auto point = [&](int i) { return point_on(model, at[i].link, at[i].p); };
    system.apply("push", std::make_shared<PointForce>(
                             point(0), std::array{said(model, "3 + t"), said(model, "-4*cos(t)"), said(model, "5")}));
    system.apply("spring", std::make_shared<SpringDamper>(point(1), point(2), 20, 1, 0.3));
    if (!turning.empty())
      system.apply("torque",
                   std::make_shared<JointForce>(model, model.bodies()[model.joint(turning)].v, said(model, "2")));
    if (kinds & 1) system.constrain("rod", std::make_shared<Distance>(BodyPoint(world, 3 * fixed[0]), point(3), 1));
    if (kinds & 2)
      system.constrain("path", std::make_shared<PointOnPath>(
                                   point(4), [](const Jet& t) { return Vec3<Jet>(sin(t), t * t, cos(2 * t)); },
                                   PointOnPath::Axes{true, false, true}));
    if (kinds & 4) {
      const auto plane = std::make_shared<PointOnPlane>(point(5), BodyPoint(world, fixed[1]), fixed[2]);
      system.constrain("plane", plane);
      system.constraints.back().working = std::make_shared<CoulombFriction>(*plane, 0.2, point(5));
    }
    if (kinds & 8) {
      const Frame& frame = model.frame(at[0].link);
      system.constrain("edge", std::make_shared<KnifeEdge>(point(0), frame.X_BF.R * fixed[3]));
    }
  };
  return out;
}

// The state of another tree of the same links in which they stand and move alike. Floating joints hang on the world.
struct StateOfLinks {
  VecX<> q, v;
};
StateOfLinks same_state(const Model& from, const Kinematics<>& kin, const VecX<>& q, const VecX<>& v, const Model& to) {
  StateOfLinks out{neutral_configuration(to), VecX<>::Zero(to.nv())};
  for (int i = 0; i < to.body_count(); ++i) {
    const Body& body = to.bodies()[i];
    const int same = from.joint(to.joint_name(i));
    const Body& old = from.bodies()[same];
    if (body.type == old.type) {
      out.q.segment(body.q, size_of(body.type).q) = q.segment(old.q, size_of(old.type).q);
      out.v.segment(body.v, body.nv) = v.segment(old.v, old.nv);
      continue;
    }
    // the body's frame of the new tree, placed by that of its link
    const Frame &here = to.frame(to.link_name(i)), &there = from.frame(to.link_name(i));
    const Frame B{"", there.body, there.X_BF * here.X_BF.inverse()};
    const Pose<> X_FB = body.X_PF.inverse() * kin.pose(B);
    const Vec6<> V = frame_velocity(kin, B);
    out.q.segment<3>(body.q) = X_FB.p;
    out.q.segment<4>(body.q + 3) = quaternion_from_rotation(X_FB.R);
    out.v.segment<3>(body.v) = body.X_PF.R.transpose() * V.tail<3>();
    out.v.segment<3>(body.v + 3) = kin.pose(B).R.transpose() * V.head<3>();
  }
  return out;
}

// The constraints that say what a joint says.
void close_joint(System& system, JointType type, const Frame& F, const Frame& M) {
  const auto axis = [](const Frame& of, int i) { return BodyDirection{of.body, of.X_BF.R.col(i)}; };
  const BodyPoint P(F), S(M);
  switch (type) {
    case JointType::revolute:
      return system.constrain("cut 1", std::make_shared<HingeClosure>(F, M));
    case JointType::prismatic:
      return system.constrain("cut 1", std::make_shared<SlideClosure>(F, M));
    case JointType::spherical:
      return system.constrain("cut 1", std::make_shared<Coincident>(P, S));
    case JointType::universal:
      system.constrain("cut 1", std::make_shared<Coincident>(P, S));
      return system.constrain("cut 2", std::make_shared<FixedAngle>(axis(F, 2), axis(M, 0), pi / 2));
    case JointType::cylindrical:
      system.constrain("cut 1", std::make_shared<PointOnLine>(S, P, F.X_BF.R.col(2)));
      return system.constrain("cut 2", std::make_shared<Aligned>(axis(F, 2), axis(M, 2)));
    case JointType::planar:
      system.constrain("cut 1", std::make_shared<PointOnPlane>(S, P, F.X_BF.R.col(2)));
      return system.constrain("cut 2", std::make_shared<Aligned>(axis(F, 2), axis(M, 2)));
    default:
      return;  // a floating joint has no guides
  }
}

double size_of_forces(Data& data) {
  double out = 0;
  for (const Vec6<>& F : needed_forces(data.problem.system().model, data.at.q, data.at.v, data.motion.vdot))
    out = std::max(out, F.norm());
  for (const Vec6<>& F : joint_reactions(data)) out = std::max(out, F.norm());
  return std::max(out, held_multipliers(data).size() > 0 ? held_multipliers(data).cwiseAbs().maxCoeff() : 0);
}

// What a joint is told apart by: the guides of a screw are those of a cylinder and its thread.
TEST(Reactions, OfAHelicalJointAreThoseOfACylindricalOneWithAThread) {
  Worst worst("reaction of a screw");
  for (int seed = 0; seed < cases(300); ++seed) {
    Random random(seed);
    const int bodies = random.integer(1, 5), cut = random.integer(0, bodies - 1);
    Loaded loaded = random_loaded(random, bodies, cut);
    Joint& joint = loaded.robot.joints[cut];
    joint.type = JointType::helical;
    const System screw = loaded.system();
    joint.type = JointType::cylindrical;
    System cylinder = loaded.system();
    const VecX<> q = random_configuration(random, screw.model), v = random.vector(screw.model.nv(), 4);
    const int body = screw.model.joint(joint.name);
    const Body &before = screw.model.bodies()[body], &after = cylinder.model.bodies()[cylinder.model.joint(joint.name)];
    VecX<> q_after(q.size() + 1), v_after(v.size() + 1);
    q_after << q.head(before.q + 1), joint.pitch * q[before.q], q.tail(q.size() - before.q - 1);
    v_after << v.head(before.v + 1), joint.pitch * v[before.v], v.tail(v.size() - before.v - 1);
    cylinder.constrain("thread", std::make_shared<JointCoupling>(
                                     cylinder.model,
                                     std::vector<JointCoupling::Term>{{after.q, -joint.pitch}, {after.q + 1, 1}}, 0.0));
    Data one(compile(screw)), two(compile(cylinder));
    solve(0.3, q, v, one);
    solve(0.3, q_after, v_after, two);
    if (one.motion.status != Status::regular || two.motion.status != Status::regular) continue;
    const Vec3<> z = one.tree.kin.bodies[body].X_WB.R.col(2);
    const double lambda = held_multipliers(two)[two.problem.asked().first_row.back()];
    const Vec6<> guides = joint_reactions(two)[body] + lambda * spatial<double>(-joint.pitch * z, z);
    worst.see((guides - joint_reactions(one)[body]).norm() / size_of_forces(one));
  }
  EXPECT_LT(worst.value(), 1e-11);
}

TEST(Reactions, AreTheForcesOfTheConstraintsThatStandInAJointsPlace) {
  std::map<JointType, int> seen;
  Worst worst("reaction beside the constraints of the cut joint");
  for (int seed = 0; seed < cases(2000); ++seed) {
    Random random(seed);
    const int bodies = random.integer(2, 6), cut = random.integer(0, bodies - 1);
    Loaded loaded = random_loaded(random, bodies, cut);
    const JointType type = loaded.robot.joints[cut].type;
    if (type == JointType::helical || type == JointType::floating) continue;  // tested below; nothing to cut
    const System whole = loaded.system();
    const Model& model = whole.model;
    const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 4);
    Data data(compile(whole));
    solve(0.3, q, v, data);
    if (data.motion.status != Status::regular) continue;
    const int body = model.joint(loaded.robot.joints[cut].name);
    const Vec6<> reaction = joint_reactions(data)[body];
    const double size = size_of_forces(data);

    const std::string parent = loaded.robot.joints[cut].parent, child = loaded.robot.joints[cut].child;
    Joint& joint = loaded.robot.joints[cut];
    joint.type = JointType::floating, joint.parent = "world", joint.at = {};
    System open = loaded.system();
    const auto [q_open, v_open] = same_state(model, data.tree.kin, q, v, open.model);
    Kinematics<> kin(open.model);
    kinematics<double>(open.model, q_open, v_open, kin);
    const int P = parent == "world" ? world : open.model.frame(parent).body, B = open.model.frame(child).body;
    const Pose<> X_WM = data.tree.kin.bodies[body].X_WB;
    const int old_parent = model.bodies()[body].parent;
    const Pose<> X_WF = old_parent == world ? model.bodies()[body].X_PF
                                            : data.tree.kin.bodies[old_parent].X_WB * model.bodies()[body].X_PF;
    const Frame F{"F", P, P == world ? X_WF : kin.bodies[P].X_WB.inverse() * X_WF};
    const Frame M{"M", B, kin.bodies[B].X_WB.inverse() * X_WM};
    close_joint(open, type, F, M);
    Data cut_data(compile(open));
    solve(0.3, q_open, v_open, cut_data);
    if (cut_data.motion.status != Status::regular) continue;
    Vec6<> put_back = Vec6<>::Zero();
    for (const ConstraintForce& force : force_ledger(cut_data, cut_data.asked))
      for (const ConstraintForce::BodyWrench& wrench : force.wrenches)
        if (force.name.starts_with("cut") && wrench.body == B)
          put_back += force_from<double>(wrench.wrench, kin.bodies[B].X_WB.p - X_WM.p);
    ++seen[type];
    worst.see((put_back - reaction).norm() / size);
  }
  EXPECT_LT(worst.value(), 1e-11);
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Reactions, CloseNewtonsLawOfEveryBodyWithAllForcesOnIt) {
  Worst worst("Newton's law of a body");
  for (int seed = 0; seed < cases(2000); ++seed) {
    Random random(seed);
    const Loaded loaded = random_loaded(random, random.integer(1, 7), -1);
    const System system = loaded.system();
    Data data(compile(system));
    solve(0.3, random_configuration(random, system.model), random.vector(system.model.nv(), 6), data);
    if (data.motion.status != Status::regular && data.motion.status != Status::redundant) continue;
    worst.see(newton_residual(data));
  }
  EXPECT_LT(worst.value(), 1e-11);
}

std::span<const Vec6<>> reactions_at(Data& data, const VecX<>& q, const VecX<>& v) {
  solve(0, q, v, data);
  return joint_reactions(data);
}

TEST(Reactions, OfAHangingChainAreTheWeightsBelow) {
  const int n = 200;
  Data data(compile(System(build_model(chain(n), Vec3<>(0, 0, 9.81)))));  // it hangs along z
  const std::span<const Vec6<>> reactions = reactions_at(data, VecX<>::Zero(n), VecX<>::Zero(n));
  for (int i = 0; i < n; ++i) {
    const Vec6<> carried = spatial<double>(Vec3<>::Zero(), Vec3<>(0, 0, -(n - i) * 0.5 * 9.81));
    EXPECT_LT((reactions[i] - carried).norm(), 1e-14 * n * 0.5 * 9.81) << i;
  }
}

TEST(Reactions, OfAGyroscopeAreSpinTimesPrecession) {
  RobotDescription robot;
  robot.links = {rod("fork", 0.1, 0.1, x_axis), rod("disc", 2, 0.1, z_axis)};
  robot.links[1].com.setZero(), robot.links[1].inertia = {0.02, 0.01, 0.01};
  robot.links[0].com.setZero();
  robot.joints = {turning("precession", "world", "fork", Vec3<>::Zero(), z_axis),
                  turning("spin", "fork", "disc", Vec3<>::Zero(), x_axis)};
  Data data(compile(System(build_model(robot, Vec3<>::Zero()))));
  const double spin = 300, precession = 2;
  const Vec6<> on_disc = reactions_at(data, VecX<>::Zero(2), Eigen::Vector2d(precession, spin))[1];
  EXPECT_LT(data.motion.vdot.norm(), 1e-12);
  EXPECT_LT((on_disc - spatial<double>(Vec3<>(0, 0.02 * spin * precession, 0), Vec3<>::Zero())).norm(), 1e-13);
}

TEST(Reactions, InAWhirlingRodArePullsOfWhatIsFurtherOut) {
  // N(r) = m ω² (L² − r²)/(2 L)
  const int n = 8;
  const double mass = 3, L = 2, w = 5, part = L / n;
  RobotDescription robot;
  for (int i = 0; i < n; ++i) {
    const std::string name = "part" + std::to_string(i);
    robot.links.push_back(rod(name, mass / n, part, x_axis));
    robot.joints.push_back(turning("q" + std::to_string(i), i == 0 ? "world" : "part" + std::to_string(i - 1), name,
                                   {i == 0 ? 0 : part, 0, 0}, z_axis));
  }
  Data data(compile(System(build_model(robot, Vec3<>::Zero()))));
  VecX<> v = VecX<>::Zero(n);
  v[0] = w;
  const std::span<const Vec6<>> reactions = reactions_at(data, VecX<>::Zero(n), v);
  for (int i = 0; i < n; ++i) {
    const double r = i * part, N = mass * w * w * (L * L - r * r) / (2 * L);
    EXPECT_LT((reactions[i] - spatial<double>(Vec3<>::Zero(), Vec3<>(-N, 0, 0))).norm(), 1e-13 * mass * w * w * L) << i;
  }
}

TEST(Reactions, OfAConicalPendulumAreItsWeightOverTheCosine) {
  const double m = 1.5, L = 0.8, angle = 0.6, w = std::sqrt(gravity / (L * std::cos(angle)));
  RobotDescription robot;
  Link bob;
  bob.name = "bob", bob.mass = m, bob.com = {0, 0, -L}, bob.inertia = {0.01, 0.01, 0.01};
  robot.links = {bob};
  robot.joints = {turning("ball", "world", "bob", Vec3<>::Zero(), z_axis)};
  robot.joints[0].type = JointType::spherical;
  Data data(compile(System(build_model(robot))));
  const Mat3<> R = rotation_from_rpy({angle, 0, 0});
  const VecX<> q = quaternion_from_rotation(R), v = R.transpose() * Vec3<>(0, 0, w);
  const Vec6<> at_ball = reactions_at(data, q, v)[0];
  const Vec3<> inward = -R.col(2) * -m * gravity / std::cos(angle);  // from the bob to the ball
  EXPECT_LT((at_ball - spatial<double>(Vec3<>::Zero(), inward)).norm(), 1e-13);
}

TEST(Reactions, InAPressAreThoseOfStatics) {
  // crank at θ, rod at β with l sin β = r sin θ; the force F on the slider is held by the torque F r sin(θ + β)/cos β, and the guide bears
  // F tan β
  const double r = 0.2, l = 0.5, theta = 1.1, beta = std::asin(r / l * std::sin(theta)), F = 700;
  RobotDescription robot;
  robot.links = {rod("crank", 1, r, x_axis), rod("rod", 1, l, x_axis), rod("slider", 2, 0.1, x_axis)};
  robot.joints = {turning("crank", "world", "crank", Vec3<>::Zero(), z_axis),
                  turning("rod", "crank", "rod", {r, 0, 0}, z_axis),
                  turning("slider", "world", "slider", Vec3<>::Zero(), x_axis)};
  robot.joints[2].type = JointType::prismatic;
  System system(build_model(robot, Vec3<>::Zero()));
  const Model& model = system.model;
  const int rod_body = model.frame("rod").body, slider = model.frame("slider").body;
  system.constrain(
      "pin", std::make_shared<Coincident>(BodyPoint(slider, Vec3<>::Zero()), BodyPoint(rod_body, {l, 0, 0}), world,
                                          Mat3<>::Identity().leftCols(2)));
  const auto constant = [&](double value) { return said(model, std::to_string(value)); };
  system.apply("press", std::make_shared<PointForce>(BodyPoint(model.frame("slider")),
                                                     std::array{constant(-F), constant(0), constant(0)}));
  const double torque = -F * r * std::sin(theta + beta) / std::cos(beta);
  system.apply("motor", std::make_shared<FunctionForce>([&](const Movement<double>&, VecX<>& tau) {
                 tau[model.bodies()[model.frame("crank").body].v] += torque;
               }));
  Data data(compile(system));
  VecX<> q(3);
  for (const auto& [name, value] :
       {std::pair{"crank", theta}, {"rod", -theta - beta}, {"slider", r * std::cos(theta) + l * std::cos(beta)}})
    q[model.bodies()[model.joint(name)].q] = value;
  solve(0, q, VecX<>::Zero(3), data);
  EXPECT_LT(data.motion.vdot.norm(), 1e-9);
  const Vec6<> guide = joint_reactions(data)[slider];
  // the rod pushes the slider along (cos β, −sin β) by F/cos β
  EXPECT_LT((guide.tail<3>() - Vec3<>(0, F * std::tan(beta), 0)).norm(), 1e-11 * F);
  EXPECT_LT(guide.head<3>().norm(), 1e-11 * F);
  const Vec6<> bearing = joint_reactions(data)[model.frame("crank").body];
  EXPECT_LT((bearing.tail<3>() - F * Vec3<>(1, -std::tan(beta), 0)).norm(), 1e-11 * F);
}

}  // namespace
}  // namespace trammel
