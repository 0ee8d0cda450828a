#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "command.h"

// Small scenarios on which the program once lost a person's work (it looped without end, or crashed) or told less than it must.

namespace trammel::test {
namespace {

namespace fs = std::filesystem;

// With a minute at most, which none comes near to.
struct Case {
  ScratchFolder scratch;
  Outcome outcome;

  Case(const std::string& verb, const std::string& text)
      : outcome(shell("timeout 60 $trammel " + verb + " " + scratch.write("case.yaml", text) + " --out " +
                      (scratch.path() / "out").string() + " 2>&1")) {}
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(content(scratch.path() / "out" / name));
  }
  bool has(const std::string& name) const { return fs::exists(scratch.path() / "out" / name); }
};

TEST(Cases, AForceThatIsConstantButForRoundingIsDrawn) {
  const Case lift("run", R"(
bodies: {cabin: {mass: 121}}
joints: [{name: z, prismatic: z, from: world, to: cabin}]
constraints: [{name: rope, distance: [world, cabin], length: 3 + 0.7*t}]
initial: {q: {z: -3}}
simulate: {duration: 1}
)");
  EXPECT_EQ(lift.outcome.exit_code, 0) << lift.outcome.out;
  EXPECT_NEAR(lift.json("summary.json")["constraints"][0]["peak_force"]["value"], 121 * 9.81, 1e-9);
  EXPECT_TRUE(lift.has("constraint-forces.svg"));
}

TEST(Cases, ATorqueThatIsConstantButForRoundingIsDrawn) {
  const Case arm("torques", R"(
bodies: {arm: {mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}}
joints: [{name: q, revolute: z, from: world, to: arm, damping: 0.3}]
motion: {q: 1.7*t}
actuators: [{joint: q}]
simulate: {duration: 2}
)");
  EXPECT_EQ(arm.outcome.exit_code, 0) << arm.outcome.out;
  EXPECT_NEAR(arm.json("torques.json")["motors"][0]["peak_torque"]["value"], 0.3 * 1.7, 1e-12);
  EXPECT_TRUE(arm.has("torques.svg"));
}

TEST(Cases, AnAxisWhoseEndsDifferByOneRoundingHasTicks) {
  const Case hold("run", R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a}]
constraints: [{name: hold, equation: x = 1}]
forces: [{joint: x, force: 1e9 + 1e-7*t}]
initial: {q: {x: 1}}
simulate: {duration: 1}
)");
  EXPECT_EQ(hold.outcome.exit_code, 0) << hold.outcome.out;
  EXPECT_TRUE(hold.has("constraint-forces.svg"));
}

TEST(Cases, AGradientThatVanishesAtTheStartEndsInTime) {
  const Case parabola("run", R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a}]
constraints: [{name: c, equation: x^2 = t^2}]
initial: {q: {x: 0}, v: {x: 1}}
simulate: {duration: 1}
)");
  const int code = parabola.outcome.exit_code;
  EXPECT_TRUE(code == 0 || ((code == 1 || code == 2) && parabola.outcome.out.find("'c'") != std::string::npos))
      << parabola.outcome.exit_code << '\n'
      << parabola.outcome.out;
}

TEST(Cases, AComparisonOfARunWithoutRowsTellsWhatTheRunTells) {
  const std::string text = R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a}]
constraints: [{name: c, equation: x = t}]
forces: [{joint: x, force: 1/t}]
simulate: {duration: 1}
)";
  for (const char* verb : {"run", "compare"}) {
    const Case broken(verb, text);
    EXPECT_EQ(broken.outcome.exit_code, 2) << broken.outcome.out;
    EXPECT_NE(
        broken.outcome.out.find("trammel: the run ended early, not a number: t = 0 s: not a finite number: force"),
        std::string::npos)
        << broken.outcome.out;
  }
}

