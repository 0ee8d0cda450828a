#include "trammel/motion/row_strength.h"

#include <gtest/gtest.h>

#include <numbers>

#include <fmt/core.h>

#include "support/closed_mechanisms.h"
#include "support/count_allocations.h"
#include "support/looped_systems.h"
#include "support/random.h"
#include "support/seeds.h"
#include "trammel/motion/stages.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

using namespace trammel::test;
using Names = std::vector<std::string>;

// A mechanism and the usual size of its rows, to be asked at any posture.
struct Strength {
  Scenario scenario;
  Problem problem;
  Data data;
  RowStrength strength;

  explicit Strength(const std::string& text)
      : scenario(read_scenario_text(text, "strength.yaml")),
        problem(scenario.problem()),
        data(problem),
        strength(problem, scenario.start, 1) {}

  Names singular_at(const VecX<>& q) {
    EXPECT_TRUE(factorize({0, q, VecX<>::Zero(problem.nv())}, data));
    std::vector<bool> singular(scenario.system.constraints.size());
    const bool any = strength.mark_singular(data, singular);
    Names out;
    for (std::size_t i = 0; i < singular.size(); ++i)
      if (singular[i]) out.push_back(scenario.system.constraints[i].name);
    EXPECT_EQ(any, !out.empty());
    EXPECT_EQ(any, !strength.singular_texts(data, "here").empty());
    return out;
  }
  Names singular_at_start() { return singular_at(scenario.start.q); }
};

// Arms of n links that reach from the base as far as they can; s m long each, `mass` kg.
std::string stretched_arm(int n, double s, double mass, double angle, const std::string& held) {
  std::string out = fmt::format("constants: {{s: {}, n: {}}}\nbodies:\n", s, n);
  for (int i = 0; i < n; ++i)
    out +=
        fmt::format("  l{}: {{mass: {}, com: [s/2, 0, 0], inertia: [0, {}*s^2/12, {}*s^2/12]}}\n", i, mass, mass, mass);
  out += "joints:\n";
  for (int i = 0; i < n; ++i)
    out += fmt::format("  - {{name: q{}, revolute: z, from: {}, to: l{}, at: {{xyz: [{}, 0, 0]}}}}\n", i,
                       i == 0 ? "world" : fmt::format("l{}", i - 1), i, i == 0 ? "0" : "s");
  return out +
         fmt::format("frames: {{tip: {{on: l{}, at: {{xyz: [s, 0, 0]}}}}}}\ninitial: {{q: {{q0: {}}}}}\n", n - 1,
                     angle) +
         held;
}

TEST(RowStrength, AnArmThatIsStretchedOutIsSingularAtAnySizeAndNotWhereItIsBent) {
  Random random(21);
  for (int i = 0, all = cases(200); i < all; ++i) {
    const int n = random.integer(2, 4);
    const double s = random.log_uniform(1e-9, 1e3), mass = random.log_uniform(1e-3, 1e3);
    Strength arm(stretched_arm(n, s, mass, random.uniform(-3, 3),
                               "constraints: [{name: rope, distance: [world, tip], length: n*s}]"));
    VecX<> q = arm.scenario.start.q;
    EXPECT_EQ(arm.singular_at(q), Names{"rope"}) << n << " links of " << s << " m";
    q[1] = 1e-8;
    EXPECT_EQ(arm.singular_at(q), Names{"rope"}) << n << " links of " << s << " m";
    q[1] = 1e-3;
    EXPECT_EQ(arm.singular_at(q), Names{}) << n << " links of " << s << " m";
  }
}

TEST(RowStrength, WhereBothRowsOfAPointAreLedTheOneAlongTheStretchedArmVanishes) {
  Strength arm(stretched_arm(3, 0.4, 2, 0, "constraints: [{name: tip, point: tip, x: 3*s, y: 0}]"));
  EXPECT_EQ(arm.singular_at_start(), Names{"tip"});
  EXPECT_EQ(arm.strength.singular_texts(arm.data, "here"),
            Names{"'tip' is singular here: the gradient of tip[0] vanishes (0 of its usual size); its force is not "
                  "determined"});
}

