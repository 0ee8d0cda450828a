#include "trammel/scenario/scenario.h"
#include "support/scratch_folder.h"

#include <filesystem>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "support/paper_systems.h"
#include "trammel/model/configuration.h"
#include "trammel/model/positions.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

const std::string source = TRAMMEL_SOURCE_DIR, robots = source + "/robots";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scenario_text(text, "test.yaml", robots, overrides);
}

// A slider on x, a turning arm on it, a free ball: the frames `hand` (on the arm, turned and 0.5 m out), `ball`, `peg`.
const std::string mechanism = R"(
bodies:
  slider: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.2, 0.2]}
  ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: s, prismatic: x, from: world, to: slider}
  - {name: a, revolute: z, from: slider, to: arm, at: {xyz: [0, 0, 1]}}
  - {name: free, floating: true, from: world, to: ball}
frames:
  hand: {on: arm, at: {xyz: [500 mm, 0, 0], rpy: [0, 90 deg, 0]}}
  peg: {on: world, at: {xyz: [0.1, 0.2, 0.3]}}
initial: {assemble: false}
simulate: {duration: 1, drift: none}
)";

// φ of the constraint at s = 0.2, a = 0.4 and the ball at (0.3, −0.1, 0.6), turned by 0.5 about z; t = 0.7.
struct Somewhere {
  double s = 0.2, a = 0.4, turn = 0.5, t = 0.7;
  Vec3<> ball{0.3, -0.1, 0.6};
  Vec3<> hand() const { return {s + 0.5 * std::cos(a), 0.5 * std::sin(a), 1}; }
};
VecX<> phi_of(const std::string& constraint) {
  const Scenario scenario = read(mechanism + "constraints:\n  - {name: c, " + constraint + "}\n");
  const Somewhere at;
  VecX<> q = neutral_configuration(scenario.system.model);
  q << at.s, at.a, at.ball, std::cos(at.turn / 2), 0, 0, std::sin(at.turn / 2);
  return position_errors(scenario.system, q, at.t);
}

void expect_phi(const std::string& constraint, const std::vector<double>& expected) {
  const VecX<> phi = phi_of(constraint);
  ASSERT_EQ(phi.size(), static_cast<int>(expected.size())) << constraint;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(phi[static_cast<int>(i)], expected[i], 1e-14) << constraint;
}

TEST(ScenarioConstraints, MeanWhatTheySay) {
  const Somewhere at;
  const Vec3<> h = at.hand(), b = at.ball;
  expect_phi("point: hand, y: 2*t, x: 0.1", {h.x() - 0.1, h.y() - 1.4});
  expect_phi("point: hand, x: 0.1 + s, z: t", {h.x() - 0.1 - at.s, h.z() - at.t});
  expect_phi("point: ball, in: peg, z: t", {b.z() - 0.3 - at.t});
  expect_phi("coincide: [hand, ball], axes: zx", {b.z() - h.z(), b.x() - h.x()});
  expect_phi("coincide: [hand, ball, peg], axes: y", {b.y() - h.y(), 0.2 - h.y()});
  expect_phi("distance: [hand, ball], length: 40 mm", {(h - b).norm() - 0.04});
  expect_phi("distance: [hand, ball], length: 0.04 + 0.1*t", {(h - b).norm() - 0.04 - 0.07});
  expect_phi("equation: s*a = t", {at.s * at.a - at.t});
  expect_phi("equation: s*a = t, scale: 0.1 m", {0.1 * (at.s * at.a - at.t)});
  expect_phi("point: ball, on: {plane: {through: [0, 0, 0.3], normal: [0, 0, 2]}}", {b.z() - 0.3});
  expect_phi("point: ball, on: {plane: {of: hand}}", {std::cos(at.a) * (b - h).x() + std::sin(at.a) * (b - h).y()});
  expect_phi("point: ball, on: {cylinder: {along: x, radius: 0.2}}", {std::hypot(b.y(), b.z()) - 0.2});
  expect_phi("point: ball, on: {sphere: {center: [1, 0, 0], radius: 0.2}}", {(b - Vec3<>(1, 0, 0)).norm() - 0.2});
  EXPECT_NEAR(phi_of("point: ball, on: {line: {through: [1, 0, 0], along: [0, 1, 0]}}").norm(),
              std::hypot(b.x() - 1, b.z()), 1e-14);
  expect_phi("rolls: ball, shape: sphere, radius: 0.2, on: {plane: {}}", {b.z() - 0.2, 0, 0});
  expect_phi("rolls: ball, axis: x, radius: 0.2, on: {plane: {}}", {b.z() - 0.2, 0, 0});
  expect_phi("knife_edge: ball", {0});
}