TEST(Cases, AControlMayBeCalledLikeALedJoint) {
  const std::string text = R"(
bodies:
  l1: {mass: 1, com: [0.4, 0, 0], inertia: [0, 0.0533, 0.0533]}
  l2: {mass: 1, com: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}
joints:
  - {name: q1, revolute: z, from: world, to: l1}
  - {name: q2, revolute: z, from: l1, to: l2, at: {xyz: [0.8, 0, 0]}}
frames: {tool: {on: l2, at: {xyz: [0.6, 0, 0]}}}
motion: {q1: start + pi/4*cycloid(t/5)}
control:
  - {name: motion plan, point: tool, x: start}
initial: {q: {q1: 30 deg, q2: 60 deg}}
simulate: {duration: 0.1 s}
)";
  const Case run("run", text);
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
  const std::string figure = content(run.scratch.path() / "out" / "coordinates.svg");
  EXPECT_NE(figure.find(">wanted q.q1<"), std::string::npos);
  EXPECT_EQ(figure.find("plan"), std::string::npos);
  // one motor, on the joint that is led: it cannot give the other control as well, and says so
  const Case torques("torques", text);
  EXPECT_EQ(torques.outcome.exit_code, 2) << torques.outcome.out;
  EXPECT_EQ(torques.json("torques.json")["motors"].size(), 1u);
}

// A motor that is kept at an angle and asked to turn; `v` is what is given of its speed.
std::string kept_motor(const std::string& v) {
  return R"(
bodies: {crank: {mass: 1, com: [0.1, 0, 0]}, slide: {mass: 2}}
joints: [{name: motor, revolute: z, from: world, to: crank}, {name: x, prismatic: x, from: world, to: slide}]
constraints: [{name: yoke, equation: x = 0.2*cos(motor)}]
motion: {motor: 2*pi*t}
actuators: [{joint: motor}]
simulate: {duration: 0.5}
initial: {q: {motor: 0}, assemble: {keep: [motor]})" +
         v + "}\n";
}

TEST(Cases, AKeptMotorIsSetInMotionByWhatItIsAskedToDo) {
  const Case run("run", kept_motor(""));
  EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.out;
  // a speed that is given is kept too, and an angle is not told in metres
  const Case held("run", kept_motor(", v: {motor: 0}"));
  EXPECT_EQ(held.outcome.exit_code, 1);
  EXPECT_NE(held.outcome.out.find("'motion motor' moves apart at 6.28 rad/s"), std::string::npos) << held.outcome.out;
}

// One of its warnings, and what `check` says too.
void expect_singular(const std::string& text, const std::string& name) {
  const std::string told = "'" + name + "' is singular at the start: its gradient vanishes";
  const Case run("run", text);
  EXPECT_NE(run.outcome.out.find("warning: " + told), std::string::npos) << run.outcome.out;
  EXPECT_NE(run.json("summary.json")["warnings"].dump().find(told), std::string::npos);
  const Case check("check", text);
  EXPECT_EQ(check.outcome.exit_code, 0);
  EXPECT_NE(check.outcome.out.find(told), std::string::npos) << check.outcome.out;
  EXPECT_NE(check.json("check.json")["singular"].dump().find(told), std::string::npos);
}

TEST(Cases, AGradientThatVanishesAtTheStartIsToldByName) {
  expect_singular(R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a}]
constraints: [{name: c, equation: x^2 = 0}]
forces: [{joint: x, force: 1}]
simulate: {duration: 1}
)",
                  "c");
}

TEST(Cases, AnArmThatIsStretchedOutIsToldByName) {
  expect_singular(R"(
bodies:
  l1: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
  l2: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
joints:
  - {name: a, revolute: z, from: world, to: l1}
  - {name: b, revolute: z, from: l1, to: l2, at: {xyz: [1, 0, 0]}}
frames: {tip: {on: l2, at: {xyz: [1, 0, 0]}}}
gravity: [0, -9.81, 0]
constraints: [{name: rope, distance: [world, tip], length: 2}]
initial: {q: {a: 20 deg, b: 0}}
simulate: {duration: 0.2}
)",
                  "rope");
}

TEST(Cases, AMissedAngleIsToldInRadians) {
  const Case weak("run", R"(
bodies: {arm: {mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}}
joints: [{name: q, revolute: z, from: world, to: arm}]
motion: {q: t^2}
actuators: [{joint: q, limit: 0.1}]
gravity: [0, 0, 0]
simulate: {duration: 1}
)");
  // the motor turns it by limit/(2 J) t², J = 0.02 + 2·0.3²
  EXPECT_NE(weak.outcome.out.find("the path is missed by up to 0.75 rad"), std::string::npos) << weak.outcome.out;
}

