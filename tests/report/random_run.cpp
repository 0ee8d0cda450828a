#include "report/random_run.h"

#include <array>
#include <memory>

#include <fmt/core.h>

#include "support/random_robot.h"
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/expression_constraint.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/point_on_sphere.h"
#include "trammel/constraints/rolling.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/expression/expression.h"
#include "trammel/simulate/simulate.h"

namespace trammel::test {
namespace {

// Adds constraints that hold in one posture.
class Constrainer {
 public:
  Constrainer(Random& random, System& system, const VecX<>& q)
      : random_(random), system_(system), where_(system.model) {
    positions<double>(system.model, q, where_);
  }

  void add_one() {
    using Add = void (Constrainer::*)();
    constexpr std::array<Add, 18> all{&Constrainer::coincide,    &Constrainer::pin_to_world, &Constrainer::hinge,
                                      &Constrainer::weld,        &Constrainer::slide,        &Constrainer::distance,
                                      &Constrainer::path,        &Constrainer::path_on_body, &Constrainer::blade,
                                      &Constrainer::plane,       &Constrainer::line,         &Constrainer::cylinder,
                                      &Constrainer::sphere,      &Constrainer::ball_rolls,   &Constrainer::disc_rolls,
                                      &Constrainer::orientation, &Constrainer::aligned,      &Constrainer::equation};
    static_assert(all.size() == RandomRun::all_kinds);
    (this->*all[random_.integer(0, static_cast<int>(all.size()) - 1)])();
  }

  std::vector<ExpectedForce> expected;
  std::set<std::string> kinds;

 private:
  std::string named(const std::string& kind) {
    kinds.insert(kind);
    return fmt::format("{} {}", kind, expected.size());
  }

  // Now and then a second time, which shares the force with the first.
  void add(std::shared_ptr<const Constraint> law, const ExpectedForce& what,
           std::shared_ptr<const WorkingForce> friction = nullptr) {
    NamedConstraint constraint{.name = what.name, .law = law};
    if (random_.integer(0, 3) == 0) constraint.layer = Layer::control;
    if (!friction || constraint.layer == Layer::control) friction = nullptr;
    constraint.working = friction;
    system_.constrain(constraint);
    expected.push_back(what);
    if (friction || random_.integer(0, 4) > 0) return;
    constraint.name = what.name + " again";
    expected.push_back(what);
    expected.back().name = constraint.name;
    system_.constrain(constraint);
  }

  Frame random_frame() { return {"", random_.integer(0, system_.model.body_count() - 1), random_.pose(0.3)}; }
  // The frame of another body, or of the world, that is where F is now; another body wherever there is one.
  Frame meeting(const Frame& F, bool world_too = false) {
    int body = random_.integer(world_too ? -1 : 0, system_.model.body_count() - 1);
    if (body == F.body) body = body == 0 ? system_.model.body_count() - 1 : body - 1;
    if (body < 0) body = world;
    return {"", body, body == world ? where_.pose(F) : where_.bodies[body].X_WB.inverse() * where_.pose(F)};
  }
  Vec3<> place(const Frame& F) { return where_.pose(F).p; }

