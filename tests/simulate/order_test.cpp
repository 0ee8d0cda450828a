// The observed order of every method, with and without constraints, and time histories in closed form.
#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/worst.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/rolling.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A particle that slides along x and z: two carriers, so that it has two coordinates.
RobotDescription particle(double mass) {
  RobotDescription robot;
  robot.name = "particle";
  Link carrier, bob;
  carrier.name = "carrier";
  bob.name = "bob";
  bob.mass = mass;
  robot.links = {carrier, bob};
  Joint x = turning("x", "world", "carrier", Vec3<>::Zero(), x_axis);
  Joint z = turning("z", "carrier", "bob", Vec3<>::Zero(), z_axis);
  x.type = z.type = JointType::prismatic;
  robot.joints = {x, z};
  return robot;
}

Simulation run_fixed(const System& system, const State& start, const Tableau& method, double step, double duration,
                     Drift drift = Drift::projection) {
  SimulateOptions options;
  options.method = &method;
  options.step = step;
  options.duration = duration;
  options.tolerance = {1e10, 1e10};  // pairs at a fixed step: every error is good enough
  options.record_every = duration;
  options.drift.kind = drift;
  return simulate(system, start, options);
}

// log2 of the ratio of errors at h and h/2.
template <class ErrorAt>
double observed_order(const ErrorAt& error_at, double h) {
  return std::log2(error_at(h) / error_at(h / 2));
}

State adaptive_end(const System& system, const State& start, double duration) {
  SimulateOptions options;
  options.method = &dop8;
  options.step = 0;
  options.duration = duration;
  options.tolerance = {1e-12, 1e-12};
  options.record_every = duration;
  const Simulation run = simulate(system, start, options);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  return run.end;
}

TEST(Order, OfEveryMethodOnAPendulumWithAndWithoutAConstraint) {
  RobotDescription swinging;
  swinging.name = "pendulum";
  Link bob;
  bob.name = "bob";
  bob.mass = 2;
  bob.com = {1, 0, 0};
  swinging.links = {bob};
  swinging.joints = {turning("q", "world", "bob", Vec3<>::Zero(), y_axis)};
  const System free(build_model(swinging));
  System held(build_model(particle(2)));
  held.constrain("rod", std::make_shared<Distance>(BodyPoint(), BodyPoint(held.model.frame("bob")), 1));
  const State free_start(0, VecX<>::Zero(1), VecX<>::Zero(1)), held_start(0, Eigen::Vector2d(1, 0), VecX<>::Zero(2));

  // the angle by the constrained particle and by the joint, each at a time without symmetry
  const double duration = 1;
  const State free_end = adaptive_end(free, free_start, duration), held_end = adaptive_end(held, held_start, duration);
  EXPECT_NEAR(std::remainder(free_end.q[0] + std::atan2(held_end.q[1], held_end.q[0]), 2 * pi), 0, 1e-11);

  std::printf("%-20s %-8s %-10s %-12s\n", "method", "order", "free", "constrained");
  for (const Tableau* method : all_methods()) {
    const auto error_of = [&](const System& system, const State& start, const State& exact) {
      return [&, method](double h) {
        const State end = run_fixed(system, start, *method, h, duration).end;
        return (end.q - exact.q).norm() + (end.v - exact.v).norm();
      };
    };
    const double h = duration / (method->order >= 8 ? 12 : method->order == 5 ? 24 : method->order == 4 ? 64 : 512);
    const double of_free = observed_order(error_of(free, free_start, free_end), h);
    const double of_held = observed_order(error_of(held, held_start, held_end), h);
    std::printf("%-20s %-8d %-10.2f %-12.2f\n", std::string(method->name).c_str(), method->order, of_free, of_held);
    EXPECT_GT(of_free, method->order - 0.7) << method->name;
    EXPECT_GT(of_held, method->order - 0.7) << method->name;
  }
}

