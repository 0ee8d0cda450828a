#include "trammel/motion/force_split.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "motion/body_forces.h"
#include "support/closed_mechanisms.h"
#include "support/count_allocations.h"
#include "support/linear_algebra.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/weld.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/stages.h"

namespace trammel {
namespace {

using namespace trammel::test;

Frame frame_at(const Positions<>& where, int body, const Pose<>& X_WF) {
  return {"", body, body == world ? X_WF : where.bodies[body].X_WB.inverse() * X_WF};
}
BodyPoint point_at(const Positions<>& where, int body, const Vec3<>& p_W) {
  return BodyPoint(frame_at(where, body, {Mat3<>::Identity(), p_W}));
}

// Adds constraints that hold where everything stands, and of which some follow from others. With `off`, what should coincide or be
// parallel misses it by so much.
class Redundancies {
 public:
  Redundancies(Random& random, System& system, const Positions<>& where, double off)
      : random_(random), system_(system), where_(where), off_(off) {}

  void close_planar_chain(const std::string& from, const std::string& to) {
    const Frame tip = system_.model.frame(to);
    const int base = from == "world" ? world : system_.model.frame(from).body;
    const Pose<> X = where_.pose(tip);
    hinge(base, tip.body, {X.R, X * random_.vector(0.3)});
  }

  void add(int kind) {
    const int bodies = system_.model.body_count();
    const int B = random_.integer(0, bodies - 1);
    int A = random_.integer(-1, bodies - 1);
    if (A == B) A = world;
    const Vec3<> at = where_.bodies[B].X_WB.p + random_.vector(0.5);
    switch (kind) {
      case 0: {  // two rods on one line
        const Vec3<> e = random_.direction();
        rod(A, at, B, at + e);
        return rod(A, at - 0.3 * e, B, at + 1.5 * e);
      }
      case 1:
        for (int i = 0; i < 2; ++i) weld(A, B, random_.pose(0.5));
        return;
      case 2: {  // two hinges on one axis
        const Pose<> X{random_.rotation(), at};
        hinge(A, B, X);
        return hinge(A, B, {X.R, X * Vec3<>(0, 0, 0.7)});
      }
      case 3: {  // a table of four legs
        const Pose<> X{random_.rotation(), at};
        for (int i = 0; i < 4; ++i) {
          const Vec3<> foot = X * Vec3<>(random_.uniform(-1, 1), random_.uniform(-1, 1), 0);
          system_.constrain(name(),
                            std::make_shared<PointOnPlane>(
                                point_at(where_, B, moved(foot)), point_at(where_, A, X.p),
                                A == world ? X.R.col(2) : Vec3<>(where_.bodies[A].X_WB.R.transpose() * X.R.col(2))));
        }
        return;
      }
      case 4:
        for (int i = random_.integer(6, 8); i > 0; --i) rod(A, at + random_.vector(1), B, at + random_.vector(0.4));
        return;
      case 5:
        return system_.constrain(name(),
                                 std::make_shared<Coincident>(point_at(where_, A, at), point_at(where_, B, moved(at))));
      case 6:
        return rod(A, at + random_.direction(), B, at);
      case 7:
        for (const double times : {1.0, -2.5}) couple(times);
        return;
      default:
        return hinge(A, B, {random_.rotation(), at});
    }
  }

 private:
  std::string name() { return "c" + std::to_string(system_.constraints.size()); }
  Vec3<> moved(const Vec3<>& p) { return p + off_ * random_.direction(); }
  Pose<> moved(const Pose<>& X) { return X * exp_se3(off_ * random_.vector6()); }
  void rod(int A, const Vec3<>& a, int B, const Vec3<>& b) {
    const Vec3<> a_off = moved(a);
    system_.constrain(
        name(), std::make_shared<Distance>(point_at(where_, A, a_off), point_at(where_, B, b), (b - a_off).norm()));
  }
  void weld(int A, int B, const Pose<>& X) {
    system_.constrain(
        name(), std::make_shared<Weld>(frame_at(where_, A, X), frame_at(where_, B, moved(X)), random_.uniform(0.2, 2)));
  }
  void hinge(int A, int B, const Pose<>& X) {
    system_.constrain(name(), std::make_shared<HingeClosure>(frame_at(where_, A, X), frame_at(where_, B, moved(X)),
                                                             random_.uniform(0.2, 2)));
  }
  void couple(double times) {
    std::vector<JointCoupling::Term> terms;
    for (const Body& body : system_.model.bodies())
      if (terms.size() < 2 && body.nv == 1) terms.push_back({body.q, times * (terms.empty() ? 1 : -0.7)});
    if (!terms.empty()) system_.constrain(name(), std::make_shared<JointCoupling>(system_.model, terms, 0.0));
  }