TEST(RowStrength, AnEquationIsSingularWhereItsGradientVanishes) {
  const std::string plane = R"(
bodies: {a: {mass: 0}, b: {mass: 2}}
joints: [{name: x, prismatic: x, from: world, to: a}, {name: y, prismatic: y, from: a, to: b}]
)";
  for (const char* law : {"x^2 = 0", "x*y = 0", "x^3 = 0", "x^2 = y^2", "x^2 + y^4 = 0", "1000*x^2 = 0"}) {
    Strength point(plane + "constraints: [{name: c, equation: " + law + "}]");
    EXPECT_EQ(point.singular_at_start(), Names{"c"}) << law;
    EXPECT_EQ(point.strength.singular_texts(point.data, "at the start"),
              Names{"'c' is singular at the start: its gradient vanishes (0 of its usual size); its force is not "
                    "determined"});
    EXPECT_EQ(point.singular_at(Eigen::Vector2d(0.1, 0.2)), Names{}) << law;
  }
  // a thousandth of a millimetre is not small for what is a thousandth of a millimetre
  Strength tiny(plane + "constraints: [{name: c, equation: x*y = 0}]\ninitial: {q: {x: 1e-6}}");
  EXPECT_EQ(tiny.singular_at_start(), Names{});
  // a gradient that comes with the time
  Strength later(plane + "constraints: [{name: c, equation: x*t = 0}]");
  EXPECT_EQ(later.singular_at_start(), Names{"c"});
}

TEST(RowStrength, AnEquationThatGrowsWithoutBoundIsNotSingularWhereItHolds) {
  for (const char* equation : {"exp(12.5*s) = 1", "exp(100*s) = 1", "exp(-20*s) = 1", "s + s^15*1e6 = 0"}) {
    Strength one(
        fmt::format("bodies: {{a: {{mass: 1}}}}\njoints: [{{name: s, prismatic: x, from: world, to: a}}]\n"
                    "constraints: [{{name: e, equation: {}}}]\nsimulate: {{duration: 1}}\n",
                    equation));
    EXPECT_EQ(one.singular_at_start(), Names{}) << equation;
  }
}

TEST(RowStrength, ARodInLineWithItsCrankIsSingularAtBothDeadCentres) {
  for (const double s : {1e-3, 1.0, 50.0}) {
    Strength crank(fmt::format(R"(
constants: {{s: {}}}
bodies: {{crank: {{mass: 1, com: [s/2, 0, 0], inertia: [0, s^2/12, s^2/12]}}}}
joints: [{{name: a, revolute: z, from: world, to: crank}}]
frames: {{pin: {{on: crank, at: {{xyz: [s, 0, 0]}}}}, post: {{on: world, at: {{xyz: [3*s, 0, 0]}}}}}}
constraints: [{{name: rod, distance: [pin, post], length: 2*s}}]
)",
                               s));
    EXPECT_EQ(crank.singular_at_start(), Names{"rod"}) << s;
    EXPECT_EQ(crank.singular_at(VecX<>::Constant(1, std::numbers::pi)), Names{"rod"}) << s;
    EXPECT_EQ(crank.singular_at(VecX<>::Constant(1, 1)), Names{}) << s;
  }
}

const std::string slider_crank = R"(
bodies:
  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.003, 0.003]}
  rod: {mass: 1, com: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}
  slide: {mass: 2}
joints:
  - {name: a, revolute: z, from: world, to: crank}
  - {name: b, revolute: z, from: crank, to: rod, at: {xyz: [0.2, 0, 0]}}
  - {name: x, prismatic: x, from: world, to: slide}
frames: {end: {on: rod, at: {xyz: [0.6, 0, 0]}}}
initial: {q: {x: 0.8}}
)";

TEST(RowStrength, AWeakRowMakesSingularThoseWithWhichItAlmostDepends) {
  // next to dead centre a lock of the slide and the rod say the same; the joint of another robot has no part in it
  Strength locked(slider_crank + R"(
constraints:
  - {name: loop, coincide: [end, slide], axes: xy}
  - {name: lock, equation: x = 0.8}
)");
  EXPECT_EQ(locked.singular_at(Eigen::Vector3d(2e-7, -1e-7, 0.8)), (Names{"loop", "lock"}));
  EXPECT_EQ(locked.singular_at(Eigen::Vector3d(0.2, -0.1, 0.8)), Names{});
  // the same by a motor that is to lead the slide
  Strength driven(slider_crank + R"(
constraints: [{name: loop, coincide: [end, slide], axes: xy}]
control: [{name: stroke, equation: x = 0.8}]
actuators: [{joint: a}]
)");
  EXPECT_TRUE(driven.problem.driven());
  EXPECT_EQ(driven.singular_at(Eigen::Vector3d(2e-7, -1e-7, 0.8)), (Names{"loop", "stroke"}));
  const Names texts = driven.strength.singular_texts(driven.data, "here");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].substr(0, 66), "'stroke', 'loop' are singular here: stroke almost follows from loo") << texts[0];
  EXPECT_EQ(driven.singular_at(Eigen::Vector3d(0.2, -0.1, 0.8)), Names{});
}

