#include "trammel/model/build_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random_robot.h"
#include "trammel/model/configuration.h"
#include "trammel/model/positions.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Two links of 1 kg on a horizontal ground, the second sliding on the first.
RobotDescription two_links() {
  Random random(1);
  RobotDescription robot;
  robot.name = "pair";
  for (const char* name : {"a", "b"}) robot.links.push_back(random_link(random, name));
  robot.joints.push_back(random_joint(random, JointType::revolute, "ja", "world", "a"));
  robot.joints.push_back(random_joint(random, JointType::prismatic, "jb", "a", "b"));
  return robot;
}

std::string message_of(const RobotDescription& robot) {
  try {
    build_model(robot);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The pose of a link, worked out link by link in the author's own frames: what the model must reproduce in its own.
Pose<> author_pose(const RobotDescription& robot, const Model& model, const VecX<>& q, const std::string& link) {
  for (const Joint& joint : robot.joints) {
    if (joint.child != link) continue;
    const Pose<> before = author_pose(robot, model, q, joint.parent) * joint.at;
    if (joint.type == JointType::fixed) return before;
    const Body& body = model.bodies()[model.joint(joint.name)];
    const double* c = q.data() + body.q;
    const Vec3<> n = joint.axis.normalized(), m = joint.second_axis.normalized();
    const auto turn = [](const Vec3<>& axis, double angle) { return exp_so3(angle * axis); };
    switch (joint.type) {
      case JointType::revolute:
        return before * Pose<>{turn(n, c[0]), Vec3<>::Zero()};
      case JointType::prismatic:
        return before * Pose<>{Mat3<>::Identity(), c[0] * n};
      case JointType::helical:
        return before * Pose<>{turn(n, c[0]), joint.pitch * c[0] * n};
      case JointType::cylindrical:
        return before * Pose<>{turn(n, c[0]), c[1] * n};
      case JointType::universal:
        return before * Pose<>{turn(n, c[0]) * turn(m, c[1]), Vec3<>::Zero()};
      case JointType::spherical:
        return before * Pose<>{rotation_from_quaternion<double>({c[0], c[1], c[2], c[3]}), Vec3<>::Zero()};
      case JointType::planar: {
        const Mat3<> axes = frame_with_z(n);  // the author leaves open which way x and y lie; this is our choice
        return before * Pose<>{turn(n, c[2]), axes.col(0) * c[0] + axes.col(1) * c[1]};
      }
      case JointType::floating:
        return before * Pose<>{rotation_from_quaternion<double>({c[3], c[4], c[5], c[6]}), Vec3<>(c[0], c[1], c[2])};
      default:
        return before;
    }
  }
  return {};
}

RC_GTEST_PROP(BuildModel, LinksStandWhereTheAuthorSaidAtEveryConfiguration, ()) {
  Random random(*any_seed());
  RobotDescription robot = random_robot(random, random.integer(1, 10));
  // some joints are fixed: their links become parts of other bodies
  for (Joint& joint : robot.joints)
    if (random.integer(0, 3) == 0) joint.type = JointType::fixed;
  const Model model = build_model(robot);
  const VecX<> q = random_configuration(random, model);
  Positions<> where(model);
  positions<double>(model, q, where);
  for (const Link& link : robot.links) {
    const Pose<> X = where.pose(model.frame(link.name)), truth = author_pose(robot, model, q, link.name);
    RC_ASSERT((X.R - truth.R).norm() < 1e-13);
    RC_ASSERT((X.p - truth.p).norm() < 1e-12);
  }
  double mass = 0;
  for (const Link& link : robot.links) mass += link.mass;
  RC_ASSERT(std::abs(model.moving_mass() + model.fixed_mass() - mass) < 1e-12);
}

RC_GTEST_PROP(BuildModel, AMergedBodyHasTheInertiaOfItsLinks, ()) {
  Random random(*any_seed());
  RobotDescription robot = random_robot(random, 4);
  robot.joints[0].type = JointType::floating;
  for (int i = 1; i < 4; ++i) {
    robot.joints[i].type = JointType::fixed;
    robot.joints[i].parent = "link" + std::to_string(i - 1);
  }
  robot.joints[0].parent = "world";
  const Model model = build_model(robot);
  RC_ASSERT(model.body_count() == 1);
  Inertia<> sum;
  Pose<> at;  // of each link in the first one's frame
  for (int i = 0; i < 4; ++i) {
    if (i > 0) at = at * robot.joints[i].at;
    const Link& link = robot.links[i];
    sum = sum + Inertia<>::from_com(link.mass, link.com, link.inertia).transformed(at);
  }
  RC_ASSERT((model.bodies()[0].inertia.matrix() - sum.matrix()).norm() < 1e-12);
}

TEST(BuildModel, ParentsStandBeforeTheirChildrenWhateverTheOrderOfTheDescription) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    RobotDescription robot = random_robot(random, 20);
    std::ranges::reverse(robot.links);
    std::ranges::reverse(robot.joints);
    const Model model = build_model(robot);
    for (int b = 0; b < model.body_count(); ++b) EXPECT_LT(model.bodies()[b].parent, b);
  }
}