TEST(Histories, APendulumReleasedHorizontallyIsBackAfterItsPeriod) {
  System held(build_model(particle(2)));
  held.constrain("rod", std::make_shared<Distance>(BodyPoint(), BodyPoint(held.model.frame("bob")), 1));
  const State end = adaptive_end(held, State(0, Eigen::Vector2d(1, 0), VecX<>::Zero(2)), 2.36784194757623745);
  EXPECT_NEAR(end.q[0], 1, 1e-10);
  EXPECT_NEAR(end.q[1], 0, 1e-10);
}

TEST(Histories, ABeadOnACycloidSwingsAtOnePeriodFromEverywhere) {
  // x = a(s + sin s), z = a(1 − cos s); s is the angle of a wheel of no account, so that both are smooth at the bottom
  const double a = 0.3, g = 9.81, period = 4 * pi * std::sqrt(a / g);
  for (const double from : {0.3, 1.0, 2.5}) {
    RobotDescription robot = particle(1.5);
    Link wheel;
    wheel.name = "wheel";
    wheel.mass = 1e-9;
    wheel.inertia = {1e-12, 1e-12, 1e-12};
    robot.links.push_back(wheel);
    robot.joints.push_back(turning("s", "world", "wheel", {0, 0, 0}, y_axis));
    System guided(build_model(robot));
    const auto coordinate = [&](const char* joint) {
      return Quantity::coordinate(guided.model, guided.model.bodies()[guided.model.joint(joint)].q);
    };
    guided.constrain("x", std::make_shared<JetEquation>(
                              std::vector{coordinate("x"), coordinate("s")},
                              [a](std::span<const Jet> c, const Jet&) { return c[0] - (c[1] + sin(c[1])) * a; }));
    guided.constrain("z", std::make_shared<JetEquation>(
                              std::vector{coordinate("z"), coordinate("s")},
                              [a](std::span<const Jet> c, const Jet&) { return c[0] - (1.0 - cos(c[1])) * a; }));
    VecX<> q(3);
    q[guided.model.bodies()[guided.model.joint("x")].q] = a * (from + std::sin(from));
    q[guided.model.bodies()[guided.model.joint("z")].q] = a * (1 - std::cos(from));
    q[guided.model.bodies()[guided.model.joint("s")].q] = from;
    const State end = adaptive_end(guided, State(0, q, VecX<>::Zero(3)), period);
    EXPECT_LT((end.q - q).norm(), 1e-8) << from;  // the wheel's inertia is 1e-12 of the bead's
  }
}

// A blade on an incline: its place (x downslope, y) and heading, by prismatic and turning joints.
System blade(double incline, double ahead, double mass, double inertia) {
  RobotDescription robot;
  robot.name = "blade";
  Link first, second, body;
  first.name = "first";
  second.name = "second";
  body.name = "blade";
  body.mass = mass;
  body.com = {ahead, 0, 0};
  body.inertia = {inertia / 2, inertia / 2, inertia};
  robot.links = {first, second, body};
  Joint x = turning("x", "world", "first", Vec3<>::Zero(), x_axis);
  Joint y = turning("y", "first", "second", Vec3<>::Zero(), y_axis);
  x.type = y.type = JointType::prismatic;
  robot.joints = {x, y, turning("heading", "second", "blade", Vec3<>::Zero(), z_axis)};
  // x points downslope
  const Vec3<> gravity = 9.81 * Vec3<>(std::sin(incline), 0, -std::cos(incline));
  System system(build_model(robot, gravity));
  system.constrain("edge", std::make_shared<KnifeEdge>(BodyPoint(system.model.frame("blade")), Vec3<>(0, 1, 0)));
  return system;
}

TEST(Histories, AKnifeEdgeOnAnInclineCyclesAcrossIt) {
  const System system = blade(pi / 6, 0, 1, 1);
  const State end = adaptive_end(system, State(0, VecX<>::Zero(3), Vec3<>(0, 0, 1)), 1);
  EXPECT_NEAR(end.q[0], 1.7365500583159334, 1e-10);
  EXPECT_NEAR(end.q[1], 1.3374740303550078, 1e-10);
}