TEST(Cases, AForceThatVanishingRowsDoNotDetermineIsNoPeak) {
  const Case stretched("run", R"(
bodies:
  upper: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
  lower: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
joints:
  - {name: a, revolute: z, from: world, to: upper}
  - {name: b, revolute: z, from: upper, to: lower, at: {xyz: [1, 0, 0]}}
frames: {tip: {on: lower, at: {xyz: [1, 0, 0]}}}
gravity: [0, -9.81, 0]
constraints: [{name: rope, distance: [world, tip], length: 2}]
initial: {q: {a: 20 deg, b: 0}}
simulate: {duration: 0.3}
)");
  EXPECT_EQ(stretched.outcome.exit_code, 0) << stretched.outcome.out;
  EXPECT_NE(stretched.outcome.out.find("warning: 'rope' is singular at the start"), std::string::npos)
      << stretched.outcome.out;
  EXPECT_NE(stretched.outcome.out.find("'rope' is singular at t = 0 s: forces there are not determined"),
            std::string::npos)
      << stretched.outcome.out;
  const nlohmann::json summary = stretched.json("summary.json");
  EXPECT_TRUE(summary["constraints"][0]["peak_force"].is_null());
  for (const nlohmann::json& joint : summary["joints"]) EXPECT_TRUE(joint["peak_constraint_force"].is_null()) << joint;
  // the columns of its force, and of what it loads, are gaps
  std::istringstream recording(content(stretched.scratch.path() / "out" / "recording.csv"));
  std::string names, first;
  std::getline(recording, names);
  std::getline(recording, first);
  const auto cell = [&](const std::string& name) {
    const auto before = std::ranges::count(names.substr(0, names.find(name)), ',');
    std::istringstream cells(first);
    std::string out;
    for (auto i = 0; i <= before; ++i) std::getline(cells, out, ',');
    return out;
  };
  for (const char* column : {"lambda.rope", "Qc.a", "Qc.b"}) EXPECT_EQ(cell(column), "nan") << names << '\n' << first;
  EXPECT_NE(cell("vdot.a"), "nan");
  EXPECT_EQ(content(stretched.scratch.path() / "out" / "constraint-forces.svg").find("nan"), std::string::npos);
}

TEST(Cases, TyresThatShareALateralForceHaveTheSameWhateverTheHeading) {
  const Case spin("run", R"(
constants: {R: 0.12, d: 0.25, mw: 0.7}
bodies:
  chassis: {mass: 6, com: [0, 0, 0], inertia: [0.3, 0.3, 0.1]}
  left wheel: {mass: mw, inertia: [mw*R^2/4, mw*R^2/2, mw*R^2/4]}
  right wheel: {mass: mw, inertia: [mw*R^2/4, mw*R^2/2, mw*R^2/4]}
joints:
  - {name: base, floating: true, from: world, to: chassis, at: {xyz: [0, 0, R], rpy: [0, 0, 17 deg]}}
  - {name: jl, revolute: y, from: chassis, to: left wheel, at: {xyz: [0, d, 0]}}
  - {name: jr, revolute: y, from: chassis, to: right wheel, at: {xyz: [0, -d, 0]}}
constraints:
  - {name: left tyre, rolls: left wheel, radius: R, axis: y, on: {plane: {}}}
  - {name: right tyre, rolls: right wheel, radius: R, axis: y, on: {plane: {}}}
forces: [{joint: jl, torque: -0.04}, {joint: jr, torque: 0.04}]
simulate: {duration: 2}
record: {every: step}
)");
  EXPECT_EQ(spin.outcome.exit_code, 0) << spin.outcome.out;
  EXPECT_NE(spin.outcome.out.find("'left tyre', 'right tyre' share a force"), std::string::npos) << spin.outcome.out;
  const nlohmann::json tyres = spin.json("summary.json")["constraints"];
  const double left = tyres[0]["peak_force"]["value"], right = tyres[1]["peak_force"]["value"];
  EXPECT_NEAR(left, right, 1e-9 * left);
}

TEST(Cases, AKeptJointThatIsLedTakesItsSpeedFromTheMotion) {
  const Case crank("run", R"(
bodies:
  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.001, 0.001, 0.001]}
  rod: {mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.008, 0.008]}