TEST(ScenarioConstraints, OfOrientationHoldWhereTheFrameHasIt) {
  expect_phi("orientation: ball, rpy: [0, 0, 0.5]", {0, 0, 0});
  expect_phi("orientation: ball, zyz: [0.2, 0, 0.3]", {0, 0, 0});
  expect_phi("orientation: ball, axis: z, along: [0, 0, 1 + t]", {0, 0});
  // z of the hand is x of the arm, and its x is down
  expect_phi("orientation: hand, rpy: [0, pi/2, 0.4]", {0, 0, 0});
  expect_phi("orientation: hand, rpy: [0.4, pi/2, 0.8]", {0, 0, 0});
  expect_phi("orientation: hand, axis: x, along: [0, 0, -1]", {0, 0});
  // a roll of t = 0.7 besides its own turn about z
  EXPECT_NEAR(phi_of("orientation: ball, rpy: [t, 0, 0.5]")[0], -std::sin(0.7), 1e-14);
}

TEST(ScenarioConstraints, OfSeveralRowsHaveNamesOfTheirOwn) {
  const Scenario scenario = read(mechanism + R"(
constraints: [{name: c, coincide: [hand, ball, peg]}]
control: [{name: d, point: hand, x: s, y: 1}]
)");
  std::vector<std::string> names;
  for (const NamedConstraint& c : scenario.system.constraints) names.push_back(c.name);
  EXPECT_EQ(names, (std::vector<std::string>{"c ball", "c peg", "d x", "d y"}));
  EXPECT_EQ(scenario.system.constraints[1].layer, Layer::physical);
  EXPECT_EQ(scenario.system.constraints[2].layer, Layer::control);
}

TEST(ScenarioConstraints, HaveTheirExtras) {
  const Scenario scenario = read(mechanism + R"(
constraints:
  - {name: c, point: ball, on: {plane: {}}, friction: 0.2, baumgarte: {alpha: 10, beta: 25}, scale: 100 mm}
  - {name: d, equation: v(a) = 3}
)");
  const NamedConstraint& c = scenario.system.constraints[0];
  EXPECT_EQ(c.baumgarte->alpha, 10);
  EXPECT_EQ(c.baumgarte->beta, 25);
  EXPECT_EQ(c.scale, 0.1);
  EXPECT_NE(c.working, nullptr);
  EXPECT_EQ(scenario.system.constraints[1].law->level(0), Level::velocity);
}

const std::string parallel = R"(
robot: parallel.urdf
gravity: [0, 0, 0]
constraints:
  - {name: base1, point: root1, x: 0, y: 0.25}
  - {name: base2, point: root2, x: 0.43, y: 0}
  - {name: base3, point: root3, x: 0.4269, y: 0.5005}
  - {name: tips, coincide: [tip1, tip2, tip3], axes: xy}
control:
  - {name: tracking, point: tip1, x: start - 0.01 + 0.01*cos(t), y: start}
forces: [{joint: qa1, torque: 0.1*cos(pi*t)}]
initial:
  q: {qa1: 1.3015, qb1: -2.1752, ya1: 0.25, qa2: 2.9, qb2: -1.46, xa2: 0.43, qa3: 2.98, qb3: 1.88, xa3: 0.43, ya3: 0.5}
  assemble: {keep: [qa1, qb1]}
simulate: {duration: 0.5 s, tolerance: 1e-11}
)";

