// Rolling on curved ground, gears, racks and directions, against closed forms.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Scenario scenario_of_kind(const std::string& text) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots");
}

Recording run_of_kind(const std::string& text) {
  const Scenario scenario = scenario_of_kind(text);
  Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_TRUE(run.energy.is_good()) << run.energy.what;
  return std::move(run.recording);
}

constexpr double gravity_of_kinds = 9.81;
const std::string precise = "simulate: {duration: 5 s, integrator: dop8, tolerance: 1e-13}\n";

// A solid ball inside an upright pipe, its centre at a from the axis, goes round at Ω: with ω_ρ, its spin about the radius, from
// ω̇_ρ = Ω ż/r and 7/5 z̈ = −g − 2/5 r Ω ω_ρ comes z̈ = −2/7 Ω² (z − z₀) − 5/7 g where it starts without that spin.
TEST(RollsInside, ABallInAnUprightPipeDoesNotFall) {
  const double a = 0.4, Omega = 5, up = 0.3;
  const Recording out = run_of_kind(R"yaml(
constants: {r: 0.1, a: 0.4, turn: 5}
bodies: {ball: {mass: 3, inertia: [0.4*3*r^2, 0.4*3*r^2, 0.4*3*r^2]}}
joints: [{name: free, floating: true, from: world, to: ball}]
constraints: [{name: pipe, rolls: ball, radius: r, shape: sphere, inside: {cylinder: {radius: 0.5}}}]
initial:
  q: {free: [a, 0, 0, 1, 0, 0, 0]}
  v: {free: [0, a*turn, 0.3, 0, 0.3/r, -a*turn/r]}
record: {frames: [ball]}
)yaml" + precise);
  const double w = std::sqrt(2.0 / 7) * Omega, mean = -5.0 / 7 * gravity_of_kinds / (w * w);
  for (int row = 0; row < out.rows(); ++row) {
    const double t = out(row, "t");
    EXPECT_NEAR(out(row, "ball.z"), mean * (1 - std::cos(w * t)) + up / w * std::sin(w * t), 1e-10);
    EXPECT_NEAR(out(row, "ball.x"), a * std::cos(Omega * t), 1e-10);
    EXPECT_NEAR(out(row, "lambda.pipe[0]"), 3 * a * Omega * Omega, 1e-8);
  }
}

// On a table that turns at Ω the centre of a ball circles at 2/7 Ω.
TEST(Rolls, ABallOnAMovingTurntableCirclesAtTwoSeventhsOfItsRate) {
  const double Omega = 3, w = 2.0 / 7 * Omega;
  const Recording out = run_of_kind(R"yaml(
constants: {r: 0.1, turn: 3}
bodies:
  ball: {mass: 2, inertia: [0.4*2*r^2, 0.4*2*r^2, 0.4*2*r^2]}
  table: {mass: 5, inertia: [1, 1, 1]}
joints:
  - {name: free, floating: true, from: world, to: ball}
  - {name: axle, revolute: z, from: world, to: table}
constraints:
  - {name: contact, rolls: ball, radius: r, shape: sphere, on: {plane: {of: table}}}
  - {name: drive, equation: v(axle) = turn}
initial:
  q: {free: [0.5, 0, r, 1, 0, 0, 0]}
  v: {free: [0.2, 0, 0, turn*0.5/r, 0.2/r, 0.7], axle: turn}
record: {frames: [ball]}
)yaml" + precise);
  // p̈ = w z × ṗ
  const double v0 = out(0, "v.free[0]"), u0 = out(0, "v.free[1]");
  for (int row = 0; row < out.rows(); ++row) {
    const double t = out(row, "t"), s = std::sin(w * t), c = std::cos(w * t);
    EXPECT_NEAR(out(row, "ball.x"), 0.5 + (v0 * s - u0 * (1 - c)) / w, 1e-10);
    EXPECT_NEAR(out(row, "ball.y"), (v0 * (1 - c) + u0 * s) / w, 1e-10);
  }
}

