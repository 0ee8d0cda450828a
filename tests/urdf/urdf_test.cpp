#include "trammel/urdf/urdf.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/model/build_model.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

RobotDescription parse(const std::string& content) {
  return parse_urdf("<robot name='robot'>\n" + content + "\n</robot>\n", "robot.urdf");
}

// A robot with one link that holds `content`; the content begins in line 3.
Link parse_link(const std::string& content) { return parse("<link name='a'>\n" + content + "\n</link>").links.at(0); }

// A robot with one joint that holds `content`; the content begins in line 5.
RobotDescription parse_joint(const std::string& type, const std::string& content) {
  return parse(
      fmt::format("<link name='a'/><link name='b'/>\n<joint name='j' type='{}'>\n"
                  "<parent link='a'/><child link='b'/>\n{}\n</joint>",
                  type, content));
}

std::vector<std::string> warnings_of(const RobotDescription& robot) {
  std::vector<std::string> out;
  for (const Warning& warning : robot.warnings) out.push_back(to_string(warning.place) + ": " + warning.text);
  return out;
}

using Texts = std::vector<std::string>;

constexpr const char* unit_limit = "<limit lower='-1' upper='1' effort='1' velocity='1'/>";

// ---- inertials

TEST(UrdfInertial, WithoutRotationIsKeptToTheLastBit) {
  const Link link = parse_link(
      "<inertial><origin xyz='0.1 -0.2 0.3' rpy='0 0 0'/><mass value='3.5'/>"
      "<inertia ixx='1e-9' ixy='0.01' ixz='0.02' iyy='0.3' iyz='0.03' izz='0.25'/></inertial>");
  EXPECT_EQ(link.mass, 3.5);
  EXPECT_EQ(link.com, Vec3<>(0.1, -0.2, 0.3));
  const Symmetric3<> I = link.inertia;
  EXPECT_EQ((std::array{I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}), (std::array{1e-9, 0.01, 0.02, 0.3, 0.03, 0.25}));
}

TEST(UrdfInertial, OfARodTurnedByRollPitchYawIsThatOfARodAlongTheTurnedAxis) {
  const double m = 2, length = 1.5, roll = 0.3, pitch = -0.7, yaw = 1.9, I = m * length * length / 12;
  const Link link =
      parse_link(fmt::format("<inertial><origin xyz='1 2 3' rpy='{} {} {}'/><mass value='{}'/>"
                             "<inertia ixx='{}' ixy='0' ixz='0' iyy='{}' iyz='0' izz='0'/></inertial>",
                             roll, pitch, yaw, m, I, I));
  // where fixed-axis roll, pitch, yaw take the z axis
  const Vec3<> n(std::cos(yaw) * std::sin(pitch) * std::cos(roll) + std::sin(yaw) * std::sin(roll),
                 std::sin(yaw) * std::sin(pitch) * std::cos(roll) - std::cos(yaw) * std::sin(roll),
                 std::cos(pitch) * std::cos(roll));
  const Mat3<> expected = I * (Mat3<>::Identity() - n * n.transpose());
  EXPECT_LT((link.inertia.matrix() - expected).norm(), 1e-15);
  EXPECT_EQ(link.com, Vec3<>(1, 2, 3));
}

TEST(UrdfInertial, TurnedByAQuarterAboutZSwapsXAndY) {
  const Link link =
      parse_link(fmt::format("<inertial><origin rpy='0 0 {}'/><mass value='1'/>"
                             "<inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='2.5'/></inertial>",
                             pi / 2));
  // x' = y, y' = −x
  const Mat3<> expected{{2, -0.1, -0.3}, {-0.1, 1, 0.2}, {-0.3, 0.2, 2.5}};
  EXPECT_LT((link.inertia.matrix() - expected).norm(), 1e-15);
}

TEST(UrdfInertial, IsZeroWithoutTheElement) {
  const Link link = parse_link("");
  EXPECT_EQ(link.mass, 0);
  EXPECT_EQ(link.inertia.matrix(), Mat3<>(Mat3<>::Zero()));
}

