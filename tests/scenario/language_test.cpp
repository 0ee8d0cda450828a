#include <gtest/gtest.h>

#include "trammel/motion/tree_motion.h"
#include "trammel/scenario/scenario.h"

// Every line by which the language was first described, on one robot that has all the names in it: each is read, has the rows
// that it should have, and gives an equation of motion. docs/scenario.md has whole scenarios, which run.

namespace trammel {
namespace {

constexpr const char* robot = R"(
constants: {r: 50 mm, w: 0.4*pi}
bodies:
  arm: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
  fore: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
  hand: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}
  disc: {mass: 1, inertia: [0.01, 0.01, 0.02]}
  skate: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: q1, revolute: z, from: world, to: arm}
  - {name: q2, revolute: y, from: arm, to: fore, at: {xyz: [0.4, 0, 0]}}
  - {name: q3, spherical: true, from: fore, to: hand, at: {xyz: [0.4, 0, 0]}}
  - {name: body, floating: true, from: world, to: disc, at: {rpy: [90 deg, 0, 0]}}
  - {name: wheel, revolute: z, from: disc, to: skate, at: {xyz: [0, 0, 0.1]}}
frames:
  tool: {on: hand, at: {xyz: [0.1, 0, 0]}}
  root1: {on: arm}
  tip1: {on: fore, at: {xyz: [0.4, 0, 0]}}
  tip2: {on: hand}
  tip3: {on: disc}
  pin_a: {on: hand}
  pin_b: {on: disc}
  handle: {on: skate}
  p: {on: fore}
  s: {on: disc, at: {xyz: [0.1, 0.2, 0]}}
initial: {q: {q1: 20 deg, q2: -30 deg, body: [0.3, 0.2, 0.1, 1, 0, 0, 0]}, assemble: false}
simulate: {duration: 1, drift: none}
)";

struct Line {
  const char* text;
  int rows;
};

const Line constraints[] = {
    {"{name: path,     point: tool, x: r*sin(w*t), y: 0.35 + r*cos(w*t), z: 0.02*t}", 3},
    {"{name: base 1,   point: root1, x: 0, y: 0.25}", 2},
    {"{name: tips,     coincide: [tip1, tip2, tip3], axes: xy}", 4},
    {"{name: loop,     hinge: [pin_a, pin_b]}", 5},
    {"{name: grip,     weld: [hand, handle]}", 6},
    {"{name: rod,      distance: [p, s], length: 0.4}", 1},
    {"{name: rod,      distance: [p, s], length: 0.4 + 0.1*sin(t)}", 1},
    {"{name: heading,  equation: q1 + q2 = 0}", 1},
    {"{name: gear,     equation: q2 = -3*q1}", 1},
    {"{name: speed,    equation: v(wheel) = 3}", 1},
    {"{name: steer,    equation: tool.vx = 0.1*tool.y}", 1},
    {"{name: attitude, orientation: tool, zyz: [0, pi/6, 0.2*t]}", 3},
    {"{name: attitude, orientation: tool, rpy: [0, pi/6, 0.2*t]}", 3},
    {"{name: attitude, orientation: tool, axis: z, along: [0, 0, 1]}", 2},
    {"{name: table,    point: tool, on: {plane: {through: [0, 0, 0.3], normal: [0, 0, 1]}}}", 1},
    {"{name: table,    point: tool, on: {line: {through: [0, 0, 0.3], along: [0, 0, 1]}}}", 2},
    {"{name: table,    point: tool, on: {cylinder: {radius: 0.2}}}", 1},
    {"{name: table,    point: tool, on: {sphere: {radius: 0.2}}}", 1},
    {"{name: wheel,    rolls: disc, radius: 0.2, on: {plane: {}}}", 3},
    {"{name: blade,    knife_edge: skate}", 1},
    {"{name: gear,     equation: q2 = -3*q1, scale: 0.1 m, baumgarte: {alpha: 10, beta: 25}}", 1},
    {"{name: table,    point: tool, on: {plane: {}}, friction: 0.2}", 1},
    {"{name: stroke,   point: tip1, x: start - 0.01 + 0.01*cos(t), y: start}", 2},
    {"{name: hold,     equation: q1 = start(q1) + 0.1*minjerk(t)}", 1},
};

Scenario with(const std::string& more) { return read_scenario_text(std::string(robot).append(more), "language.yaml"); }

int row_count(const Scenario& scenario) {
  int rows = 0;
  for (const NamedConstraint& constraint : scenario.system.constraints) rows += constraint.law->rows();
  return rows;
}

TEST(Language, EveryConstraintOfItsDescriptionHasItsRowsAndAMotion) {
  for (const char* layer : {"constraints", "control"})
    for (const Line& line : constraints) {
      const Scenario scenario = with(std::string(layer).append(": [").append(line.text).append("]\n"));
      EXPECT_EQ(row_count(scenario), line.rows) << line.text;
      const Motion motion = solve_motion(scenario.system, scenario.start.q, scenario.start.v);
      EXPECT_TRUE(has_motion(motion.status)) << layer << ' ' << line.text << ' ' << name_of(motion.status);
    }
}

TEST(Language, EveryForceOfItsDescriptionIsTaken) {
  for (const char* line : {"{joint: q1, torque: 0.1*cos(pi*t)}", "{point: tip1, force: [0, -5, 0]}",
                           "{spring: [p, s], stiffness: 800, damping: 5, length: 0.2}"})
    EXPECT_EQ(with(std::string("forces: [").append(line).append("]\n")).system.forces.size(), 1u) << line;
  EXPECT_EQ(with("actuators: [{joint: q1, limit: 2, weight: 1}]\n").system.actuators.size(), 1u);
  const Scenario led = with("motion: {q1: pi/2*cycloid(t/5), q2: -pi/3*cycloid(t/5)}\n");
  for (const int i : {0, 1}) EXPECT_EQ(led.system.constraints[i].leads, i);
}

}  // namespace
}  // namespace trammel