  Random& random_;
  System& system_;
  const Positions<>& where_;
  double off_;
};

struct Posture {
  System system;
  VecX<> q;
};

// A random tree, to which up to two planar chains of hinges are added and closed, with some of the above.
Posture random_redundant(Random& random, double off = 0) {
  RobotDescription robot = random_robot(random, random.integer(1, 4));
  std::vector<std::pair<std::string, std::string>> chains;
  for (int c = random.integer(0, 2); c > 0; --c) {
    std::string from = random.integer(0, 1) ? "world" : "link0", last = from;
    const int links = random.integer(2, 5);
    const Mat3<> tilt = random.rotation();
    for (int i = 0; i < links; ++i) {
      const std::string link = "chain" + std::to_string(c) + "." + std::to_string(i);
      robot.links.push_back(random_link(random, link));
      Joint joint = turning("q " + link, last, link, random.vector(0.4), z_axis);
      if (i == 0) joint.at.R = tilt;
      robot.joints.push_back(joint);
      last = link;
    }
    chains.push_back({from, last});
  }
  System system(build_model(robot, random.vector(10)));
  VecX<> q = random_configuration(random, system.model);
  Positions<> where(system.model);
  positions<double>(system.model, q, where);
  Redundancies add(random, system, where, off);
  for (const auto& [from, last] : chains) add.close_planar_chain(from, last);
  for (int i = random.integer(chains.empty() ? 1 : 0, 3); i > 0; --i) add.add(random.integer(0, 8));
  return {std::move(system), q};
}

struct Tally {
  int right = 0, wrong = 0, undecided = 0, not_clear = 0;
  int unique = 0, shared = 0;
};

// Against the null vectors of free bodies: clear where no singular value lies between 1e-13 and 1e-9 of the largest, and no load between 1e-10 and 1e-5.
void compare_verdicts(Data& data, Tally& out, int seed) {
  joint_reactions(data);
  const ForceSplit& split = data.forces->split;
  const ForcesOnFreeBodies free(data);
  const VecX<>& sigma = free.singular_values;
  if (((sigma.array() > 1e-13) && (sigma.array() < 1e-9)).any()) {
    ++out.not_clear;
    return;
  }
  const MatX<> N = free.null_vectors();
  const auto see = [&](double load, Uniqueness verdict, const std::string& of) {
    if (load > 1e-10 && load < 1e-5) return void(++out.not_clear);
    const Uniqueness truth = load < 1e-5 ? Uniqueness::unique : Uniqueness::shared;
    ++(truth == Uniqueness::unique ? out.unique : out.shared);
    if (verdict == truth) return void(++out.right);
    ++(verdict == Uniqueness::undecided ? out.undecided : out.wrong);
    if (verdict != Uniqueness::undecided)
      fmt::print("seed {}: {} is {}, load {:.1e}\n", seed, of, name_of(verdict), load);
  };
  for (int i = 0; i < data.problem.system().model.body_count(); ++i)
    see((free.in_joints.middleRows<6>(6 * i) * N).norm(), split.of_joint(i), data.problem.system().model.joint_name(i));
  for (std::size_t i = 0; i + 1 < free.first.size(); ++i)
    see((free.in_constraints.middleRows(free.first[i], free.first[i + 1] - free.first[i]) * N).norm(),
        split.of_constraint(static_cast<int>(i)),
        data.problem.system().constraints[data.problem.asked().constraints[i]].name);
}

TEST(Uniqueness, IsWhatTheNullVectorsOfFreeBodiesSay) {
  Tally verdicts;
  for (int seed = 0; seed < cases(2000); ++seed) {
    Random random(seed);
    const auto [system, q] = random_redundant(random);
    Data data(compile(system));
    solve(0, q, VecX<>::Zero(system.model.nv()), data);
    compare_verdicts(data, verdicts, seed);
  }
  fmt::print("{} unique, {} shared; {} undecided; {} mechanisms or loads not clear\n", verdicts.unique, verdicts.shared,
             verdicts.undecided, verdicts.not_clear);
  EXPECT_EQ(verdicts.wrong, 0);
  EXPECT_EQ(verdicts.undecided, 0);
  EXPECT_GT(verdicts.unique, 100);
  EXPECT_GT(verdicts.shared, 100);
}

TEST(Uniqueness, OfRowsThatNearlyFollowFromOthersIsNeverWrong) {
  for (const double off : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14}) {
    Tally verdicts;
    for (int seed = 0; seed < cases(300); ++seed) {
      Random random(seed);
      const auto [system, q] = random_redundant(random, off);
      Data data(compile(system));
      solve(0, q, VecX<>::Zero(system.model.nv()), data);
      compare_verdicts(data, verdicts, seed);
    }
    fmt::print("off by {:.0e}: {} unique, {} shared; {} undecided; {} mechanisms or loads not clear\n", off,
               verdicts.unique, verdicts.shared, verdicts.undecided, verdicts.not_clear);
    EXPECT_EQ(verdicts.wrong, 0) << off;
  }
}

TEST(ForceSplit, IsTheLeastOfAllForcesThatGiveTheSameMotion) {
  Worst newton("Newton's law"), slope("slope of the sum of squares along null vectors"), gain("gain by going astray");
  for (int seed = 0; seed < cases(1000); ++seed) {
    Random random(seed);
    const auto [system, q] = random_redundant(random);
    Data data(compile(system));
    solve(0, q, VecX<>::Zero(system.model.nv()), data);
    if (data.motion.status != Status::redundant) continue;
    newton.see(newton_residual(data));
    const ForcesOnFreeBodies free(data);
    const VecX<> forces = forces_at_points(data);
    const MatX<> effects = free.at_points * free.null_vectors();
    slope.see((effects.transpose() * forces).norm() / (effects.norm() * forces.norm()));
    for (int i = 0; i < 5; ++i) {
      const VecX<> astray = effects * random.vector(static_cast<int>(effects.cols()), forces.norm());
      gain.see(1 - (forces + astray).norm() / forces.norm());
    }
  }
  EXPECT_LT(newton.value(), 1e-11);
  EXPECT_LT(slope.value(), 1e-10);
  EXPECT_LT(gain.value(), 1e-13);
}

// A closed loop of bodies 0 … n − 1 with joints 0 … n, joint k between bodies k − 1 and k (the ground before the first and after the last),
// given where it stands, so that it can be cut at any joint. At that moment all axes are those of the world.
struct Loop {
  struct Piece {
    double mass;
    Vec3<> com;
    Symmetric3<> inertia;
  };
  struct Pin {
    JointType type;
    Vec3<> p, axis;
  };
  std::vector<Piece> bodies;
  std::vector<Pin> pins;
  Vec3<> gravity;