// ---- joints

TEST(UrdfJoint, OfEveryTypeIsRead) {
  const std::vector<std::pair<std::string, JointType>> types{
      {"revolute", JointType::revolute}, {"continuous", JointType::revolute}, {"prismatic", JointType::prismatic},
      {"fixed", JointType::fixed},       {"floating", JointType::floating},   {"planar", JointType::planar}};
  for (const auto& [name, type] : types) {
    const bool has_limit = type == JointType::revolute || type == JointType::prismatic;
    const RobotDescription robot =
        parse_joint(name, "<origin xyz='1 2 3'/><axis xyz='0 3 4'/>" + std::string(has_limit ? unit_limit : ""));
    const Joint& joint = robot.joints.at(0);
    EXPECT_EQ(joint.type, type) << name;
    EXPECT_EQ(joint.parent, "a");
    EXPECT_EQ(joint.child, "b");
    EXPECT_EQ(joint.at.p, Vec3<>(1, 2, 3));
    const bool has_axis = has_limit || type == JointType::planar;
    EXPECT_EQ(joint.axis, has_axis ? Vec3<>(0, 3, 4) : Joint().axis) << name;
    EXPECT_EQ(joint.coordinates.size(), has_limit ? 1u : 0u) << name;
  }
}

TEST(UrdfJoint, HasTheAxisXWhereNoneIsGiven) {
  EXPECT_EQ(parse_joint("revolute", unit_limit).joints[0].axis, Vec3<>(Vec3<>::UnitX()));
}

TEST(UrdfJoint, ThatIsFixedMayHaveAnAxisWithoutDirection) {
  EXPECT_NO_THROW(build_model(parse_joint("fixed", "<axis xyz='0 0 0'/>")));
}

TEST(UrdfJoint, TurnsTheChildByRollThenPitchThenYawAboutFixedAxes) {
  const Pose<> X = parse_joint("fixed", fmt::format("<origin rpy='{0} 0 {0}'/>", pi / 2)).joints[0].at;
  // roll takes z to −y, yaw takes −y to x
  EXPECT_LT((X.R * Vec3<>::UnitZ() - Vec3<>::UnitX()).norm(), 1e-15);
}

TEST(UrdfJoint, MayGiveItsOrientationAsAQuaternion) {
  const double s = std::sqrt(0.5);
  const Pose<> X = parse_joint("fixed", fmt::format("<origin quat_xyzw='0 0 {0} {0}'/>", s)).joints[0].at;
  EXPECT_LT((X.R * Vec3<>::UnitX() - Vec3<>::UnitY()).norm(), 1e-15);
}

TEST(UrdfJoint, HasItsLimitsDampingAndFriction) {
  const RobotDescription robot = parse_joint("prismatic",
                                             "<limit lower='-0.5' upper='0.25' effort='30' velocity='2'/>"
                                             "<dynamics damping='0.7' friction='0.1'/>");
  const Coordinate& c = robot.joints[0].coordinates.at(0);
  EXPECT_EQ((std::array{c.lower, c.upper, c.effort_limit, c.speed_limit, c.damping, c.friction}),
            (std::array{-0.5, 0.25, 30.0, 2.0, 0.7, 0.1}));
  EXPECT_TRUE(robot.warnings.empty());
}

TEST(UrdfLimit, LowerOrUpperAreZeroWhereMissing) {
  const RobotDescription robot = parse_joint("revolute", "<limit upper='2' effort='1' velocity='1'/>");
  EXPECT_EQ(robot.joints[0].coordinates[0].lower, 0);
  EXPECT_EQ(robot.joints[0].coordinates[0].upper, 2);
  EXPECT_TRUE(robot.warnings.empty());
}

TEST(UrdfLimit, WithoutLowerAndUpperIsWarnedOf) {
  EXPECT_EQ(
      warnings_of(parse_joint("revolute", "<limit effort='1' velocity='1'/>")),
      Texts{"robot.urdf:5: 1 <limit> has neither lower nor upper: both are 0, the joint cannot move within them"});
}

