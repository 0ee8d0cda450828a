#include "trammel/model/merge_robots.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include "trammel/model/build_model.h"

namespace trammel {
namespace {

using namespace trammel::test;

const Place asked_for{"scene.yaml", 3, 5};

// A bar on a hull, or on the world.
RobotDescription bar_on(const std::string& parent) {
  Random random(1);
  RobotDescription robot;
  robot.links = {random_link(random, "bar")};
  if (parent != "world") robot.links.push_back(random_link(random, parent));
  robot.joints = {random_joint(random, JointType::revolute, "hinge", parent, "bar")};
  robot.frames = {{"tip", "bar", {}, {}}};
  robot.warnings = {{{}, "rusty"}};
  return robot;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> out;
  for (const auto& item : items) out.push_back(item.name);
  return out;
}

std::string refusal_of(const std::vector<Robot>& robots) {
  try {
    build_model(robots);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

using Names = std::vector<std::string>;

TEST(MergeRobots, EachKeepsItsNamesBehindAPrefixAndIsCarriedByABaseJointOfItsOwn) {
  RobotDescription out;
  add_robot({bar_on("hull"), "left", Base::fixed, {}}, asked_for, out);
  add_robot({bar_on("world"), "right", Base::floating, {}}, asked_for, out);
  add_robot({bar_on("hull"), "", Base::planar, {}}, asked_for, out);
  EXPECT_EQ(names_of(out.links), Names({"left.bar", "left.hull", "right.world", "right.bar", "bar", "hull"}));
  EXPECT_EQ(names_of(out.joints),
            Names({"world to left.hull", "left.hinge", "right.base", "right.hinge", "base", "hinge"}));
  EXPECT_EQ(names_of(out.frames), Names({"left.tip", "right.tip", "tip"}));
  EXPECT_EQ(out.joints[2].child, "right.world");
  EXPECT_EQ(to_string(out.joints[2].place), to_string(asked_for));
  EXPECT_EQ(out.joints[3].parent, "right.world");
  EXPECT_EQ(out.frames[1].link, "right.bar");
  EXPECT_EQ(out.warnings.size(), 3u);
}

TEST(MergeRobots, OneThatStandsOnTheWorldAndHasNoNameNeedsNoBaseAndMayHaveNone) {
  RobotDescription out;
  add_robot({bar_on("world"), "", Base::fixed, {}}, asked_for, out);
  EXPECT_EQ(names_of(out.joints), Names({"hinge"}));
  EXPECT_EQ(names_of(out.links), Names({"bar"}));
  EXPECT_EQ(
      refusal_of({{bar_on("world"), "", Base::floating, {}}}),
      "found a base or a place of a robot that stands on a link 'world' of its own; allowed: a name for the robot, "
      "or neither of them");
}

TEST(MergeRobots, RobotsWithoutANameMayShareALinkCalledWorld) {
  RobotDescription one = bar_on("world"), other = bar_on("world");
  for (RobotDescription* robot : {&one, &other}) {
    Link link;
    link.name = "world";
    robot->links.push_back(link);
  }
  other.links[0].name = other.joints[0].child = other.frames[0].link = "beam";
  other.joints[0].name = "pivot";
  other.frames[0].name = "end";
  EXPECT_EQ(build_model({{one, "", Base::fixed, {}}, {other, "", Base::fixed, {}}}).body_count(), 2);
}

TEST(MergeRobots, WhatIsWrongWithOneIsSaidInItsOwnNamesAndWhatIsWrongAmongThemInTheirs) {
  RobotDescription torn = bar_on("hull");
  torn.joints.clear();
  EXPECT_EQ(
      refusal_of({{torn, "left", Base::fixed, {}}}),
      "found 2 links that no joint carries, 'bar' and 'hull' among them; allowed: one root; join the others to it, "
      "if only by fixed joints");
  const Robot left{bar_on("hull"), "left", Base::fixed, {}};
  EXPECT_EQ(refusal_of({left, left}),
            "found a second link named 'left.bar'; allowed: a name that no other has\n"
            "found a second link named 'left.hull'; allowed: a name that no other has\n"
            "found a second joint named 'world to left.hull'; allowed: a name that no other has\n"
            "found a second joint named 'left.hinge'; allowed: a name that no other has\n"
            "found a second frame named 'left.tip'; allowed: a name that no other has");
}

}  // namespace
}  // namespace trammel