  void coincide() {
    const Frame M = random_frame(), F = meeting(M, true);
    add(std::make_shared<Coincident>(BodyPoint(F), BodyPoint(M)), by_hand::along_world(named("coincide"), F, M, "xyz"));
  }
  void pin_to_world() {
    const Frame F = random_frame(), M{"", world, where_.pose(F)};
    const Mat3<> axes = Mat3<>::Identity();
    add(std::make_shared<Coincident>(BodyPoint(F), BodyPoint(M), world, axes.leftCols(2)),
        by_hand::along_world(named("pin"), F, M, "xy"));
  }
  void hinge() {
    const Frame M = random_frame(), F = meeting(M, true);
    add(std::make_shared<HingeClosure>(F, M), by_hand::hinge(named("hinge"), F, M));
  }
  void weld() {
    const Frame F = random_frame(), M = meeting(F, true);
    add(std::make_shared<Weld>(F, M), by_hand::weld(named("weld"), F, M));
  }
  void slide() {
    const Frame M = random_frame(), F = meeting(M, true);
    add(std::make_shared<SlideClosure>(F, M), by_hand::weld(named("slide"), F, M, "xy"));
  }
  void distance() {
    const Frame F = random_frame();
    Frame M = meeting(F, true);
    M.X_BF.p += random_.vector();
    add(std::make_shared<Distance>(BodyPoint(F), BodyPoint(M), (place(F) - place(M)).norm()),
        by_hand::distance(named("distance"), F, M));
  }
  void path() {
    const Frame P = random_frame();
    const Vec3<> start = place(P), bend = random_.vector();
    const VectorPath led = [=](const Jet& t) { return Vec3<Jet>(start.cast<Jet>() + bend.cast<Jet>() * (t * t)); };
    add(std::make_shared<PointOnPath>(BodyPoint(P), led, PointOnPath::Axes{true, false, true}),
        by_hand::along_world(named("path"), {"", world, {}}, P, "xz"));
  }
  void path_on_body() {
    const Frame P = random_frame(), F = meeting(P, true);
    const Vec3<> bend = random_.vector();
    const VectorPath led = [=](const Jet& t) { return Vec3<Jet>(bend.cast<Jet>() * (t * t)); };
    add(std::make_shared<PointOnPath>(BodyPoint(P), led, F, PointOnPath::Axes{false, true, true}),
        by_hand::along_frame(named("path on a body"), F, P, "yz"));
  }
  void blade() {
    const Frame P = random_frame();
    const Vec3<> sideways = random_.direction();
    add(std::make_shared<KnifeEdge>(BodyPoint(P), sideways), by_hand::along(named("blade"), P, P.body, sideways));
  }
  void plane() {
    const Frame P = random_frame(), O = meeting(P, true);
    const Vec3<> n = random_.direction();
    const auto law = std::make_shared<PointOnPlane>(BodyPoint(P), BodyPoint(O), n);
    add(law, by_hand::along(named("plane"), P, O.body, n),
        std::make_shared<CoulombFriction>(*law, 0.2, BodyPoint(P), O.body));
  }
  void line() {
    const Frame P = random_frame(), O = meeting(P, true);
    const Vec3<> a = random_.integer(0, 1) ? random_.direction() : Vec3<>(-Vec3<>::UnitY());
    add(std::make_shared<PointOnLine>(BodyPoint(P), BodyPoint(O), a), by_hand::on_line(named("line"), P, O.body, a));
  }
  void cylinder() {
    const Frame P = random_frame();
    Frame O = meeting(P, true);
    const Vec3<> a = random_.direction(), across = cross<double>(a, random_.direction()).normalized();
    O.X_BF.p += 0.3 * across;
    add(std::make_shared<PointOnCylinder>(BodyPoint(P), BodyPoint(O), a, 0.3),
        by_hand::on_cylinder(named("cylinder"), P, O, a));
  }
  void sphere() {
    const Frame P = random_frame();
    Frame O = meeting(P, true);
    O.X_BF.p += 0.4 * random_.direction();
    add(std::make_shared<PointOnSphere>(BodyPoint(P), BodyPoint(O), 0.4), by_hand::distance(named("sphere"), O, P));
  }
  void ball_rolls() {
    const Frame S = random_frame();
    Frame O = meeting(S, true);
    const Vec3<> n = random_.direction();
    O.X_BF.p -= 0.2 * n;
    add(std::make_shared<RollingSphere>(BodyPoint(S), 0.2, BodyPoint(O), n),
        by_hand::rolls(named("ball rolls"), S, Vec3<>::UnitZ(), 0, 0.2, O.body, n));
  }
  void disc_rolls() {
    const Frame S = random_frame();
    Frame O = meeting(S, true);
    const Vec3<> n = random_.direction(), a = random_.direction();
    const Vec3<> a_O = where_.pose(O.body, {}).R.transpose() * (where_.pose(S.body, {}).R * a);
    const double sine = cross<double>(n, a_O).norm();  // beside 1: the disc stands upright
    O.X_BF.p -= (0.3 * sine + 0.05) * n;
    add(std::make_shared<RollingWheel>(BodyPoint(S), a, 0.3, 0.05, BodyPoint(O), n),
        by_hand::rolls(named("wheel rolls"), S, a, 0.3, 0.05, O.body, n));
  }
  void orientation() {
    const Frame M = random_frame();
    const Mat3<> T = where_.pose(M).R;
    add(std::make_shared<OrientationOnPath>(M, [T](const Jet&) { return Mat3<Jet>(T.cast<Jet>()); }),
        by_hand::orientation(named("orientation"), M, T));
  }
  void aligned() {
    const Frame M = random_frame(), F = meeting(M, true);
    const Vec3<> f = F.X_BF.R.col(0), m = M.X_BF.R.col(0);
    add(std::make_shared<Aligned>(BodyDirection{F.body, f}, BodyDirection{M.body, m}),
        by_hand::aligned(named("aligned"), F.body, f, M.body, m));
  }
  // A slot that an input turns.
  void equation() {
    const int i = random_.integer(0, system_.model.body_count() - 1);
    const Frame& P = system_.model.frame(fmt::format("frame{}", i));
    const Vec3<> p = place(P);
    const double angle = system_.inputs[0].value;
    const std::string text = fmt::format("{0}.x*cos(angle) + {0}.y*sin(angle) = {1:.17g}", P.name,
                                         p.x() * std::cos(angle) + p.y() * std::sin(angle));
    add(std::make_shared<ExpressionConstraint>(system_.model, parse_equation(text, vocabulary_of(system_)),
                                               std::vector<double>{}, system_.input_names()),
        {named("equation"), P.body, [P](const ExpectedForce::Now& now) {
           const Vec3<> along(std::cos(now.inputs[0]), std::sin(now.inputs[0]), 0);
           return ExpectedForce::Wrench{now.where.pose(P).p, now.lambda[0] * along};
         }});
  }