TEST(RowStrength, WhatIsRedundantInEveryPostureIsNotSingular) {
  // a planar loop closed by a hinge, in a plane that is tilted: three of its five rows are zeros but for rounding
  const std::string four_bar = R"(
bodies:
  base: {mass: 1}
  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.003, 0.003]}
  rod: {mass: 1, com: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}
  rocker: {mass: 1, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01]}
joints:
  - {name: base, fixed: true, from: world, to: base, at: {rpy: [0.3, 0.7, -0.2]}}
  - {name: a, revolute: z, from: base, to: crank}
  - {name: b, revolute: z, from: crank, to: rod, at: {xyz: [0.2, 0, 0]}}
  - {name: c, revolute: z, from: base, to: rocker, at: {xyz: [0.6, 0, 0]}}
frames: {rod end: {on: rod, at: {xyz: [0.6, 0, 0]}}, rocker end: {on: rocker, at: {xyz: [0.4, 0, 0]}}}
initial: {q: {a: 1, b: -0.5, c: 1.8}, assemble: {keep: [a]}}
)";
  Strength loop(four_bar + "constraints: [{name: loop, hinge: [rod end, rocker end]}]");
  EXPECT_LT(loop.problem.nv(), loop.problem.asked().rows);
  EXPECT_EQ(loop.singular_at_start(), Names{});
  // the same twice
  Strength twice(four_bar + R"(
constraints: [{name: one, hinge: [rod end, rocker end]}, {name: two, hinge: [rod end, rocker end]}]
)");
  EXPECT_EQ(twice.singular_at_start(), Names{});
  Strength welds(R"(
bodies: {a: {mass: 1, inertia: [1, 2, 2]}}
joints: [{name: free, floating: true, from: world, to: a}]
frames: {left: {on: a, at: {xyz: [-1, 0, 0]}}, right: {on: a, at: {xyz: [1, 0, 0]}},
  left post: {on: world, at: {xyz: [-1, 0, 0]}}, right post: {on: world, at: {xyz: [1, 0, 0]}}}
constraints: [{name: one, weld: [left post, left]}, {name: two, weld: [right post, right]}]
)");
  EXPECT_EQ(welds.singular_at_start(), Names{});
}

bool is_singular(const System& system, const VecX<>& q) {
  const Problem problem = compile(system);
  const State at{0, q, VecX<>::Zero(system.model.nv())};
  RowStrength strength(problem, at, 1);
  Data data(problem);
  EXPECT_TRUE(factorize(at, data));
  std::vector<bool> singular(system.constraints.size());
  return strength.mark_singular(data, singular);
}

TEST(RowStrength, MechanismsWhereTheyCloseAndRandomSystemsAreNotSingular) {
  for (const Looped& looped : {five_bar(), three_rrr(), stewart(), hinged_four_bar(), hinged_four_bar(1e-6)})
    EXPECT_FALSE(is_singular(looped.system, looped.q));
  Random random(4);
  for (int i = 0, all = cases(500); i < all; ++i) {
    const System system = random_busy_system(random);
    EXPECT_FALSE(is_singular(system, random_configuration(random, system.model))) << i;
  }
}

TEST(RowStrength, ARowThatVanishesAllAboutTheStartIsNotSingularThoughItIsNotZeroElsewhere) {
  // leaning on its rim a disc stays at its height; upside down it would not
  Strength disc(R"(
bodies: {foot: {mass: 0}, stem: {mass: 0}, disc: {mass: 1, inertia: [0.06, 0.06, 0.12]}}
joints:
  - {name: track, planar: z, from: world, to: foot}
  - {name: lean, revolute: x, from: foot, to: stem}
  - {name: spin, revolute: z, from: stem, to: disc, at: {xyz: [0, 0, 0.5], rpy: [-90 deg, 0, 0]}}
constraints: [{name: wheel, rolls: disc, radius: 0.5, on: {plane: {}}}]
initial: {q: {lean: -1.3}}
)");
  EXPECT_EQ(disc.singular_at_start(), Names{});
}

TEST(RowStrength, AllocatesNothingWhereItIsAsked) {
  Strength locked(slider_crank + R"(
constraints: [{name: loop, coincide: [end, slide], axes: xy}, {name: lock, equation: x = 0.8}]
)");
  std::vector<bool> singular(2);
  for (const double a : {2e-7, 0.2}) {
    ASSERT_TRUE(factorize({0, Eigen::Vector3d(a, -a / 2, 0.8), VecX<>::Zero(3)}, locked.data));
    const std::size_t before = allocation_count();
    EXPECT_EQ(locked.strength.mark_singular(locked.data, singular), a < 0.1);
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace trammel