// Without the control rows, which the C++ twin does not have.
TEST(ScenarioRuns, MoveTheParallelRobotLikeTheSystemWrittenInCpp) {
  const Scenario scenario = read(parallel, {"control=[]"});
  ASSERT_TRUE(scenario.assembly && scenario.assembly->closed());
  const System twin = test::parallel_driven();
  const VecX<> q = test::parallel_start(twin.model);
  EXPECT_LT((scenario.start.q - q).cwiseAbs().maxCoeff(), 1e-10);
  const State start(0, scenario.start.q, scenario.start.v);
  const Simulation a = simulate(scenario.system, start, scenario.simulate),
                   b = simulate(twin, start, scenario.simulate);
  ASSERT_EQ(a.status, RunStatus::finished);
  EXPECT_GT((a.end.q - start.q).norm(), 1e-3);
  EXPECT_LT((a.end.q - b.end.q).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ScenarioRuns, StartMeansTheAssembledStart) {
  const Scenario scenario = read(parallel, {"forces=[]"});
  ASSERT_TRUE(scenario.assembly && scenario.assembly->closed());
  const System twin = test::parallel_tracking();
  for (const double t : {0.0, 0.4, 2.0}) {
    const VecX<> a = position_errors(scenario.system, scenario.start.q, t),
                 b = position_errors(twin, scenario.start.q, t);
    EXPECT_LT((a.tail(2) - b.tail(2)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(ScenarioRuns, FollowTheHelixLikeTheSystemWrittenInCpp) {
  const Scenario scenario = read_scenario_text(R"(
robot: scara.urdf
constants: {r: 50 mm, w: 0.4*pi}
constraints:
  - {name: circle, point: tool, x: r*sin(w*t), y: 0.35 + r*cos(w*t)}
  - {name: heading, equation: q1 + q2 + q3 = 0}
  - {name: height, point: tool, z: 0.02*t}
initial: {q: {q1: 30 deg, q2: -55 deg, q3: 24 deg}}
simulate: {duration: 1 s, integrator: dop8, tolerance: 1e-11}
)",
                                               "helix.yaml", robots);
  EXPECT_EQ(scenario.name, "helix");
  ASSERT_TRUE(scenario.assembly->closed());
  const System twin = test::scara_on_helix();
  const Simulation a = simulate(scenario.system, scenario.start, scenario.simulate),
                   b = simulate(twin, scenario.start, scenario.simulate);
  ASSERT_EQ(a.status, RunStatus::finished);
  EXPECT_LT((a.end.q - b.end.q).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ScenarioRobots, OfSeveralAreOneModelWithPrefixedNames) {
  const Scenario scenario = read(R"(
robots:
  - {file: two-link.urdf, name: left, at: {xyz: [0, 0.4, 0], rpy: [0, 0, 90 deg]}}
  - {file: two-link.urdf, name: right, base: planar}
frames: {end: {on: left.tip, at: {xyz: [0.1, 0, 0]}}}
initial: {q: {right.base: [1, 2, 0], left.q1: 90 deg}}
)");
  const Model& model = scenario.system.model;
  EXPECT_EQ(model.nv(), 7);
  Positions<> where(model);
  positions<double>(model, scenario.start.q, where);
  const auto place = [&](const char* name) { return BodyPoint(model.frame(name)).position<double>(where); };
  EXPECT_LT((place("right.ground") - Vec3<>(1, 2, 0)).norm(), 1e-15);
  // turned by 180° in all: the arm points to −x
  const double reach = (place("right.tip") - place("right.ground")).norm();
  EXPECT_LT((place("left.tip") - Vec3<>(-reach, 0.4, 0)).norm(), 1e-12);
  EXPECT_LT((place("end") - place("left.tip") - Vec3<>(-0.1, 0, 0)).norm(), 1e-12);
}

TEST(ScenarioRobots, HaveTheirMimicJointsCoupled) {
  const test::ScratchFolder folder;
  folder.write("mimic.urdf", R"(<robot name="m"><link name="base"/>
    <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="p" type="continuous"><parent link="base"/><child link="a"/></joint>
    <joint name="q" type="continuous"><parent link="a"/><child link="b"/><mimic joint="p" multiplier="2"/></joint></robot>)");
  const Scenario scenario =
      read_scenario_text("robot: mimic.urdf\ninitial: {q: {p: 1}, assemble: {keep: [p]}}", "m.yaml", folder.path());
  ASSERT_EQ(scenario.system.constraints.size(), 1u);
  EXPECT_EQ(scenario.system.constraints[0].name, "q");
  EXPECT_NEAR(scenario.start.q[1], 2, 1e-12);
}

TEST(ScenarioStart, AKeptJointStaysInPlaceAndTheMotionSetsItsSpeed) {
  const std::string crank = R"(
bodies: {crank: {mass: 1, com: [0.1, 0, 0]}, slide: {mass: 2}}
joints: [{name: turn, revolute: z, from: world, to: crank}, {name: x, prismatic: x, from: world, to: slide}]
constraints: [{name: yoke, equation: x = 0.2*cos(turn)}]
motion: {turn: 0.5 + 3*t}
)";
  const Scenario set = read(crank + "initial: {q: {turn: 0.5}, assemble: {keep: [turn]}}");
  ASSERT_TRUE(set.assembly->closed()) << set.assembly->text();
  EXPECT_EQ(set.start.q[0], 0.5);
  EXPECT_NEAR(set.start.v[0], 3, 1e-14);
  EXPECT_NEAR(set.start.v[1], -0.6 * std::sin(0.5), 1e-14);
  // a speed that is given is kept, and told where it is not that of the motion: an angle in rad/s
  EXPECT_TRUE(read(crank + "initial: {q: {turn: 0.5}, v: {turn: 3}, assemble: {keep: [turn]}}").assembly->closed());
  const Scenario against = read(crank + "initial: {q: {turn: 0.5}, v: {turn: 1}, assemble: {keep: [turn]}}");
  EXPECT_EQ(against.start.v[0], 1);
  EXPECT_EQ(against.assembly->text().substr(0, 40), "'motion turn' moves apart at 2 rad/s, an");
  // as is a place
  const Scenario off = read(crank + "initial: {q: {turn: 0.25}, assemble: {keep: [turn]}}");
  EXPECT_EQ(off.assembly->text(),
            "'motion turn' is open by 0.25 rad, and what 'keep' holds is the reason: without it the start closes");
}

TEST(ScenarioStart, ThatCannotBeAssembledIsGivenWithItsStatus) {
  const Scenario scenario = read(R"(
robot: two-link.urdf
constraints: [{name: far, point: tip, x: 100}]
forces: [{joint: q1, torque: q1 - start(q1)}]
initial: {q: {q1: 0.3, q2: 0.3}}
)");
  ASSERT_TRUE(scenario.assembly);
  EXPECT_EQ(scenario.assembly->status, AssemblyStatus::out_of_reach);
  EXPECT_EQ(scenario.assembly->open, "far");
}

TEST(ScenarioStart, IsLeftAloneIfAsked) {
  const Scenario scenario = read(R"(
robot: {file: two-link.urdf, base: planar}
constraints: [{name: far, point: tip, x: 100}]
initial: {q: {q1: 30 deg, "base[2]": 0.1}, v: {base: [1, 2, 3]}, assemble: false}
)");
  EXPECT_FALSE(scenario.assemble);
  EXPECT_FALSE(scenario.assembly);
  EXPECT_EQ(scenario.start.q, test::vector({0, 0, 0.1, std::numbers::pi / 6, 0}));
  EXPECT_EQ(scenario.start.v, test::vector({1, 2, 3, 0, 0}));
}

TEST(ScenarioRuns, EveryIntegratorGoesByItsName) {
  for (const Tableau* method : all_methods()) {
    const std::string accuracy = method->adaptive() ? "tolerance: 1e-6" : "step: 1 ms";
    const Scenario scenario = read(R"(
bodies: {bob: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: [{name: x, prismatic: x, from: world, to: bob, stiffness: 4*pi^2}]
initial: {q: {x: 0.1}}
simulate: {duration: 1 s, integrator: )" +
                                   std::string(method->name) + ", " + accuracy + "}\n");
    EXPECT_EQ(scenario.simulate.method, method);
    const Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
    ASSERT_EQ(run.status, RunStatus::finished) << method->name << ": " << run.what;
    // back after its period; Euler's swings grow by exp(ω²h/2), 2 %
    EXPECT_NEAR(run.end.q[0], 0.1, method->order == 1 ? 3e-3 : 3e-5) << method->name;
  }
}

TEST(ScenarioRuns, HaveTheirOptions) {
  const Scenario scenario = read(R"(
robot: two-link.urdf
motion: {q1: start + t}
actuators: [{joint: q1, limit: 2, weight: 3}]
initial: {q: {q1: 0.5}}
simulate:
  duration: 2 s
  integrator: semi-implicit
  step: 2 ms
  drift: {baumgarte: {alpha: 5, beta: 6}}
  limits: stop
record: {every: 20 ms, frames: [tip]}
plots: [{title: Both, columns: [q.q1, q.q2]}, {columns: [energy]}]
)");
  const SimulateOptions& run = scenario.simulate;
  EXPECT_EQ(run.duration, 2);
  EXPECT_EQ(run.method, &semi_implicit);
  EXPECT_EQ(run.step, 0.002);
  EXPECT_EQ(run.drift.kind, Drift::baumgarte);
  EXPECT_EQ(run.drift.gains.alpha, 5);
  EXPECT_EQ(run.drift.gains.beta, 6);
  EXPECT_EQ(run.limits, LimitRule::stop);
  EXPECT_EQ(run.record_every, 0.02);
  EXPECT_EQ(run.frames, std::vector<std::string>{"tip"});
  EXPECT_EQ(scenario.plots[0].title, "Both");
  EXPECT_EQ(scenario.plots[1].title, "energy");
  EXPECT_EQ(scenario.system.constraints[0].leads, 0);
  EXPECT_EQ(scenario.system.constraints[0].name, "motion q1");
  EXPECT_NEAR(position_errors(scenario.system, scenario.start.q, 1.0)[0], -1, 1e-15);
  EXPECT_NEAR(scenario.start.v[0], 1, 1e-14);
  EXPECT_EQ(scenario.system.actuators[0].limit, 2);
  EXPECT_EQ(scenario.system.actuators[0].weight, 3);
}

// Wheels on a body that cannot leave the floor: their height rows hold by themselves, and all that their columns have is
// rounding, which must not pass for a direction in which to project.
TEST(ScenarioRuns, ARowThatHoldsByItselfIsNotProjectedAlong) {
  const Scenario scenario = read(R"(
constants: {r: 0.1, w: 0.4*pi}
bodies:
  hull: {mass: 10, inertia: [0.2, 0.3, 0.4]}
  left wheel: {mass: 1, inertia: [0.0025, 0.0025, 0.005]}
  right wheel: {mass: 1, inertia: [0.0025, 0.0025, 0.005]}
joints:
  - {name: floor, planar: z, from: world, to: hull, at: {xyz: [0, 0, r]}}
  - {name: left motor, revolute: z, from: hull, to: left wheel, at: {xyz: [0, 0.2, 0], rpy: [-90 deg, 0, 0]}}
  - {name: right motor, revolute: z, from: hull, to: right wheel, at: {xyz: [0, -0.2, 0], rpy: [-90 deg, 0, 0]}}
frames:
  nose: {on: hull, at: {xyz: [0.2, 0, 0]}}
constraints:
  - {name: left tyre, rolls: left wheel, radius: r, on: {plane: {}}}
  - {name: right tyre, rolls: right wheel, radius: r, on: {plane: {}}}
control:
  - {name: eight, point: nose, x: 2*sin(w*t), y: sin(2*w*t)}
initial:
  q: {floor: [-0.14, -0.14, 45 deg]}
simulate: {duration: 10 s}
)");
  const Simulation run = simulate(scenario.system, scenario.start, scenario.simulate);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  EXPECT_LT(run.worst_phi, 1e-13);
  const VecX<> balance = run.recording["energy"] - run.recording["work"];
  EXPECT_LT(balance.maxCoeff() - balance.minCoeff(), 1e-6);  // J; a tolerance of 1e-10 on 25 J over 10 s
}

// A body in a tilted plane: its height over that plane cannot change, and a row that says so has no force.
TEST(ScenarioConstraints, ThatHoldByThemselvesHaveNoRank) {
  const Scenario scenario = read(R"(
bodies: {bar: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1]}}
joints: [{name: tilted, planar: z, from: world, to: bar, at: {xyz: [0.1, 0.7, 0.3], rpy: [37 deg, 23 deg, 11 deg]}}]
frames:
  ground: {on: world, at: {xyz: [0.1, 0.7, 0.3], rpy: [37 deg, 23 deg, 11 deg]}}
  tip: {on: bar, at: {xyz: [0.9, 0.2, 0]}}
constraints: [{name: height, point: tip, in: ground, z: 0}]
initial: {q: {tilted: [0.2, 0.3, 0.4]}}
)");
  const Motion motion = solve_motion(scenario.system, scenario.start.q, scenario.start.v);
  EXPECT_EQ(motion.rank, 0);
  EXPECT_LT(motion.Qc.norm(), 1e-12);
}

TEST(ScenarioOverrides, TakeThePlaceOfValues) {
  const Scenario scenario =
      read("robot: two-link.urdf\nconstraints: [{name: a.b, point: tip, x: 1}]",
           {"simulate.duration=5 s", "constraints.`a.b`.x=0.5", "initial.q.q1=30 deg", "initial.assemble=false",
            "constraints.0.scale=3", "simulate={step: 1, duration: 7, drift: none}"});
  EXPECT_EQ(scenario.simulate.duration, 7);
  EXPECT_EQ(scenario.simulate.step, 1);
  EXPECT_EQ(scenario.system.constraints[0].scale, 3);
  EXPECT_NEAR(scenario.start.q[0], std::numbers::pi / 6, 1e-15);
}

TEST(ScenarioOverrides, FindItemsByNamesWithDots) {
  const Scenario scenario = read(
      "robots: [{file: two-link.urdf, name: left}, {file: two-link.urdf, name: right}]\n"
      "actuators: [{joint: left.q1}, {joint: left.q2}]\n",
      {"actuators.left.q2.limit=3", "actuators.`left.q1`.limit=2"});
  EXPECT_EQ(scenario.system.actuators[0].limit, 2);
  EXPECT_EQ(scenario.system.actuators[1].limit, 3);
}

}  // namespace
}  // namespace trammel