  Random& random_;
  System& system_;
  Positions<> where_;
};

SimulateOptions random_options(Random& random, bool turned) {
  SimulateOptions out;
  out.duration = 0.04;
  out.record_every = 0.01;
  out.method = &rk4;
  out.step = 0.005;
  // a robot that turns fast does not start on its constraints, and projections need that
  out.drift.kind =
      std::array{Drift::none, Drift::baumgarte, Drift::velocity, Drift::projection}[random.integer(0, turned ? 2 : 3)];
  out.drift.forces_at_corrected = random.integer(0, 1) == 1;
  if (out.drift.kind == Drift::baumgarte) out.drift.gains = {20, 100};
  if (out.drift.kind != Drift::projection)
    out.set_inputs = [](const State& at, std::span<double> inputs) { inputs[0] = 0.3 + 2 * at.t; };
  return out;
}

}  // namespace

RandomRun random_run(unsigned seed) {
  Random random(seed);
  const bool turned = random.integer(0, 3) == 0;
  const JointType turning[] = {JointType::revolute};
  System system(build_model(
      random_robot(random, random.integer(2, 6), turned ? std::span<const JointType>(turning) : moving_joint_types),
      random.vector(10)));
  system.add_input("angle", 0.3);
  VecX<> q = random_configuration(random, system.model), v = VecX<>::Zero(system.model.nv());
  if (turned) {
    q.array() += 2 * pi * random.integer(-1000, 1000);
    v[0] = 50;
  }
  Constrainer constrainer(random, system, q);
  for (int i = random.integer(1, 3); i > 0; --i) constrainer.add_one();
  if (random.integer(0, 2) == 0)
    for (int i = 0; i < system.model.nv(); i += 2) system.drive({.name = fmt::format("motor {}", i), .velocity = i});
  const SimulateOptions options = random_options(random, turned);
  Problem problem = compile(system, motion_options(options));
  Simulation run = simulate(problem, State(0, q, v), options);
  return {problem, std::move(run), constrainer.expected, constrainer.kinds};
}

}  // namespace trammel::test