TEST(UrdfLimit, WithoutEffortAndVelocityIsUnlimitedAndWarnedOf) {
  const RobotDescription robot = parse_joint("revolute", "<limit lower='-1' upper='1'/>");
  EXPECT_EQ(robot.joints[0].coordinates[0].effort_limit, unlimited);
  EXPECT_EQ(robot.joints[0].coordinates[0].speed_limit, unlimited);
  EXPECT_EQ(warnings_of(robot), (Texts{"robot.urdf:5: 1 <limit> has no effort: it is taken as unlimited",
                                       "robot.urdf:5: 1 <limit> has no velocity: it is taken as unlimited"}));
}

TEST(UrdfLimit, OfAContinuousJointHasNoRange) {
  const RobotDescription robot = parse_joint("continuous", unit_limit);
  const Coordinate& c = robot.joints[0].coordinates.at(0);
  EXPECT_EQ(c.lower, -unlimited);
  EXPECT_EQ(c.upper, unlimited);
  EXPECT_EQ(c.effort_limit, 1);
  EXPECT_EQ(warnings_of(robot),
            Texts{"robot.urdf:5: 1 <limit> of a continuous joint has lower or upper, which are not used"});
  EXPECT_TRUE(parse_joint("continuous", "").warnings.empty());
}

TEST(UrdfLimit, OfAJointWithoutOneCoordinateIsWarnedOf) {
  EXPECT_EQ(warnings_of(parse_joint("floating", std::string(unit_limit) + "\n<dynamics damping='1'/>")),
            (Texts{"robot.urdf:5: 1 <limit> of a floating joint is not used",
                   "robot.urdf:6: 1 <dynamics> of a floating joint is not used"}));
}

// A second joint, 'k', for the first to follow.
constexpr const char* followed =
    "</joint><link name='c'/><joint name='k' type='continuous'><parent link='a'/><child link='c'/>";

TEST(UrdfMimic, BecomesACoupling) {
  const RobotDescription robot =
      parse_joint("revolute", std::string(unit_limit) + "\n<mimic joint='k' multiplier='-2' offset='0.5'/>" + followed);
  const Coupling& coupling = robot.couplings.at(0);
  EXPECT_EQ(coupling.joint, "j");
  EXPECT_EQ(coupling.source, "k");
  EXPECT_EQ(coupling.multiplier, -2);
  EXPECT_EQ(coupling.offset, 0.5);
  EXPECT_EQ(to_string(coupling.place), "robot.urdf:6");
}

TEST(UrdfMimic, IsTheSameMotionWhereNoNumbersAreGiven) {
  const RobotDescription robot = parse_joint("revolute", std::string(unit_limit) + "<mimic joint='k'/>" + followed);
  EXPECT_EQ(robot.couplings.at(0).multiplier, 1);
  EXPECT_EQ(robot.couplings.at(0).offset, 0);
}

TEST(UrdfMimic, ThatCannotActIsLeftOutWithAWarning) {
  const RobotDescription none = parse_joint("revolute", std::string(unit_limit) + "<mimic joint='jj'/>");
  EXPECT_TRUE(none.couplings.empty());
  EXPECT_EQ(warnings_of(none), (Texts{"robot.urdf:5: the mimic of joint 'j' is not used: there is no joint 'jj'"}));
  const RobotDescription fixed = parse_joint("fixed", std::string("<mimic joint='k'/>") + followed);
  EXPECT_TRUE(fixed.couplings.empty());
  EXPECT_EQ(warnings_of(fixed),
            (Texts{"robot.urdf:5: the mimic of joint 'j' is not used: a fixed joint does not move"}));
}

// ---- mistakes