joints:
  - {name: turn, revolute: z, from: world, to: crank}
  - {name: knee, revolute: z, from: crank, to: rod, at: {xyz: [0.1, 0, 0]}}
frames: {end: {on: rod, at: {xyz: [0.3, 0, 0]}}}
constraints: [{name: slot, point: end, y: 0}]
motion: {turn: 0.6 + 4*t}
actuators: [{joint: turn}]
initial: {q: {turn: 0.6, knee: -0.8}, assemble: {keep: [turn]}}
simulate: {duration: 0.5}
)");
  EXPECT_EQ(crank.outcome.exit_code, 0) << crank.outcome.out;
  EXPECT_NE(crank.outcome.out.find(" rad\n"), std::string::npos) << crank.outcome.out;  // "path missed by … rad"
}

TEST(Cases, EnergyBeyondWhatIsAtHandEndsWithCodeTwoAndKeepsTheResults) {
  const Case stiff("run", R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a, stiffness: 1e9}]
gravity: [0, 0, 0]
initial: {q: {x: 0.01}}
simulate: {duration: 0.02, integrator: semi-implicit, step: 1 ms}
)");
  EXPECT_EQ(stiff.outcome.exit_code, 2) << stiff.outcome.out;
  for (const char* text :
       {"energy does not balance", "from t = 0.001 s on", "the step of 0.001 s may be too long", "J exchanged: bad"})
    EXPECT_NE(stiff.outcome.out.find(text), std::string::npos) << stiff.outcome.out;
  const nlohmann::json summary = stiff.json("summary.json");
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["energy_balance"]["verdict"], "bad");
  EXPECT_EQ(summary["energy_balance"]["since"], 0.001);
  EXPECT_TRUE(stiff.has("recording.csv"));
}

TEST(Cases, EnergyThatIsSuspiciousIsAWarning) {
  const Case loose("run", R"(
bodies: {a: {mass: 1}}
joints: [{name: x, prismatic: x, from: world, to: a, stiffness: 100}]
gravity: [0, 0, 0]
initial: {q: {x: 0.01}}
simulate: {duration: 5, tolerance: 1e-4}
)");
  EXPECT_EQ(loose.outcome.exit_code, 0) << loose.outcome.out;
  EXPECT_NE(loose.outcome.out.find("warning: energy balances to"), std::string::npos) << loose.outcome.out;
  EXPECT_NE(loose.outcome.out.find("or the tolerance be too loose"), std::string::npos) << loose.outcome.out;
  EXPECT_EQ(loose.json("summary.json")["energy_balance"]["verdict"], "suspicious");
}

// Two links, of which the first turns by a radian within a nanosecond.
TEST(Cases, AKinkIsMetOrTold) {
  const std::string text = R"(
bodies:
  l1: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
  l2: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.0833, 0.0833]}
joints:
  - {name: a, revolute: z, from: world, to: l1}
  - {name: b, revolute: z, from: l1, to: l2, at: {xyz: [1, 0, 0]}}
gravity: [0, -9.81, 0]
constraints: [{name: c, equation: a = minjerk(t/1e-9)}]
)";
  const Case met("run", text + "simulate: {duration: 1}\n");
  EXPECT_EQ(met.outcome.exit_code, 0) << met.outcome.out;
  const nlohmann::json energy = met.json("summary.json")["energy_balance"];
  EXPECT_LT(energy["error"].get<double>(), 1e-6 * energy["exchanged"].get<double>());
  EXPECT_GT(energy["exchanged"].get<double>(), 1e18);  // ½ I (1.875 rad/ns)² and more
  const Case told("run", text + "simulate: {duration: 1, integrator: rk4, step: 1 ms}\n");
  EXPECT_EQ(told.outcome.exit_code, 2) << told.outcome.out;
  EXPECT_NE(told.outcome.out.find("t = 0.001 s: the way back onto the constraints is a jump"), std::string::npos)
      << told.outcome.out;
  const Case open("run", text + "simulate: {duration: 1, integrator: rk4, step: 1 ms, drift: none}\n");
  EXPECT_NE(open.outcome.out.find("'c' is open by 1"), std::string::npos) << open.outcome.out;
}

}  // namespace
}  // namespace trammel::test