  int size() const { return static_cast<int>(bodies.size()); }

  System cut(int at) const {
    RobotDescription robot;
    const auto hang = [&](int body, int pin, int parent_body, int parent_pin) {
      const Piece& piece = bodies[body];
      Link link;
      link.name = "body" + std::to_string(body);
      link.mass = piece.mass, link.com = piece.com - pins[pin].p, link.inertia = piece.inertia;
      robot.links.push_back(link);
      Joint joint =
          turning("pin" + std::to_string(pin), parent_pin < 0 ? "world" : "body" + std::to_string(parent_body),
                  link.name, parent_pin < 0 ? pins[pin].p : Vec3<>(pins[pin].p - pins[parent_pin].p), pins[pin].axis);
      joint.type = pins[pin].type;
      robot.joints.push_back(joint);
    };
    for (int k = 0; k < at; ++k) hang(k, k, k - 1, k - 1);
    for (int k = size(); k > at; --k) hang(k - 1, k, k, k == size() ? -1 : k + 1);
    System out(build_model(robot, gravity));
    Positions<> where(out.model);
    positions<double>(out.model, neutral_configuration(out.model), where);
    const auto body_of = [&](int k) {
      return k < 0 || k >= size() ? world : out.model.frame("body" + std::to_string(k)).body;
    };
    Vec3<> x = cross<double>(pins[at].axis, Vec3<>(0.3, 0.5, 0.8)).normalized();
    Mat3<> R;
    R << x, cross<double>(pins[at].axis, x), pins[at].axis;
    const Frame F = frame_at(where, body_of(at - 1), {R, pins[at].p}),
                M = frame_at(where, body_of(at), {R, pins[at].p});
    if (pins[at].type == JointType::revolute)
      out.constrain("cut", std::make_shared<HingeClosure>(F, M));
    else
      out.constrain("cut", std::make_shared<Coincident>(BodyPoint(F), BodyPoint(M)));
    return out;
  }