// In a bowl: 7/10 m v² = m g (ϱ − r)(cos θ − cos θ₀), through the bottom and up the other side; on a dome likewise.
TEST(Rolls, ABallInABowlAndOnADomeHasTheSpeedOfItsHeight) {
  const auto text = [](const char* ground, const char* start) {
    return std::string(R"yaml(
constants: {r: 0.1}
bodies: {ball: {mass: 2, inertia: [0.4*2*r^2, 0.4*2*r^2, 0.4*2*r^2]}}
joints: [{name: free, floating: true, from: world, to: ball}]
)yaml") + "constraints: [{name: contact, rolls: ball, radius: r, shape: sphere, " +
           ground + "}]\n" + start + "record: {frames: [ball], velocities: [ball]}\n" +
           "simulate: {duration: 0.6 s, integrator: dop8, tolerance: 1e-13}\n";
  };
  const auto expect_speeds = [](const Recording& out) {
    const double top = out(0, "ball.z");
    for (int row = 0; row < out.rows(); ++row) {
      const double square = std::pow(out(row, "ball.vx"), 2) + std::pow(out(row, "ball.vz"), 2);
      EXPECT_NEAR(square, 10.0 / 7 * gravity_of_kinds * (top - out(row, "ball.z")), 1e-10);
      EXPECT_NEAR(std::hypot(out(row, "ball.x"), out(row, "ball.z")), std::hypot(out(0, "ball.x"), top), 1e-12);
      EXPECT_NEAR(out(row, "ball.y"), 0, 1e-12);
    }
  };
  const Recording bowl = run_of_kind(
      text("inside: {sphere: {radius: 0.5}}", "initial: {q: {free: [0.4*sin(1), 0, -0.4*cos(1), 1, 0, 0, 0]}}\n"));
  expect_speeds(bowl);
  EXPECT_LT(bowl["ball.x"].minCoeff(), -0.2);
  expect_speeds(run_of_kind(
      text("on: {sphere: {radius: 0.3}}", "initial: {q: {free: [0.4*sin(0.3), 0, 0.4*cos(0.3), 1, 0, 0, 0]}}\n")));
  expect_speeds(run_of_kind(text("on: {cylinder: {radius: 0.3, along: y}}",
                                 "initial: {q: {free: [0.4*sin(0.3), 0, 0.4*cos(0.3), 1, 0, 0, 0]}}\n")));
}

// A motor of inertia J on a wheel of inertia I through i : 1, beside a rack of mass m: (J i² + I + m r²) θ̈ = i u.
TEST(Gears, AndRacksCarryInertiaByTheSquareOfTheirRatio) {
  const double J = 0.002, I = 0.3, m = 4, i = -12, r = 0.05, u = 0.7;
  const Recording out = run_of_kind(R"yaml(
bodies:
  rotor: {mass: 1, inertia: [1, 1, 0.002]}
  wheel: {mass: 1, inertia: [1, 1, 0.3]}
  bar: {mass: 4}
joints:
  - {name: motor, revolute: z, from: world, to: rotor}
  - {name: arm, revolute: z, from: world, to: wheel}
  - {name: slide, prismatic: x, from: world, to: bar}
constraints:
  - {name: gear, gear: [motor, arm], ratio: -12, offset: start(motor + 12*arm)}
  - {name: teeth, rack: [slide, arm], radius: 50 mm, offset: 0.01}
forces: [{joint: motor, torque: 0.7}]
initial: {q: {motor: 0.3, arm: 0.2}, assemble: {keep: [motor, arm]}}
simulate: {duration: 1 s, tolerance: 1e-12}
)yaml");
  const double a = i * u / (J * i * i + I + m * r * r);
  for (int row = 0; row < out.rows(); ++row) {
    const double t = out(row, "t"), arm = 0.2 + a * t * t / 2;
    EXPECT_NEAR(out(row, "q.arm"), arm, 1e-11);
    EXPECT_NEAR(out(row, "q.motor"), 0.3 + i * (arm - 0.2), 1e-10);
    EXPECT_NEAR(out(row, "q.slide"), r * arm + 0.01, 1e-12);
    EXPECT_NEAR(out(row, "lambda.teeth"), m * r * a, 1e-10);
  }
}

TEST(Orientation, AnAxisGoesAlongAnAxisOfTheWorldByItsName) {
  const auto at = [](const char* along) {
    const Scenario scenario = scenario_of_kind(
        std::string("robot: {file: two-link.urdf, base: floating}\nconstraints: [{name: down, orientation: tip, axis: "
                    "x, along: ") +
        along + "}]\n");
    Kinematics<> kin(scenario.system.model);
    kinematics<double>(scenario.system.model, scenario.start.q, scenario.start.v, kin);
    const Frame& tip = scenario.system.model.frame("tip");
    return Vec3<>((kin.bodies[tip.body].X_WB.R * tip.X_BF.R).col(0));
  };
  EXPECT_LT((at("-z") + Vec3<>::UnitZ()).norm(), 1e-10);
  EXPECT_LT((at("y") - at("[0, 2, 0]")).norm(), 1e-10);
}

TEST(Shapes, StandAboutTheMassCentreWithTheColorsOfTheirBodies) {
  const Scenario scenario = scenario_of_kind(R"yaml(
constants: {l: 0.4}
bodies:
  bell:
    mass: 3
    com: [0, 0, l/2]
    inertia: [0.1, 0.1, 0.1]
    shape:
      - {cylinder: [10 mm, l], color: steel}
      - {sphere: 0.06, at: {xyz: [0, 0, l]}}
      - {capsule: [0.01, 0.2], along: x}
    color: [1, 0.5, 0, 0.3]
  block: {mass: 1, shape: {box: [1, 2, 3]}}
joints:
  - {name: ball, spherical: true, from: world, to: bell}
  - {name: slide, prismatic: x, from: world, to: block}
)yaml");
  const std::span<const BodyVisual> shown = scenario.system.model.visuals();
  ASSERT_EQ(shown.size(), 4u);
  EXPECT_EQ(std::get<Cylinder>(shown[0].visual.shape).radius, 0.01);
  EXPECT_EQ(shown[0].visual.at.p, Vec3<>(0, 0, 0.2));
  EXPECT_EQ((*shown[0].visual.color)[3], 1);
  EXPECT_EQ(std::get<Sphere>(shown[1].visual.shape).radius, 0.06);
  EXPECT_EQ(shown[1].visual.at.p, Vec3<>(0, 0, 0.4));
  EXPECT_EQ(*shown[1].visual.color, (std::array{1.0, 0.5, 0.0, 0.3}));
  EXPECT_EQ(std::get<Capsule>(shown[2].visual.shape).length, 0.2);
  EXPECT_LT((shown[2].visual.at.R.col(2) - Vec3<>::UnitX()).norm(), 1e-15);
  EXPECT_EQ(std::get<Box>(shown[3].visual.shape).size, Vec3<>(1, 2, 3));
  EXPECT_FALSE(shown[3].visual.color);
}

}  // namespace
}  // namespace trammel