TEST(UrdfMistakes, AreAllTold) {
  const std::string text =
      "<link>\n<inertial><mass value='x'/><inertia ixx='1'/></inertial></link>\n"
      "<link name='a'><visual/></link>\n<link name='b'><inertial><mass value='-1'/>"
      "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial></link>\n"
      "<joint name='j' type='revolut'><parent link='a'/><child link='b'/><origin xyz='1'/></joint>\n"
      "<joint name='k' type='continuous'><parent link='b'/><child link='a'/><axis xyz='0 0 0'/></joint>";
  std::string message;
  try {
    parse(text);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(
      message,
      "robot.urdf:2: found no name of <link>; allowed: a name\n"
      "robot.urdf:3: found value=\"x\" ('x' is no number) of <mass> in <link>; allowed: a finite number\n"
      "robot.urdf:3: found no iyy of <inertia> in <link>; allowed: a finite number\n"
      "robot.urdf:4: found no <geometry> in <visual> in link 'a'; allowed: one <geometry>\n"
      "robot.urdf:5: found mass -1 kg of link 'b'; allowed: 0 or more\n"
      "robot.urdf:6: found xyz=\"1\" (1 number) of <origin> in joint 'j'; allowed: three finite numbers\n"
      "robot.urdf:6: found type=\"revolut\" of joint 'j'; allowed: one of revolute, continuous, prismatic, fixed, "
      "floating, planar (did you mean 'revolute'?)\n"
      "robot.urdf:7: found axis (0, 0, 0) of joint 'k'; allowed: a finite vector with a direction");
}

// ---- warnings

TEST(UrdfWarnings, AreOneForEachKindAtThePlaceOfTheFirst) {
  const RobotDescription robot = parse(
      "<link name='a'>\n<collision/>\n<collision/>\n</link>\n<link name='b'><collision/></link>\n"
      "<gazebo reference='a'><mu1>0.2</mu1></gazebo>\n"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n<safety_controller "
      "k_velocity='1'/>\n"
      "<calibration rising='0'/></joint>");
  EXPECT_EQ(warnings_of(robot),
            (Texts{"robot.urdf:3: 3 <collision> elements are not used", "robot.urdf:7: 1 <gazebo> element is not used",
                   "robot.urdf:9: 1 <safety_controller> element is not used",
                   "robot.urdf:10: 1 <calibration> element is not used"}));
}

TEST(UrdfWarnings, NameWhatIsUnknownAndWhatWasProbablyMeant) {
  const RobotDescription robot = parse(
      "<link nam='x' name='a'/>\n<joints/>\n<joints/>\n<banana/>\n<link name='b' colour='red'>\nstray text "
      "</link>");
  EXPECT_EQ(warnings_of(robot),
            (Texts{"robot.urdf:2: 1 unknown attribute nam of <link> is not used (did you mean name?)",
                   "robot.urdf:3: 2 unknown elements <joints> in <robot> are not used (did you mean <joint>?)",
                   "robot.urdf:5: 1 unknown element <banana> in <robot> is not used",
                   "robot.urdf:6: 1 unknown attribute colour of <link> is not used",
                   "robot.urdf:7: 1 stray text in <link> is not used ('stray text')"}));
}

TEST(UrdfWarnings, OfAThousandKindsAreCutShort) {
  std::string content = "<link name='a'/>";
  for (int i = 0; i < 1000; ++i) content += fmt::format("<thing{}/>", i);
  const RobotDescription robot = parse(content);
  ASSERT_EQ(robot.warnings.size(), 101u);
  EXPECT_EQ(robot.warnings.back().text, "900 things of other kinds are not used");
}

TEST(UrdfWarnings, ReachTheModel) {
  EXPECT_EQ(build_model(parse("<link name='a'><collision/></link>")).warnings().size(), 1u);
}

// ---- text

TEST(UrdfText, GivesThePlacesOfLinksAndJoints) {
  const RobotDescription robot = parse_joint("fixed", "");
  EXPECT_EQ(to_string(robot.place), "robot.urdf:1");
  EXPECT_EQ(to_string(robot.links[1].place), "robot.urdf:2");
  EXPECT_EQ(to_string(robot.joints[0].place), "robot.urdf:3");
}

TEST(UrdfText, MayHaveAllThatXmlHas) {
  const RobotDescription robot = parse_urdf(
      "\xef\xbb\xbf<?xml version='1.0' encoding=\"UTF-8\"?>\r\n<!DOCTYPE robot>\r\n<!-- <link> & -- <robot> -->\r\n"
      "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" name='R&amp;D &#xe9;'\r\n>\r\n"
      "<link name='a>b \"c\"'\t/></robot >",
      "robot.urdf");
  EXPECT_EQ(robot.name, "R&D é");
  EXPECT_EQ(robot.links.at(0).name, "a>b \"c\"");
}

TEST(UrdfNumbers, MayBeWrittenInEveryUsualWay) {
  const Link link = parse_link(
      "<inertial><origin xyz=' +.5\t-1.e-3\n1E2 '/><mass value=' 4.9e-324'/>"
      "<inertia ixx='-0' ixy='0' ixz='0' iyy='000' iyz='0' izz='0.'/></inertial>");
  EXPECT_EQ(link.com, Vec3<>(0.5, -0.001, 100));
  EXPECT_EQ(link.mass, 4.9e-324);
}

// ---- whole robots

// Bodies of 1 kg in a row, each 1 m above the one before and hinged to it.
std::string chain(int links) {
  std::string text = "<robot name='chain'>\n<link name='l0'/>\n";
  for (int i = 1; i < links; ++i) {
    text += fmt::format(
        "<link name='l{0}'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
        "izz='1'/></inertial></link>\n<joint name='j{0}' type='continuous'><parent link='l{1}'/>"
        "<child link='l{0}'/><origin xyz='0 0 1'/></joint>\n",
        i, i - 1);
  }
  return text + "</robot>\n";
}

TEST(Urdf, ChainOf1000LinksLoads) {
  const Model model = build_model(parse_urdf(chain(1000), "chain.urdf"));
  EXPECT_EQ(model.nv(), 999);
  EXPECT_EQ(model.moving_mass(), 999);
  EXPECT_EQ(model.bodies()[998].parent, 997);
}

TEST(Urdf, ChainOf20000LinksLoadsInTimeThatGrowsWithItsLength) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_urdf(chain(20000), "chain.urdf").links.size(), 20000u);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 10);  // some 0.3 s; sanitizers are slow
}