  // In axes turned by R, lengths and masses by so much.
  Loop seen(const Mat3<>& R, double length, double mass) const {
    Loop out = *this;
    for (Piece& piece : out.bodies) {
      piece.mass *= mass, piece.com = R * piece.com * length;
      piece.inertia = piece.inertia.rotated(R) * (mass * length * length);
    }
    for (Pin& pin : out.pins) pin.p = R * pin.p * length, pin.axis = R * pin.axis;
    out.gravity = R * gravity * length;
    return out;
  }
};

Loop random_loop(Random& random) {
  Loop out;
  const int n = random.integer(2, 5), kind = random.integer(0, 2);  // planar hinges, hinges in space, hinges and balls
  const Mat3<> tilt = random.rotation();
  out.gravity = random.vector(10);
  for (int k = 0; k <= n; ++k) {
    const Vec3<> p = kind == 0
                         ? Vec3<>(tilt.leftCols<2>() * Eigen::Vector2d(random.uniform(-1, 1), random.uniform(-1, 1)))
                         : random.vector();
    out.pins.push_back({kind == 2 && random.integer(0, 1) ? JointType::spherical : JointType::revolute, p,
                        kind == 0 ? Vec3<>(tilt.col(2)) : random.direction()});
  }
  for (int k = 0; k < n; ++k) {
    const Link link = random_link(random, "");
    out.bodies.push_back({link.mass, 0.5 * (out.pins[k].p + out.pins[k + 1].p) + link.com, link.inertia});
  }
  return out;
}

// The velocities of the bodies about their own places: [ω; v of the point at the world's origin].
std::vector<Vec6<>> some_motion(Random& random, const Loop& loop) {
  const System system = loop.cut(loop.size());
  const VecX<> q = neutral_configuration(system.model);
  const MatX<> A = dense_equation(system, q, VecX<>::Zero(system.model.nv())).A;
  VecX<> v = random.vector(system.model.nv(), 3);
  v -= least_squares(A, A * v);
  Kinematics<> kin(system.model);
  kinematics<double>(system.model, q, v, kin);
  std::vector<Vec6<>> out;
  for (int k = 0; k < loop.size(); ++k) {
    const int body = system.model.frame("body" + std::to_string(k)).body;
    out.push_back(motion_at<double>(kin.motion[body].V, -kin.bodies[body].X_WB.p));
  }
  return out;
}

// The wrench in every pin, on the body behind it, about the pin: [n; f] along the world's axes.
std::vector<Vec6<>> wrenches_in_pins(const Loop& loop, int cut, const std::vector<Vec6<>>& moves) {
  const System system = loop.cut(cut);
  const Model& model = system.model;
  Positions<> where(model);
  const VecX<> q = neutral_configuration(model);
  positions<double>(model, q, where);
  const auto number_of = [&](int body) { return std::stoi(model.link_name(body).substr(4)); };
  VecX<> v(model.nv());
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    Vec6<> relative = moves[number_of(i)];
    if (body.parent != world) relative -= moves[number_of(body.parent)];
    relative = motion_at<double>(relative, where.bodies[i].X_WB.p);
    for (int c = body.v; c < body.v + body.nv; ++c) v[c] = where.S[c].head<3>().dot(relative.head<3>());
  }
  Data data(compile(system));
  solve(0, q, v, data);
  EXPECT_TRUE(has_motion(data.motion.status));
  EXPECT_LT(newton_residual(data), 1e-12);
  std::vector<Vec6<>> out(loop.pins.size());
  for (int i = 0; i < model.body_count(); ++i) {
    const int pin = std::stoi(model.joint_name(i).substr(3));
    out[pin] = joint_reactions(data)[i] * (number_of(i) == pin ? 1 : -1);
  }
  const WrenchAtPoint closure = force_ledger(data, data.asked)[0].at_point;
  out[cut] = spatial<double>(closure.moment, closure.force) * (number_of(closure.body) == cut ? 1 : -1);
  return out;
}

