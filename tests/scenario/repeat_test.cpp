// Blocks that stand many times.
#include <algorithm>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

Scenario repeated_scenario(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots", overrides);
}

std::string refusal_of_copies(const std::string& text) {
  try {
    (void)repeated_scenario(text);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "test.yaml");
    return error.what();
  }
}

// Ladders: two rails, and a bar that closes a loop.
const std::string chain = R"yaml(constants: {a: 0.1, n: 40}
repeat:
  - for: {i: 1..n}
    bodies:
      left<i>: {mass: 0.1, com: [0, 0, -a/2], inertia: [1e-4, 1e-4, 1e-5]}
      right<i>: {mass: 0.1, com: [0, 0, -a/2], inertia: [1e-4, 1e-4, 1e-5]}
      bar<i>: {mass: 0.2, com: [a/2, 0, 0], inertia: [1e-5, 2e-4, 2e-4]}
    frames:
      pin<i>: {on: right<i>, at: {xyz: [0, 0, -a]}}
      eye<i>: {on: bar<i>, at: {xyz: [a, 0, 0]}}
    joints:
      - {name: bar joint <i>, revolute: y, from: left<i>, to: bar<i>, at: {xyz: [0, 0, -a]}}
    constraints:
      - {name: loop <i>, coincide: [pin<i>, eye<i>], axes: xz}
  - for: {i: 1..n-1}
    joints:
      - {name: left <i+1>, revolute: y, from: bar<i>, to: left<i+1>}
      - {name: right <i+1>, revolute: y, from: bar<i>, to: right<i+1>, at: {xyz: [a, 0, 0]}}
joints:
  - {name: left 1, revolute: y, from: world, to: left1}
  - {name: right 1, revolute: y, from: world, to: right1, at: {xyz: [a, 0, 0]}}
initial: {v: {left 1: 0.5}}
simulate: {duration: 0.02 s}
)yaml";

std::string written_chain(int n) {
  std::string bodies = "bodies:\n", frames = "frames:\n", joints = "joints:\n", rows = "constraints:\n";
  joints += "  - {name: left 1, revolute: y, from: world, to: left1}\n";
  joints += "  - {name: right 1, revolute: y, from: world, to: right1, at: {xyz: [0.1, 0, 0]}}\n";
  for (int i = 1; i <= n; ++i) {
    for (const char* side : {"left", "right"})
      bodies += fmt::format("  {}{}: {{mass: 0.1, com: [0, 0, -0.05], inertia: [1e-4, 1e-4, 1e-5]}}\n", side, i);
    bodies += fmt::format("  bar{}: {{mass: 0.2, com: [0.05, 0, 0], inertia: [1e-5, 2e-4, 2e-4]}}\n", i);
    frames += fmt::format("  pin{0}: {{on: right{0}, at: {{xyz: [0, 0, -0.1]}}}}\n", i);
    frames += fmt::format("  eye{0}: {{on: bar{0}, at: {{xyz: [0.1, 0, 0]}}}}\n", i);
    joints += fmt::format(
        "  - {{name: bar joint {0}, revolute: y, from: left{0}, to: bar{0}, at: {{xyz: [0, 0, -0.1]}}}}\n", i);
    rows += fmt::format("  - {{name: loop {0}, coincide: [pin{0}, eye{0}], axes: xz}}\n", i);
  }
  for (int i = 1; i < n; ++i) {
    joints += fmt::format("  - {{name: left {1}, revolute: y, from: bar{0}, to: left{1}}}\n", i, i + 1);
    joints += fmt::format(
        "  - {{name: right {1}, revolute: y, from: bar{0}, to: right{1}, at: {{xyz: [0.1, 0, 0]}}}}\n", i, i + 1);
  }
  return bodies + frames + joints + rows + "initial: {v: {left 1: 0.5}}\nsimulate: {duration: 0.02 s}\n";
}