TEST(BuildModel, ByDepthEveryBodyStandsOnceBehindAllThatHaveFewerAncestors) {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Model model = build_model(random_robot(random, 20));
    const auto ancestors = [&](int body) {
      int count = 0;
      while ((body = model.bodies()[body].parent) != world) ++count;
      return count;
    };
    std::vector<int> order(model.by_depth().begin(), model.by_depth().end());
    EXPECT_TRUE(std::ranges::is_sorted(order, {}, ancestors));
    std::ranges::sort(order);
    for (int b = 0; b < model.body_count(); ++b) EXPECT_EQ(order.at(b), b);
  }
}

TEST(BuildModel, SeveralRobotsKeepTheirNamesBehindAPrefixAndTheirPlace) {
  const RobotDescription robot = two_links();
  Pose<> right_place;
  right_place.p = {1, 0, 0};
  const Model model = build_model({{robot, "left", Base::fixed, {}}, {robot, "right", Base::fixed, right_place}});
  EXPECT_EQ(model.nv(), 4);
  EXPECT_EQ(model.joint_name(model.joint("right.jb")), "right.jb");
  Positions<> where(model);
  positions<double>(model, neutral_configuration(model), where);
  const Vec3<> apart = where.pose(model.frame("right.b")).p - where.pose(model.frame("left.b")).p;
  EXPECT_LT((apart - Vec3<>(1, 0, 0)).norm(), 1e-15);
}

TEST(BuildModel, ABaseCanBeFixedPlanarOrFloating) {
  RobotDescription robot = two_links();
  robot.joints[0].parent = "hull";
  Random random(4);
  robot.links.push_back(random_link(random, "hull"));
  EXPECT_EQ(build_model({{robot, "", Base::fixed, {}}}).nv(), 2);
  EXPECT_EQ(build_model({{robot, "", Base::planar, {}}}).nv(), 5);
  const Model floating = build_model({{robot, "", Base::floating, {}}});
  EXPECT_EQ(floating.nv(), 8);
  EXPECT_EQ(floating.nq(), 9);
  EXPECT_EQ(floating.joint_name(0), "base");
  EXPECT_EQ(floating.velocity_name(5), "base[5]");
  EXPECT_EQ(floating.velocity_name(7), "jb");
}

