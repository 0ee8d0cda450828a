// Numbers of a scenario that are changed by name, on what is compiled already.
#include <cstring>
#include <filesystem>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/random.h"
#include "support/scratch_folder.h"
#include "support/seeds.h"
#include "trammel/motion/stages.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

using test::Random;

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(TRAMMEL_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".yaml") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

double value_of(const std::vector<Parameter>& parameters, const std::string& name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  EXPECT_NE(found, parameters.end()) << name;
  return found == parameters.end() ? 0 : found->value;
}

// v̇, Qc and the energy at a state.
VecX<> answers(Data& data, const State& at) {
  solve(at, data);
  VecX<> out(2 * at.v.size() + 1);
  out << data.motion.vdot, data.motion.Qc, energy(at.v, data);
  return out;
}

// To the bit, not-a-number included.
bool same_bits(const VecX<>& a, const VecX<>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

std::optional<Scenario> read_if_sound(const std::filesystem::path& file, const std::string& name, double value) {
  try {
    return read_scenario(file, {fmt::format("{}={}", name, value)});
  } catch (const Error&) {
    return {};
  }
}

TEST(Parameters, ChangedInPlaceAreToTheBitWhatCompilingAnewGives) {
  Random random(19);
  const std::vector<std::filesystem::path> files = examples();
  std::vector<Scenario> scenarios;
  std::vector<Data> compiled;
  std::vector<std::vector<Parameter>> parameters;  // those that --set knows; the others stand in the robots' own files
  for (const std::filesystem::path& file : files) {
    scenarios.push_back(read_scenario(file));
    compiled.emplace_back(scenarios.back().problem());
    parameters.push_back(scenarios.back().system.source->parameters());
    std::erase_if(parameters.back(),
                  [&](const Parameter& parameter) { return !read_if_sound(file, parameter.name, parameter.value); });
  }
  int tried = 0, refused = 0;
  for (int i = 0, all = test::cases(1000); i < all; ++i) {
    int which = 0;
    do which = random.integer(0, static_cast<int>(files.size()) - 1);
    while (parameters[which].empty());
    const Parameter& parameter = parameters[which][random.integer(0, static_cast<int>(parameters[which].size()) - 1)];
    const double value = parameter.value * random.uniform(0.9, 1.1) + (parameter.value == 0 ? 0.01 : 0);
    const Changes changes{{parameter.name, value}};
    SCOPED_TRACE(fmt::format("{}: {} = {}", files[which].filename().string(), parameter.name, value));
    const std::optional<Scenario> anew = read_if_sound(files[which], parameter.name, value);
    if (!anew) {
      ++refused;
      EXPECT_THROW(compiled[which].problem.with(changes), Error);
      continue;
    }
    ++tried;
    Data in_place = compiled[which], from_scratch(anew->problem());
    in_place.set(changes);
    State at = anew->start;
    at.v += random.vector(static_cast<int>(at.v.size()), 0.1);
    ASSERT_TRUE(same_bits(answers(in_place, at), answers(from_scratch, at)));

    // and so does a run, from the start that was assembled for it
    Scenario other = scenarios[which].with(changes), same = *anew;
    ASSERT_TRUE(same_bits(other.start.q, anew->start.q) && same_bits(other.start.v, anew->start.v));
    if (i % 10 != 0 || (anew->assembly && !anew->assembly->closed())) continue;
    other.simulate.duration = same.simulate.duration = std::min(0.02, same.simulate.duration);
    ASSERT_EQ(simulate(other.problem(), other.start, other.simulate).recording,
              simulate(same.problem(), same.start, same.simulate).recording);
  }
  fmt::print("{} changes in place, {} refused by both\n", tried, refused);
  EXPECT_GT(tried, 4 * refused);
}

TEST(Parameters, OfARobotsFileAreThoseOfAFileThatSaysSo) {
  const test::ScratchFolder folder;
  const std::string urdf = test::content(TRAMMEL_SOURCE_DIR "/robots/scara.urdf");
  std::string heavier = urdf;
  heavier.replace(heavier.find("<mass value=\"20\"/>"), 18, "<mass value=\"20.7\"/>");
  folder.write("scara.urdf", urdf);
  folder.write("heavier.urdf", heavier);
  const auto scenario = [&](const char* urdf_file) {
    return read_scenario_text(fmt::format("robot: {}\ninitial: {{q: {{q1: 0.3, q2: 0.4}}, v: {{q1: 1}}}}\n", urdf_file),
                              "s.yaml", folder.path());
  };
  const Scenario light = scenario("scara.urdf"), heavy = scenario("heavier.urdf");
  EXPECT_EQ(value_of(light.system.source->parameters(), "bodies.link1.mass"), 20);
  Data changed(light.problem().with({{"bodies.link1.mass", 20.7}})), read(heavy.problem()), before(light.problem());
  EXPECT_TRUE(same_bits(answers(changed, light.start), answers(read, heavy.start)));
  EXPECT_FALSE(same_bits(answers(changed, light.start), answers(before, light.start)));
}

TEST(Parameters, WhatIsMadeOfAConstantFollowsIt) {
  const Scenario scenario = read_scenario_text(
      "constants: {r: 2, twice: 2*r}\n"
      "bodies: {bob: {mass: twice, com: [r/2, 0, 0]}}\n"
      "joints: [{name: a, revolute: y, from: world, to: bob}]\n"
      "forces: [{joint: a, torque: r*3}]\n",
      "s.yaml");
  const std::vector<Parameter> parameters = scenario.system.source->parameters();
  EXPECT_EQ(value_of(parameters, "constants.twice"), 4);
  EXPECT_EQ(value_of(parameters, "bodies.bob.com.0"), 1);
  Data data(scenario.problem());
  data.set({{"constants.r", 3.0}});
  // a point mass of 6 kg at 1.5 m, level with its hinge: 13.5 kg·m² v̇ = 9 N·m + 6·9.81·1.5 N·m (y turns z towards x)
  solve(State(0, VecX<>::Zero(1), VecX<>::Zero(1)), data);
  EXPECT_NEAR(data.motion.vdot[0], (9 + 6 * 9.81 * 1.5) / 13.5, 1e-14);
  // one that is set by itself does not
  data.set({{"constants.r", 3.0}, {"bodies.bob.mass", 1.0}});
  solve(State(0, VecX<>::Zero(1), VecX<>::Zero(1)), data);
  EXPECT_NEAR(data.motion.vdot[0], (9 + 9.81 * 1.5) / 2.25, 1e-14);
}

TEST(Parameters, ThatAreUnknownOrMakeNoSenseAreRefused) {
  const Scenario scenario = read_scenario(TRAMMEL_SOURCE_DIR "/examples/03-four-bar.yaml");
  const Problem problem = scenario.problem();
  const std::string known = scenario.system.source->parameters().front().name;
  EXPECT_THROW((void)problem.with({{known + "x", 1.0}}), Error);
  EXPECT_THROW((void)problem.with({{known, std::nan("")}}), Error);
  for (const Parameter& parameter : scenario.system.source->parameters())
    if (parameter.name.ends_with(".mass")) {
      EXPECT_THROW((void)problem.with({{parameter.name, -1.0}}), Error);
    }
}

// Assembled at a = 0.7, far from the guess; the spring rests where the run starts.
const std::string sprung =
    "constants: {place: 0.7, k: 20}\n"
    "bodies: {bob: {mass: 2, com: [1, 0, 0]}}\n"
    "joints: [{name: a, revolute: z, from: world, to: bob}]\n"
    "constraints: [{name: led, equation: a = place}]\n"
    "forces: [{joint: a, torque: -5*(a - 2*start(a))}]\n"
    "initial: {q: {a: 0.2}}\n";

TEST(Parameters, AForceThatUsesTheStartHasTheOneThatWasAssembled) {
  const Scenario scenario = read_scenario_text(sprung, "s.yaml");
  const Changes changes{{"bodies.bob.mass", 3.0}, {"constants.place", 0.6}};
  Data in_place(scenario.problem().with(changes)), anew(scenario.with(changes).problem());
  const State at = scenario.with(changes).start;
  EXPECT_NEAR(at.q[0], 0.6, 1e-12);
  EXPECT_TRUE(same_bits(answers(in_place, at), answers(anew, at)));
  solve(at, in_place);
  EXPECT_NEAR(in_place.motion.Qc[0], -5 * 0.6, 1e-11);  // holds against the spring
}

TEST(Parameters, ChangesAddUp) {
  const Problem problem = read_scenario_text(sprung, "s.yaml").problem();
  const Problem one_by_one = problem.with({{"constants.place", 0.6}}).with({{"bodies.bob.mass", 3.0}});
  EXPECT_EQ(one_by_one.changes(), (Changes{{"bodies.bob.mass", 3.0}, {"constants.place", 0.6}}));
  Data together(problem.with(one_by_one.changes())), apart(one_by_one);
  const State at(0, VecX<>::Constant(1, 0.6), VecX<>::Zero(1));
  EXPECT_TRUE(same_bits(answers(together, at), answers(apart, at)));
}

TEST(Parameters, OptionsOfARunAreNotChangedOnAProblemInSilence) {
  const Scenario scenario =
      read_scenario_text(sprung + "simulate: {duration: 1 s, drift: {baumgarte: {alpha: k, beta: k^2/4}}}\n", "s.yaml");
  EXPECT_THROW((void)scenario.problem().with({{"constants.k", 40.0}}), Error);
  EXPECT_EQ(scenario.with({{"constants.k", 40.0}}).problem().options().baumgarte.alpha, 40);
}

TEST(Parameters, ThatAreRefusedLeaveADataAsItWas) {
  Data data(read_scenario_text(sprung, "s.yaml").problem());
  data.turns[0] = 1;
  EXPECT_THROW(data.set({{"bodies.bob.mass", -1.0}}), Error);
  EXPECT_EQ(data.turns[0], 1);
  data.set({{"bodies.bob.mass", 1.0}});
  EXPECT_EQ(data.turns[0], 1);
}

TEST(Parameters, OfASystemThatWasAddedToAreNotKnown) {
  Scenario scenario = read_scenario_text(sprung, "s.yaml");
  scenario.system.drive({.name = "motor", .velocity = 0});
  EXPECT_THROW((void)scenario.problem().with({{"bodies.bob.mass", 3.0}}), Error);
  EXPECT_THROW((void)scenario.with({{"bodies.bob.mass", 3.0}}), Error);
}

TEST(Parameters, WithWhichAStartThatIsUsedDoesNotCloseAreRefused) {
  const Scenario scenario = read_scenario_text(
      "constants: {reach: 1}\n"
      "bodies: {bob: {mass: 2, com: [1, 0, 0]}}\n"
      "joints: [{name: a, revolute: z, from: world, to: bob}]\n"
      "frames: {tip: {on: bob, at: {xyz: [2, 0, 0]}}}\n"
      "constraints: [{name: led, equation: tip.x = reach}]\n"
      "forces: [{joint: a, torque: start(a)}]\n"
      "initial: {q: {a: 0.8}}\n",
      "s.yaml");
  (void)scenario.problem().with({{"constants.reach", 1.5}});
  EXPECT_THROW((void)scenario.problem().with({{"constants.reach", 2.5}}), Error);
}

}  // namespace
}  // namespace trammel