TEST(Repeat, AChainOfFortyLoopsStandsInTwentyFiveLines) {
  EXPECT_LE(std::ranges::count(chain, '\n'), 25);
  const Scenario repeated = repeated_scenario(chain), written = repeated_scenario(written_chain(40));
  EXPECT_EQ(repeated.system.constraints.size(), 40u);
  EXPECT_EQ(repeated.system.model.nv(), 120);
  const auto names = [](const Scenario& of) {
    std::vector<std::string> out;
    for (int i = 0; i < of.system.model.body_count(); ++i)
      out.push_back(of.system.model.link_name(i) + ", " + of.system.model.joint_name(i));
    std::ranges::sort(out);
    return out;
  };
  EXPECT_EQ(names(repeated), names(written));
  const Simulation one = simulate(repeated.problem(), repeated.start, repeated.simulate);
  const Simulation two = simulate(written.problem(), written.start, written.simulate);
  ASSERT_EQ(one.status, RunStatus::finished) << one.what;
  for (const char* column : {"q.left 1", "q.right 40", "v.bar joint 17", "lambda.loop 40[1]"})
    EXPECT_LT((one.recording[column] - two.recording[column]).cwiseAbs().maxCoeff(), 1e-9) << column;
  EXPECT_GT(one.recording["q.left 40"].cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Repeat, GoesByTheConstantsOfItsBounds) {
  EXPECT_EQ(repeated_scenario(chain, {"constants.n=3"}).system.constraints.size(), 3u);
  EXPECT_EQ(repeated_scenario(chain, {"constants.n=1"}).system.constraints.size(), 1u);  // a block may stand nowhere
  const Scenario three = repeated_scenario(chain, {"constants.n=3", "bodies.bar2.mass=7", "simulate.duration=1"});
  const auto mass = [](const Scenario& of, const char* link) {
    return of.system.model.bodies()[of.system.model.frame(link).body].inertia.mass;
  };
  EXPECT_EQ(mass(three, "bar2"), 7);
  EXPECT_EQ(mass(three, "bar3"), 0.2);
  const Scenario four = three.with_overrides({"constants.n=4"});  // what was put before stays
  EXPECT_EQ(four.system.constraints.size(), 4u);
  EXPECT_EQ(mass(four, "bar2"), 7);
  const Scenario longer = three.with({{"constants.a", 0.2}, {"bodies.bar3.mass", 5}});
  EXPECT_EQ(mass(longer, "bar3"), 5);
  EXPECT_EQ(longer.system.model.frame("eye3").X_BF.p.norm(), 0.2);
  EXPECT_EQ(three.with({{"constants.n", 2}}).system.constraints.size(), 2u);
}

const std::string two_link_arm = "robot: two-link.urdf\ngravity: [0, -9.81, 0]\nsimulate: {duration: 1 s}\n";

TEST(Repeat, ComputesWhatStandsInAngleBrackets) {
  const Scenario out = repeated_scenario(two_link_arm + R"yaml(
repeat:
  - for: {i: 1..2, k: 0..1}
    frames: {p<i><k>: {on: "link<mod(i, 2) + 1>", at: {xyz: [0.1*<i>, <2*k - 1>, "<(i + k)*2>"]}}}
    forces: [{joint: q<i>, torque: "if(t < <i> and q<i> > -<k>, <i + 10*k>, 0)", name: "<-> <i>, <k>"}]
)yaml");
  const Frame& p21 = out.system.model.frame("p21");
  EXPECT_EQ(p21.X_BF.p, Vec3<>(0.2, 1, 6));
  EXPECT_EQ(p21.body, out.system.model.frame("link1").body);
  ASSERT_EQ(out.system.forces.size(), 4u);
  EXPECT_EQ(out.system.forces[2].name, "<-> 2, 0");  // the last index is the fastest
  Kinematics<> kin(out.system.model);
  const VecX<> q = VecX<>::Zero(2), v = q;
  kinematics<double>(out.system.model, q, v, kin);
  VecX<> tau = VecX<>::Zero(2);
  for (const NamedForce& force : out.system.forces) force.law->add_to(out.system.model, {kin, q, v, 1.5}, tau);
  EXPECT_EQ(tau, VecX<>(Eigen::Vector2d(0, 2 * 0 + 12)));  // q2 > −0 does not hold at 0, q2 > −1 does
}

TEST(Repeat, JoinsMapsAndListsInsideSections) {
  const Scenario out = repeated_scenario(two_link_arm + R"yaml(
record: {frames: [tip], every: 20 ms}
initial: {q: {q1: 0.5}, assemble: {keep: [q1]}}
repeat:
  - for: {i: 2..2}
    initial: {q: {q<i>: 0.7}, assemble: {keep: [q<i>]}}
    record: {frames: [link<i>]}
)yaml");
  EXPECT_EQ(out.start.q, VecX<>(Eigen::Vector2d(0.5, 0.7)));
  EXPECT_EQ(out.simulate.frames, (std::vector<std::string>{"tip", "link2"}));
  EXPECT_EQ(out.simulate.record_every, 0.02);
}

TEST(Repeat, MessagesPointAtTheLineAndNameTheIndex) {
  EXPECT_EQ(refusal_of_copies(two_link_arm +
                              "repeat:\n  - for: {i: 1..3, k: 4..5}\n    forces:\n      - {name: f<i><k>, point: "
                              "link<i>, force: [0, 0, 1]}\n"),
            "test.yaml:7:32: found frame 'link3', which does not exist (where i = 3, k = 4); allowed: one of world, "
            "ground, link1, link2, tip (did you mean 'link1'?)");
  // several mistakes at once, each with its own index
  const std::string all =
      refusal_of_copies(two_link_arm + "repeat:\n  - for: {i: 2..4}\n    frames:\n      f<i>: {on: link<i>}\n");
  EXPECT_EQ(std::ranges::count(all, '\n'), 1) << all;
  for (const char* part :
       {"'link3' of frame 'f3', which does not exist (where i = 3)", "'f4', which does not exist (where i = 4)"})
    EXPECT_NE(all.find(part), std::string::npos) << all;
}

}  // namespace
}  // namespace trammel