TEST(ForceSplit, DoesNotDependOnWhichJointOfALoopWasCutNorOnAxesNorOnUnits) {
  Worst cut("cut elsewhere"), turned("turned"), scaled("in mm and g");
  const auto apart = [](const std::vector<Vec6<>>& a, const std::vector<Vec6<>>& b) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference = std::max(difference, (a[i] - b[i]).norm()), size = std::max(size, b[i].norm());
    return difference / size;
  };
  for (int seed = 0; seed < cases(300); ++seed) {
    Random random(seed);
    const Loop loop = random_loop(random);
    const std::vector<Vec6<>> moves = some_motion(random, loop);
    const std::vector<Vec6<>> first = wrenches_in_pins(loop, loop.size(), moves);
    for (int at = 0; at < loop.size(); ++at) cut.see(apart(wrenches_in_pins(loop, at, moves), first));
    const Mat3<> R = random.rotation();
    std::vector<Vec6<>> moves_turned = moves, first_turned = first, moves_mm = moves, first_mm = first;
    for (Vec6<>& V : moves_turned) V = spatial<double>(R * V.head<3>(), R * V.tail<3>());
    for (Vec6<>& F : first_turned) F = spatial<double>(R * F.head<3>(), R * F.tail<3>());
    for (Vec6<>& V : moves_mm) V.tail<3>() *= 1000;
    for (Vec6<>& F : first_mm) F *= 1e6, F.head<3>() *= 1000;
    turned.see(apart(wrenches_in_pins(loop.seen(R, 1, 1), 0, moves_turned), first_turned));
    std::vector<Vec6<>> mm = wrenches_in_pins(loop.seen(Mat3<>::Identity(), 1000, 1000), 0, moves_mm);
    for (std::vector<Vec6<>>* of : {&mm, &first_mm})
      for (Vec6<>& F : *of) F.head<3>() /= 1000;
    scaled.see(apart(mm, first_mm));
  }
  EXPECT_LT(cut.value(), 1e-10);
  EXPECT_LT(turned.value(), 1e-10);
  EXPECT_LT(scaled.value(), 1e-10);
}

// A table on the plane z = 0, its feet given, its mass centre above the origin.
System table(const std::vector<Vec3<>>& feet, double mass) {
  System out(build_model(free_body(mass, {1, 1.5, 2})));
  for (std::size_t i = 0; i < feet.size(); ++i)
    out.constrain("foot" + std::to_string(i),
                  std::make_shared<PointOnPlane>(BodyPoint(0, feet[i]), BodyPoint(), Vec3<>::UnitZ()));
  return out;
}

TEST(ForceSplit, FrictionIsThatOfTheForcesThatAreRecorded) {
  Worst friction("μ|λ| beside the friction of a foot"), newton("Newton's law"), slope("slope");
  int unsettled = 0;
  for (int seed = 0; seed < cases(300); ++seed) {
    Random random(seed);
    std::vector<Vec3<>> feet;
    for (int i = 0; i < 5; ++i)
      feet.emplace_back(std::cos(1.3 * i) + random.uniform(-0.2, 0.2), std::sin(1.3 * i), -0.4);
    System system = table(feet, 3);
    std::vector<double> mu;
    for (int i = 0; i < 5; ++i) {
      mu.push_back(random.uniform(0, 0.8));
      system.constraints[i].working =
          std::make_shared<CoulombFriction>(*system.constraints[i].law, mu[i], BodyPoint(0, feet[i]), world, 1e-6);
    }
    Data data(compile(system));
    solve(0, free_coordinates({0, 0, 0.4}, Mat3<>::Identity()),
          free_velocities(Mat3<>::Identity(), {1, random.uniform(-1, 1), 0}, {0, 0, 0.3}), data);
    if (data.motion.status == Status::unsettled) ++unsettled;
    if (data.motion.status != Status::redundant) continue;
    newton.see(newton_residual(data));
    const ForcesOnFreeBodies free(data);
    const VecX<> forces = forces_at_points(data);
    const MatX<> effects = free.at_points * free.null_vectors();
    slope.see((effects.transpose() * forces).norm() / (effects.norm() * forces.norm()));
    for (const ConstraintForce& force : force_ledger(data, data.asked)) {
      const int i = force.name.back() - '0';
      friction.see(std::abs(force.working.head<2>().norm() - mu[i] * std::abs(force.multipliers[0])) / (3 * gravity));
    }
  }
  fmt::print("{} unsettled\n", unsettled);
  EXPECT_LT(friction.value(), 1e-10);
  EXPECT_LT(newton.value(), 1e-12);
  EXPECT_LT(slope.value(), 1e-12);
  EXPECT_EQ(unsettled, 0);
}