struct OthersRobot {
  const char* file;
  std::size_t links, joints, couplings;
  int nv;
  double mass;  // kg, of all links: the sum of the file's <mass> elements
};

class OthersUrdf : public testing::TestWithParam<OthersRobot> {};

TEST_P(OthersUrdf, LoadsAndBuilds) {
  const OthersRobot expected = GetParam();
  const fs::path path = fs::path(TRAMMEL_ROBOT_DATA) / expected.file;
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not here";
  const RobotDescription robot = read_urdf(path.string());
  EXPECT_EQ(robot.links.size(), expected.links);
  EXPECT_EQ(robot.joints.size(), expected.joints);
  EXPECT_EQ(robot.couplings.size(), expected.couplings);
  const Model model = build_model(robot);
  EXPECT_EQ(model.nv(), expected.nv);
  EXPECT_NEAR(model.moving_mass() + model.fixed_mass(), expected.mass, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Robots, OthersUrdf,
    testing::Values(OthersRobot{"panda_description/urdf/panda.urdf", 13, 12, 1, 9, 17.451901},
                    OthersRobot{"ur_description/urdf/ur5_robot.urdf", 11, 10, 0, 6, 20.9939},
                    OthersRobot{"simple_humanoid_description/urdf/simple_humanoid.urdf", 31, 30, 0, 29, 130.8},
                    OthersRobot{"baxter_description/urdf/baxter.urdf", 57, 56, 2, 19, 137.33261044},
                    OthersRobot{"solo_description/robots/solo12.urdf", 17, 16, 0, 12, 2.50000279}),
    [](const auto& tested) { return fs::path(tested.param.file).stem().string(); });

}  // namespace
}  // namespace trammel