TEST(BuildModel, MasslessLinksAreFineWhileSomethingFurtherOutHasMass) {
  RobotDescription robot = two_links();
  robot.links[0].mass = 0;
  robot.links[0].inertia = {};
  EXPECT_EQ(message_of(robot), "no error");
  EXPECT_TRUE(build_model(robot).bodies()[0].massless);
  EXPECT_FALSE(build_model(robot).bodies()[1].massless);
  robot.links[1].mass = 0;
  robot.links[1].inertia = {};
  EXPECT_EQ(message_of(robot),
            "found joint 'ja', which moves no mass: link 'a' and what it carries have no inertia along its motion; "
            "allowed: a joint that moves some mass, or that has a rotor inertia, or a fixed joint\n"
            "found joint 'jb', which moves no mass: link 'b' and what it carries have no inertia along its motion; "
            "allowed: a joint that moves some mass, or that has a rotor inertia, or a fixed joint");
  for (Joint& joint : robot.joints) joint.coordinates = {Coordinate{.rotor_inertia = 0.1}};
  EXPECT_EQ(message_of(robot), "no error");
}

TEST(BuildModel, APointMassOnTheAxisOfATurningJointIsRefused) {
  RobotDescription robot = two_links();
  robot.joints[1].type = JointType::revolute;
  robot.joints[1].axis = {0, 0, 1};
  robot.links[1].com = {0, 0, 0.3};
  robot.links[1].inertia = {};
  EXPECT_NE(message_of(robot).find("moves no mass"), std::string::npos);
}

TEST(BuildModel, PropertiesOfCoordinatesAreKept) {
  RobotDescription robot = two_links();
  robot.joints[1].coordinates = {Coordinate{.lower = -1, .upper = 2, .damping = 3, .friction = 4, .stiffness = 5}};
  const Model model = build_model(robot);
  EXPECT_EQ(model.coordinates()[0].damping, 0);
  EXPECT_EQ(model.coordinates()[1].upper, 2);
  EXPECT_EQ(model.coordinates()[1].stiffness, 5);
}

TEST(BuildModel, NamesTheNearestNameForAMisspeltOne) {
  const Model model = build_model(two_links());
  try {
    model.joint("jc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "found joint 'jc', which does not exist; allowed: one of ja, jb");
  }
}

TEST(BuildModel, AChainOfTenThousandLinksIsBuilt) {
  Random random(5);
  const JointType revolute[] = {JointType::revolute};
  RobotDescription robot = random_robot(random, 10000, revolute);
  for (int i = 1; i < 10000; ++i) robot.joints[i].parent = "link" + std::to_string(i - 1);
  EXPECT_EQ(build_model(robot).nv(), 10000);
}

// Each case spoils a good robot in one way; a description made in C++ has no file, so the message starts with "found".
struct BadDescription {
  const char* what;
  void (*spoil)(RobotDescription&);
  const char* message;
};

void PrintTo(const BadDescription& bad, std::ostream* out) { *out << bad.what; }

class BadDescriptions : public testing::TestWithParam<BadDescription> {};

TEST_P(BadDescriptions, AreRefusedWithWhatWasFoundAndWhatIsAllowed) {
  RobotDescription robot = two_links();
  GetParam().spoil(robot);
  EXPECT_EQ(message_of(robot), GetParam().message);
}

const BadDescription bad_descriptions[] = {
    {"NoLinks", [](RobotDescription& r) { r.links.clear(), r.joints.clear(); },
     "found robot 'pair' without links; allowed: at least one link"},
    {"SpringOnAQuaternion",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::spherical;
       r.joints[0].coordinates = {Coordinate{.stiffness = 1}};
     },
     "found a spring on the quaternion of joint 'ja'; allowed: springs on coordinates whose rate is the velocity"},
    {"TwoCoordinatesForThree",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::planar;
       r.joints[0].coordinates.resize(2);
     },
     "found properties of 2 coordinates of joint 'ja'; allowed: none, one for all, or 3"},
    {"SlantedUniversalAxes",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::universal;
       r.joints[0].axis = {0, 0, 1};
       r.joints[0].second_axis = {1, 0, 0.1};
     },
     "found axes of joint 'ja' that are not at right angles; allowed: a second axis across the first"},
    {"InfinitePitch",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::helical;
       r.joints[0].pitch = INFINITY;
     },
     "found pitch inf of joint 'ja'; allowed: a finite number"},
    {"NegativeRotor", [](RobotDescription& r) { r.joints[0].coordinates = {Coordinate{.rotor_inertia = -1}}; },
     "found rotor inertia -1 of joint 'ja'; allowed: 0 or more, finite"},
    {"RotorsOfABallThatDiffer",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::spherical;
       r.joints[0].coordinates = {Coordinate{.rotor_inertia = 1}, Coordinate{.rotor_inertia = 1},
                                  Coordinate{.rotor_inertia = 2}};
     },
     "found rotor inertias 1 and 2 about the axes of spherical joint 'ja'; allowed: the same about all three"},
    {"RotorsOfAFloatingJointThatDiffer",
     [](RobotDescription& r) {
       r.joints[0].type = JointType::floating;
       r.joints[0].coordinates.resize(6);  // v: linear, then angular
       for (int i = 0; i < 6; ++i) r.joints[0].coordinates[i].rotor_inertia = i < 4 ? i : 3;
       r.joints[0].coordinates[4].rotor_inertia = 5;
     },
     "found rotor inertias 3 and 5 about the axes of floating joint 'ja'; allowed: the same about all three"},
    {"FrameOnNoLink",
     [](RobotDescription& r) {
       r.frames.push_back({"tool", "c", {}, {}});
     },
     "found link 'c' of frame 'tool', which does not exist; allowed: one of world, a, b"},
    {"FrameNamedLikeALink",
     [](RobotDescription& r) {
       r.frames.push_back({"a", "b", {}, {}});
     },
     "found a frame named 'a' like a link; allowed: a name that no link has"},
    {"NotFiniteMassCentre", [](RobotDescription& r) { r.links[1].com[2] = NAN; },
     "found a mass centre of link 'b' that is not finite; allowed: finite numbers"},
};

