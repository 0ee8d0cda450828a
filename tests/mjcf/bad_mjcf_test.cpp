#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/mjcf/mjcf.h"

// What is wrong in a model is refused at its line, with what was found and what is allowed.

namespace trammel::test {
namespace {

struct BadModel {
  const char *text, *message;
};

std::string refusal(const std::string& text) {
  try {
    parse_mjcf(text, "bad.xml");
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing refused";
}

std::string with_inertial(const std::string& joints, const std::string& rest = "") {
  return fmt::format(
      "<mujoco><worldbody><body name='a'>\n<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>{}</body>"
      "</worldbody>\n{}</mujoco>",
      joints, rest);
}

TEST(BadMjcf, WholeFilesAreRefusedAtTheirLine) {
  const BadModel all[] = {
      {"", "bad.xml: found an empty file; allowed: MJCF: <mujoco> … </mujoco>"},
      {"<robot name='r'/>", "bad.xml:1: found the root element <robot>; allowed: MJCF"},
      {"<mujoco>", "bad.xml:1: "},
      {"<mujoco></mujoco><mujoco/>", "as a second root element; allowed: one <mujoco>"},
      {"<mujoco>\n<wordlbody/></mujoco>", "bad.xml:2: found <wordlbody> in <mujoco>"},
      {"<mujoco>\n<compiler angel='radian'/></mujoco>", "bad.xml:2: found the attribute angel of <compiler>"},
      {"<mujoco><compiler angle='grad'/></mujoco>",
       "found angle=\"grad\" of <compiler>; allowed: one of degree, radian"},
      {"<mujoco><compiler eulerseq='xy'/></mujoco>", "three of x, y, z"},
      {"<mujoco><compiler coordinate='global'/></mujoco>", "found coordinate=\"global\""},
      {"<mujoco><compiler boundmass='-1'/></mujoco>", "allowed: 0 or more"},
      {"<mujoco><option gravity='0 0'/></mujoco>", "found gravity=\"0 0\" (2 numbers) of <option>; allowed: three"},
      {"<mujoco><include/></mujoco>", "found no file of <include>"},
      {"<mujoco><include file='nowhere.xml'/></mujoco>", "found file=\"nowhere.xml\" (no such file)"},
      {"<mujoco><include file='bad.xml'/></mujoco>", "a file that is not read already"},
      {"<mujoco>\n<default><default><joint/></default></default></mujoco>", "found no class of <default>"},
      {"<mujoco><default><default class='a'/>\n<default class='a'/></default></mujoco>",
       "bad.xml:2: found a second class 'a' of defaults"},
      {"<mujoco><worldbody>\n<replicate count='3'/></worldbody></mujoco>", "allowed: a model without it"},
      {"<mujoco><worldbody><composite type='cable'/></worldbody></mujoco>", "allowed: a model without it"},
      {"<mujoco><worldbody><flexcomp name='f'/></worldbody></mujoco>", "allowed: a model without it"},
      {"<mujoco><worldbody><body name='a'><body name='a'/></body></worldbody></mujoco>", "a second body named 'a'"},
      {"<mujoco><worldbody><body childclass='arm'/></worldbody></mujoco>", "found childclass=\"arm\""},
      {"<mujoco><worldbody><site name='s'/><site name='s'/></worldbody></mujoco>", "a second site named 's'"},
      {"<mujoco><worldbody><body><joint limited='True' range='0 1'/><geom size='1'/></body></worldbody></mujoco>",
       "found limited=\"True\""},
      {"<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>", "allowed: sizes above 0"},
      {"<mujoco><worldbody><geom type='box' size='1'/></worldbody></mujoco>", "allowed: 3 sizes of a box"},
      {"<mujoco><worldbody><geom type='ball' size='1'/></worldbody></mujoco>", "found type=\"ball\" of <geom>"},
      {"<mujoco><worldbody><geom type='mesh'/></worldbody></mujoco>", "allowed: the name of a mesh in <asset>"},
      {"<mujoco><worldbody><geom size='1' fromto='0 0 0 0 0 0' type='capsule'/></worldbody></mujoco>",
       "allowed: two different points"},
      {"<mujoco><worldbody><geom size='1' quat='0 0 0 0'/></worldbody></mujoco>", "a quaternion that is not zero"},
      {"<mujoco><worldbody><geom size='1' euler='1 2 3' zaxis='0 0 1'/></worldbody></mujoco>",
       "found 2 orientations of <geom>"},
      {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
       "found mass=\"-1\""},
      {"<mujoco><worldbody><body><inertial mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
       "found no pos of <inertial>"},
      {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='1'/></body></worldbody></mujoco>", "found no diaginertia"},
  };
  for (const BadModel& bad : all) {
    const std::string message = refusal(bad.text);
    EXPECT_NE(message.find(bad.message), std::string::npos) << bad.text << "\n"
                                                            << message << "\nin place of\n"
                                                            << bad.message;
    EXPECT_TRUE(message.starts_with("bad.xml")) << message;
  }
}

TEST(BadMjcf, JointsAndWhatRefersToThemAreRefusedAtTheirLine) {
  const auto equality = [](const std::string& text) {
    return with_inertial("<joint name='q'/>", "<equality>" + text + "</equality>");
  };
  const auto actuator = [](const std::string& text) {
    return with_inertial("<joint name='q'/>", "<actuator>" + text + "</actuator>");
  };
  const std::pair<std::string, const char*> all[] = {
      {with_inertial("<joint type='hinged'/>"), "bad.xml:2: found type=\"hinged\" of <joint>"},
      {with_inertial("<joint axis='0 0 0'/>"), "allowed: a vector with a direction"},
      {with_inertial("<joint axis='0 x 0'/>"), "'x' is no number"},
      {with_inertial("<joint name='q'/><joint name='q'/>"), "a second joint named 'q'"},
      {with_inertial("<joint range='1 -1'/>"), "the lower end before the upper one"},
      {with_inertial("<joint limited='true'/>"), "one, since limited is true"},
      {with_inertial("<joint damping='-1'/>"), "found damping=\"-1\""},
      {with_inertial("<joint stiffness='1 2'/>"), "one number: the force is linear here"},
      {with_inertial("<joint type='ball' stiffness='1'/>"), "0 of a ball or free joint"},
      {with_inertial("<joint springdamper='1 1'/>"), "stiffness and damping themselves"},
      {with_inertial("<freejoint/><joint/>"), "allowed: a free joint alone"},
      {with_inertial("<freejoint align='true'/>"), "aligned with the inertia of its body"},
      {with_inertial("<joint class='none'/>"), "found class=\"none\""},
      {equality("<connect body1='a'/>"), "bad.xml:3: found no anchor of <connect>"},
      {equality("<connect body1='b' anchor='0 0 0'/>"), "found body1=\"b\""},
      {equality("<connect body1='a' body2='a' anchor='0 0 0'/>"), "two different bodies"},
      {equality("<connect anchor='0 0 0'/>"), "the name of a body"},
      {equality("<weld site1='s' site2='u'/>"), "found site1=\"s\""},
      {equality("<weld body1='a' relpose='0 0 0'/>"), "found relpose=\"0 0 0\""},
      {equality("<joint joint1='p'/>"), "found joint1=\"p\""},
      {equality("<joint joint1='q' joint2='q'/>"), "another than the first"},
      {equality("<joint joint1='q' polycoef='1 2 3 4 5 6'/>"), "(6 numbers)"},
      {equality("<tendon tendon1='t'/>"), "found tendon1=\"t\""},
      {equality("<flex flex='f'/>"), "a model without it"},
      {actuator("<motor joint='p'/>"), "found joint=\"p\""},
      {actuator("<motor/>"), "a joint or a tendon that it drives"},
      {actuator("<motor joint='q' ctrlrange='1 0'/>"), "the lower end before the upper one"},
      {actuator("<motor name='m' joint='q'/><motor name='m' joint='q'/>"), "a second actuator named 'm'"},
      {actuator("<position joint='q' armature='1'/>"), "found armature=\"1\""},
      {actuator("<position joint='q' inheritrange='1'/>"), "0 where the joint has no range"},
      {with_inertial("<joint name='q'/>", "<tendon><fixed name='t'/></tendon>"), "without joints"},
      {with_inertial("<joint name='q'/>", "<tendon><fixed><joint joint='q'/></fixed></tendon>"), "no coef of <joint>"},
      {with_inertial("<joint name='q'/>", "<tendon><fixed stiffness='1'><joint joint='q' coef='1'/></fixed></tendon>"),
       "forces in tendons are not computed"},
      {with_inertial("<joint name='q'/>", "<keyframe><key qpos='1 2'/></keyframe>"), "bad.xml:3: found qpos=\"1 2\""},
      {with_inertial("<joint name='q'/>", "<keyframe><key ctrl='1'/></keyframe>"), "found ctrl=\"1\""},
      {with_inertial("<joint name='q'/>", "<keyframe><key name='k'/><key name='k'/></keyframe>"),
       "a second start named 'k'"},
      {with_inertial("<freejoint/>", "<keyframe><key qpos='0 0 0 0 0 0 0'/></keyframe>"), "a quaternion of joint"},
  };
  for (const auto& [text, part] : all) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message << "\nin place of\n" << part;
    EXPECT_TRUE(message.starts_with("bad.xml:")) << message;
  }
}

// A site may stand before or behind the body of its name, and be referred to from before both.
TEST(Mjcf, SitesAndBodiesOfOneNameAreTwoFrames) {
  const std::string equality = "<equality><connect name='pin' site1='hand' site2='arm'/></equality>";
  const std::string bodies =
      "<worldbody><site name='hand' pos='0 0 1'/><body name='arm'><joint name='q'/><geom size='0.1'/><site name='arm' "
      "pos='0 0 2'/>"
      "<body name='hand'><joint name='r'/><geom size='0.1'/></body></body></worldbody>";
  for (const std::string& text : {equality + bodies, bodies + equality}) {
    const RobotDescription robot = parse_mjcf("<mujoco>" + text + "</mujoco>", "sites.xml");
    ASSERT_EQ(robot.frames.size(), 2u);
    EXPECT_EQ(robot.frames[0].name, "hand site");
    EXPECT_EQ(robot.frames[0].link, "world");
    EXPECT_EQ(robot.frames[1].name, "arm site");
    EXPECT_EQ(robot.frames[1].link, "arm");
  }
}

}  // namespace
}  // namespace trammel::test