TEST(ForceSplit, ControlRowsShareAmongThemselvesAlone) {
  // a rod holds the arm; two demands speak of the same joint, one of them of what the rod leaves as well
  VecX<> q(3);
  System system(tilted_four_bar(q).model);
  const Model& model = system.model;
  const BodyPoint tip(2, Vec3<>(0.7, 0, 0));
  system.constrain("rod", std::make_shared<Distance>(BodyPoint(world, Vec3<>(0.4, 1, 0.5)), tip, 1));
  system.constrain("led", std::make_shared<JointCoupling>(model, std::vector<JointCoupling::Term>{{1, 1.0}}, 0.3),
                   Layer::control);
  system.constrain("again", std::make_shared<JointCoupling>(model, std::vector<JointCoupling::Term>{{1, -3.0}}, 0.3),
                   Layer::control);
  Data data(compile(system));
  solve(0, q, Vec3<>(0.1, 0.2, 0.3), data);
  const VecX<> lambda = held_multipliers(data);
  EXPECT_EQ(data.forces->split.of_constraint(0), Uniqueness::unique);
  EXPECT_EQ(data.forces->split.of_constraint(1), Uniqueness::shared);
  EXPECT_EQ(data.forces->split.of_constraint(2), Uniqueness::shared);
  // equal torques
  EXPECT_NEAR(lambda[1], -3 * lambda[2], 1e-13 * std::abs(lambda[1]));
  EXPECT_GT(std::abs(lambda[1]), 0.05);
  System single = system;
  single.constraints.pop_back();
  Data alone(compile(single));
  solve(0, q, Vec3<>(0.1, 0.2, 0.3), alone);
  EXPECT_NEAR(held_multipliers(alone)[0], lambda[0], 1e-12 * std::abs(lambda[0]));

  // a demand that follows from the rod alone does nothing
  system.constrain("rod again", system.constraints[0].law, Layer::control);
  Data more(compile(system));
  solve(0, q, Vec3<>(0.1, 0.2, 0.3), more);
  EXPECT_LT((held_multipliers(more).head(3) - lambda).norm(), 1e-12 * lambda.norm());
  EXPECT_NEAR(held_multipliers(more)[3], 0, 1e-15);
  EXPECT_EQ(more.forces->split.of_constraint(0), Uniqueness::unique);
}

TEST(ForceSplit, RowsWithoutAGradientHaveNoForce) {
  const auto [plain, q] = hinged_four_bar();
  System system = plain;
  system.constrain("flat", std::make_shared<JetEquation>(std::vector{Quantity::coordinate(system.model, 0)},
                                                         [](auto, auto) { return Jet(0.0); }));
  Data data(compile(system)), alone(compile(plain));
  solve(0, q, VecX<>::Zero(3), data);
  solve(0, q, VecX<>::Zero(3), alone);
  const VecX<> lambda = held_multipliers(data);
  EXPECT_EQ(lambda[5], 0);
  EXPECT_LT((lambda.head(5) - held_multipliers(alone)).norm(), 1e-13 * lambda.norm());
  EXPECT_EQ(data.forces->split.of_constraint(1), Uniqueness::unique);
}

TEST(ForceSplit, RowsOfOneConstraintThatRepeatEachOtherChangeNoForce) {
  // three directions in a plane: what the rows share among themselves loads nothing
  RobotDescription robot = chain(3);
  System system(build_model(robot)), twice(system);
  const BodyPoint tip(system.model.frame("tip"));
  Eigen::Matrix<double, 3, 3> axes;
  axes.col(0) = Vec3<>(0.6, 0.8, 0), axes.col(1) = Vec3<>(0, 0.6, 0.8).normalized();
  axes.col(2) = (0.3 * axes.col(0) - 0.7 * axes.col(1)).normalized();
  system.constrain("slot",
                   std::make_shared<Coincident>(BodyPoint(world, Vec3<>(0.1, 0.2, 0.5)), tip, world, axes.leftCols(2)));
  twice.constrain("slot", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(0.1, 0.2, 0.5)), tip, world, axes));
  Data data(compile(system)), repeated(compile(twice));
  const VecX<> q = Vec3<>(0.3, -0.4, 0.9), v = Vec3<>(0.3, 0.2, -0.5);
  for (Data* of : {&data, &repeated}) solve(0, q, v, *of);
  EXPECT_EQ(repeated.motion.rank, 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT((joint_reactions(data)[i] - joint_reactions(repeated)[i]).norm(),
              1e-12 * joint_reactions(data)[0].norm());
    EXPECT_EQ(repeated.forces->split.of_joint(i), Uniqueness::unique);
  }
  EXPECT_EQ(repeated.forces->split.of_constraint(0), Uniqueness::unique);
  EXPECT_LT(newton_residual(repeated), 1e-13);
}