INSTANTIATE_TEST_SUITE_P(Cases, BadDescriptions, testing::ValuesIn(bad_descriptions),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(BuildModel, TakesAnInertiaThatNoBodyHasWhereItDoesNotMatter) {
  const auto with = [](const std::string& moving, const Symmetric3<>& inertia) {
    RobotDescription robot = two_links();
    Link odd;
    odd.name = "odd", odd.mass = 0.1, odd.inertia = inertia;
    robot.links.push_back(odd);
    Joint joint;
    joint.name = "odd joint", joint.parent = moving, joint.child = "odd", joint.type = JointType::fixed;
    robot.joints.push_back(joint);
    return robot;
  };
  const Symmetric3<> flatter_than_flat{1e-6, 1e-6, 1e-5};
  EXPECT_EQ(build_model(with("world", {0.1, 0.1, 0.5})).warnings().size(), 1u);  // does not move
  EXPECT_EQ(build_model(with("b", flatter_than_flat)).warnings().size(), 1u);    // a small part of a body that can be
  RobotDescription alone = with("b", flatter_than_flat);
  alone.joints.back().type = JointType::spherical;
  EXPECT_EQ(message_of(alone),
            "found principal moments of inertia 1e-06, 1e-06, 1e-05 kg·m² of link 'odd'; allowed: none negative, and "
            "none above the sum of the other two");
  alone.links.back().inertia = {{1e-6, 1e-6, 1e-6}, {1e-6, 1e-6, 1e-6}};  // a place holder: two moments are zero
  alone.joints.back().type = JointType::prismatic;
  EXPECT_EQ(build_model(alone).warnings().size(), 1u);
  EXPECT_TRUE(build_model(two_links()).warnings().empty());
}

TEST(BuildModel, RefusesLengthsTooLargeToComputeWith) {
  RobotDescription robot = two_links();
  robot.joints[1].at.p = {0, 1e101, 0};
  EXPECT_EQ(message_of(robot),
            "found a length of 1e+101 m of joint 'jb', too large to compute with; allowed: up to 1e+100 m");
  const Model model = build_model(two_links());
  EXPECT_THROW(checked_configuration(model, VecX<>::Constant(2, 1e101)), Error);
}

}  // namespace
}  // namespace trammel