TEST(Histories, AChaplyginSleighTurnsItsSpinIntoSpeed) {
  const System system = blade(0, 0.5, 1, 1);
  const State end = adaptive_end(system, State(0, VecX<>::Zero(3), Vec3<>(1, 0, 1)), 1);
  const double u = end.v[0] * std::cos(end.q[2]) + end.v[1] * std::sin(end.q[2]);
  EXPECT_NEAR(u, 1.3295511162925922, 1e-10);
  EXPECT_NEAR(end.v[2], 0.62115623101768655, 1e-10);
}

TEST(Histories, AppellAndHamelsParticleFallsAtAnAccelerationOfItsOwn) {
  // ẋ² + ẏ² = a²ż², nonlinear in the velocities: z̈ = −g/(1 + a²)
  const double a = 0.7, g = 9.81;
  RobotDescription robot = particle(2);
  Link bridge;
  bridge.name = "bridge";
  robot.links.push_back(bridge);
  Joint y = turning("y", "carrier", "bridge", Vec3<>::Zero(), y_axis);
  y.type = JointType::prismatic;
  robot.joints.push_back(y);
  robot.joints[1].parent = "bridge";
  System system(build_model(robot));
  const auto speed = [&](const char* joint) {
    return Quantity::speed(system.model, system.model.bodies()[system.model.joint(joint)].v);
  };
  system.constrain("cone", std::make_shared<JetEquation>(std::vector{speed("x"), speed("y"), speed("z")},
                                                         [a](std::span<const Jet> w, const Jet&) {
                                                           return w[0] * w[0] + w[1] * w[1] - w[2] * w[2] * (a * a);
                                                         }));
  VecX<> v(3);
  const auto index = [&](const char* joint) { return system.model.bodies()[system.model.joint(joint)].v; };
  v[index("z")] = -1;
  v[index("x")] = 0.7 * 0.6;
  v[index("y")] = 0.7 * 0.8;
  const State end = adaptive_end(system, State(0, VecX<>::Zero(3), v), 2);
  EXPECT_NEAR(end.q[index("z")], -2 - g / (1 + a * a) * 2, 1e-9);
  EXPECT_NEAR(std::hypot(end.v[index("x")], end.v[index("y")]), -a * end.v[index("z")], 1e-12);
}

// A ball (the only body) rolls on a table that turns about z: ẋ − r ω_y = −Ω y,  ẏ + r ω_x = Ω x.
class Roll final : public VelocityConstraint<Roll> {
 public:
  Roll(double r, double omega) : r_(r), omega_(omega) {}
  int rows() const override { return 2; }
  std::span<const int> bodies() const override { return {&body_, 1}; }
  double row_scale(int) const override { return 1; }
  void evaluate(const Movement<double>& now, Rows& out) const override {
    const Vec6<>& V = now.kin.motion[0].V;
    const Vec3<>& p = now.kin.bodies[0].X_WB.p;
    out.phi.setZero();
    out.rate << V[3] - r_ * V[1] + omega_ * p.y(), V[4] + r_ * V[0] - omega_ * p.x();
    out.b << -omega_ * V[4], omega_ * V[3];
    out.wrench(0, 0) << 0, -r_, 0, 1, 0, 0;
    out.wrench(0, 1) << r_, 0, 0, 0, 1, 0;
  }
  template <class Scalar>
  void law(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    const Vec6<Scalar>& V = now.kin.motion[0].V;
    const Vec3<Scalar>& p = now.kin.bodies[0].X_WB.p;
    out[0] = V[3] - V[1] * r_ + p[1] * omega_;
    out[1] = V[4] + V[0] * r_ - p[0] * omega_;
  }

 private:
  int body_ = 0;
  double r_, omega_;
};

