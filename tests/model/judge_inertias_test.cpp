#include <gtest/gtest.h>

#include "trammel/model/build_model.h"

namespace trammel {
namespace {

Link link(const std::string& name, double mass, const Symmetric3<>& inertia, int line) {
  Link out;
  out.name = name, out.mass = mass, out.inertia = inertia, out.lenient = true, out.place = {"a.urdf", line};
  return out;
}

Joint joint(const std::string& name, JointType type, const std::string& parent, const std::string& child, int line) {
  Joint out;
  out.name = name, out.type = type, out.parent = parent, out.child = child, out.place = {"a.urdf", line};
  return out;
}

// A hinged body that carries another by a joint of the type, 1 m away from it.
RobotDescription two_bodies(JointType type, const Link& carried) {
  RobotDescription robot;
  robot.name = "two";
  robot.links = {link("base", 0, {}, 1), link("arm", 1, {1, 1, 1}, 2), carried};
  robot.joints = {joint("shoulder", JointType::revolute, "base", "arm", 4),
                  joint("wrist", type, "arm", carried.name, 5)};
  robot.joints[1].at.p = {1, 0, 0};
  return robot;
}

std::string outcome(const RobotDescription& robot) {
  try {
    const Model model = build_model(robot);
    std::string out;
    for (const Warning& warning : model.warnings()) out += to_string(warning) + "\n";
    return out;
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

TEST(JudgeInertias, LinksThatAreFixedToEachOtherAreOneBody) {
  const Link antenna = link("antenna", 1e-3, {-1e-5, 1e-5, 1e-5}, 3);
  EXPECT_EQ(outcome(two_bodies(JointType::fixed, antenna)), "");
  EXPECT_NE(outcome(two_bodies(JointType::revolute, antenna)), "");
}

TEST(JudgeInertias, MomentsThatAreNegativeByRoundingAreZero) {
  EXPECT_EQ(outcome(two_bodies(JointType::prismatic, link("head", 1, {{0, 0, 0}, {2.4e-35, 0, 0}}, 3))), "");
}

TEST(JudgeInertias, OfAKindMakeOneWarningWithTheLines) {
  RobotDescription robot = two_bodies(JointType::revolute, link("odd", 1, {0.1, 0.1, 0.5}, 3));
  EXPECT_EQ(
      outcome(robot),
      "a.urdf:3: a principal moment of inertia above the sum of the other two, which no body has, of link 'odd' is "
      "used as it is given\n");
  robot.links.push_back(link("odder", 1, {0.1, 0.1, 0.6}, 8));
  robot.joints.push_back(joint("end", JointType::revolute, "odd", "odder", 9));
  EXPECT_EQ(
      outcome(robot),
      "a.urdf:3: a principal moment of inertia above the sum of the other two, which no body has, of links 'odd', "
      "'odder' (lines 3, 8) is used as it is given\n");
  EXPECT_EQ(outcome(two_bodies(JointType::revolute, link("weightless", 0, {0.1, 0.1, 0.1}, 3))),
            "a.urdf:3: an inertia without mass of link 'weightless' is used as it is given\n");
}

// About z, along which both hinges turn, the carried body's moment is iz: M is positive definite where that is.
TEST(JudgeInertias, NegativeMomentsAreTakenWhereTheMassMatrixStaysPositiveDefinite) {
  EXPECT_EQ(
      outcome(two_bodies(JointType::revolute, link("odd", 1, {-0.1, 0.1, 0.2}, 3))),
      "a.urdf:3: a negative principal moment of inertia, with which the mass matrix stays positive definite, of link "
      "'odd' is used as it is given\n");
  EXPECT_EQ(
      outcome(two_bodies(JointType::spherical, link("odd", 1, {-0.1, 0.1, 0.2}, 3))),
      "refused: a.urdf:3: found principal moments of inertia -0.1, 0.1, 0.2 kg·m² of link 'odd', with which the mass "
      "matrix is not positive definite (joint 'wrist'); allowed: none negative");
}

// M₂₂ = 0.5 in every posture, but det M = 0.5 − cos² q₂, and a little for the arm: negative where the wrist is stretched or folded.
TEST(JudgeInertias, NegativeMomentsAreLookedAtInManyPostures) {
  Link odd = link("odd", 1, {0.1, 0.1, -0.5}, 3);
  odd.com = {1, 0, 0};
  RobotDescription robot = two_bodies(JointType::revolute, odd);
  robot.links[1] = link("arm", 1e-3, {1e-3, 1e-3, 1e-3}, 2);
  EXPECT_TRUE(outcome(robot).starts_with("refused: a.urdf:3: found principal moments of inertia -0.5, 0.1, 0.1"));
}

TEST(JudgeInertias, JointsThatMoveNoMassAreTakenBesideOthersThatDo) {
  EXPECT_EQ(
      outcome(two_bodies(JointType::revolute, link("finger", 0, {}, 3))),
      "a.urdf:5: no mass is moved by joint 'wrist': a rotor inertia is lent in runs, by which what nothing drives "
      "stays where it is\n");
  RobotDescription nothing = two_bodies(JointType::revolute, link("finger", 0, {}, 3));
  nothing.links[1] = link("arm", 0, {}, 2);
  EXPECT_TRUE(outcome(nothing).starts_with("refused: a.urdf:4: found joint 'shoulder', which moves no mass"));
  RobotDescription led = two_bodies(JointType::revolute, link("finger", 0, {}, 3));
  led.couplings = {{"wrist", "shoulder", 2, 0.1, {"a.urdf", 6}}};
  EXPECT_EQ(outcome(led), "a.urdf:5: no mass is moved by joint 'wrist': the mimic determines the motion\n");
}

}  // namespace
}  // namespace trammel