TEST(ForceSplit, OfCouplingsThatAreGivenTwiceSharesTheirTorques) {
  RobotDescription robot;
  robot.links = {rod("bar", 1, 1, x_axis)};
  robot.joints = {turning("q", "world", "bar", Vec3<>::Zero(), z_axis)};
  System system(build_model(robot, Vec3<>(0, -9.81, 0)));
  for (const double times : {1.0, 2.0, -5.0})
    system.constrain(fmt::format("lock {}", times),
                     std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, times}}, 0.0));
  Data data(compile(system));
  solve(0, VecX<>::Zero(1), VecX<>::Zero(1), data);
  const VecX<> lambda = held_multipliers(data);
  const double torque = 9.81 * 0.5 / 3;
  EXPECT_LT((lambda - Vec3<>(torque, torque / 2, -torque / 5)).norm(), 1e-14);
}

TEST(ForceSplit, OfLinksWithoutMassBalancesLikeOthers) {
  // a coupler without mass in a planar loop of hinges: it carries a force along itself alone, and what is across the plane is least
  RobotDescription robot;
  Link coupler;
  coupler.name = "coupler";
  robot.links = {rod("crank", 1, 0.3, x_axis), coupler, rod("rocker", 1, 0.7, x_axis)};
  robot.joints = {turning("q0", "world", "crank", Vec3<>::Zero(), z_axis),
                  turning("q1", "crank", "coupler", {0.3, 0, 0}, z_axis),
                  turning("q2", "coupler", "rocker", {0.8, 0, 0}, z_axis)};
  System system(build_model(robot, Vec3<>(1, -9.81, 2)));
  Positions<> where(system.model);
  const Vec3<> q(1, -0.8, -1.5);
  positions<double>(system.model, q, where);
  const int rocker = system.model.frame("rocker").body;
  const Pose<> X = where.bodies[rocker].X_WB * Pose<>{Mat3<>::Identity(), Vec3<>(0.7, 0, 0)};
  system.constrain("loop", std::make_shared<HingeClosure>(frame_at(where, world, X), frame_at(where, rocker, X)));
  Data data(compile(system));
  solve(0, q, VecX<>::Zero(3), data);
  ASSERT_EQ(data.motion.status, Status::redundant);
  EXPECT_LT(newton_residual(data), 1e-13);
  const ForcesOnFreeBodies free(data);
  const VecX<> forces = forces_at_points(data);
  EXPECT_LT((free.null_vectors().transpose() * free.at_points.transpose() * forces).norm(), 1e-13 * forces.norm());
}

TEST(ForceSplit, OfWhatIsNotANumberEndsAndIsNotANumber) {
  const auto [system, q] = hinged_four_bar();
  Data data(compile(system));
  solve(0, q, Vec3<>(0, std::numeric_limits<double>::quiet_NaN(), 0), data);
  EXPECT_EQ(data.motion.status, Status::not_a_number);
  EXPECT_FALSE(held_multipliers(data).allFinite());
  solve(0, q, VecX<>::Zero(3), data);
  EXPECT_TRUE(held_multipliers(data).allFinite());
}

TEST(ForceSplit, AllocatesNothingAfterTheFirstTime) {
  const auto [system, q] = hinged_four_bar();
  Data data(compile(system));
  const VecX<> v = VecX<>::Zero(3);
  solve(0, q, v, data);
  joint_reactions(data);
  const std::size_t before = allocation_count();
  for (int i = 0; i < 3; ++i) {
    solve(0, q, v, data);
    held_multipliers(data);
    joint_reactions(data);
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace trammel