TEST(Histories, ABallOnATurntableMovesOnACircleAtTwoSeventhsOfItsSpeed) {
  // the centre's velocity turns at 2/7 Ω: after a full turn of it the ball is where it was
  const double turntable = 3, radius = 0.1, m = 2;
  RobotDescription robot;
  robot.name = "ball";
  Link ball;
  ball.name = "ball";
  ball.mass = m;
  const double I = 0.4 * m * radius * radius;
  ball.inertia = {I, I, I};
  robot.links = {ball};
  Joint joint;
  joint.name = "free";
  joint.type = JointType::floating;
  joint.parent = "world";
  joint.child = "ball";
  robot.joints = {joint};
  System system(build_model(robot));
  const BodyPoint centre(system.model.frame("ball"));
  system.constrain("table", std::make_shared<PointOnPlane>(centre, BodyPoint(world, Vec3<>(0, 0, radius)), z_axis));
  system.constrain("roll", std::make_shared<Roll>(radius, turntable));
  VecX<> q = neutral_configuration(system.model), v = VecX<>::Zero(6);
  q.head(3) << 0.5, 0, radius;
  v[0] = 0.2;
  v[4] = 0.2 / radius;              // ẋ = r ω_y − Ω y
  v[3] = turntable * 0.5 / radius;  // ẏ + r ω_x = Ω x with ẏ = 0
  const State end = adaptive_end(system, State(0, q, v), 2 * pi / (2.0 / 7 * turntable));
  EXPECT_LT((end.q.head(3) - q.head(3)).norm(), 1e-9);
  const State half = adaptive_end(system, State(0, q, v), pi / (2.0 / 7 * turntable));
  EXPECT_NEAR(half.v[0], -0.2, 1e-9);
}

TEST(Histories, FrictionOnARingSlowsABeadByItsLogarithm) {
  const double mu = 0.3, R = 0.8, v0 = 2;
  RobotDescription robot = particle(1.5);
  System system(build_model(robot, Vec3<>::Zero()));
  system.constrain("ring", std::make_shared<Distance>(BodyPoint(), BodyPoint(system.model.frame("bob")), R));
  NamedConstraint& ring = system.constraints.back();
  ring.working = std::make_shared<CoulombFriction>(*ring.law, mu, BodyPoint(system.model.frame("bob")), world, 1e-9);
  for (const double t : {0.5, 2.0}) {
    const State end = adaptive_end(system, State(0, Eigen::Vector2d(R, 0), Eigen::Vector2d(0, v0)), t);
    EXPECT_NEAR(end.v.norm(), v0 / (1 + mu * v0 * t / R), 1e-10);
    const double angle = std::log(1 + mu * v0 * t / R) / mu;
    EXPECT_NEAR(std::remainder(std::atan2(end.q[1], end.q[0]) - angle, 2 * pi), 0, 1e-10);
  }
}

TEST(Histories, ATetheredSatelliteLibratesAtRootThreeInThePlaneOfItsOrbitAndAtTwiceItsRateAcross) {
  // beside a heavy body on a circular orbit n, in the frame that goes round with it: x outwards; weight and centrifugal
  // force linearised (Hill), since the tether is short. z along the orbit, then across it.
  const double n = 0.4, d = 0.01, m = 1.5, swing = 1e-4;
  for (const bool in_plane : {true, false}) {
    System system(build_model(particle(m), Vec3<>::Zero()));
    system.constrain("tether", std::make_shared<Distance>(BodyPoint(), BodyPoint(system.model.frame("bob")), d));
    system.apply("Hill", std::make_shared<FunctionForce>([=](const Movement<double>& now, VecX<>& tau) {
                   tau[0] += m * (3 * n * n * now.q[0] + (in_plane ? 2 * n * now.v[1] : 0));
                   tau[1] += m * (in_plane ? -2 * n * now.v[0] : -n * n * now.q[1]);
                 }));
    const double period = 2 * pi / (in_plane ? std::sqrt(3) * n : 2 * n);
    const State start(0, Eigen::Vector2d(d * std::cos(swing), d * std::sin(swing)), VecX<>::Zero(2));
    const State quarter = adaptive_end(system, start, period / 4), whole = adaptive_end(system, start, period);
    // the period grows by swing²/16 of itself, and no more
    EXPECT_NEAR(std::atan2(quarter.q[1], quarter.q[0]), 0, 1e-6 * swing);
    EXPECT_NEAR(std::atan2(whole.q[1], whole.q[0]), swing, 1e-6 * swing);
  }
}

}  // namespace
}  // namespace trammel
