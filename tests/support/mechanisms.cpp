#include "support/mechanisms.h"

namespace trammel::test {

Link rod(const std::string& name, double mass, double length, const Vec3<>& along) {
  const double across = mass * length * length / 12, thin = mass * length * length / 1200;
  const Vec3<> d = along.normalized();
  Link link;
  link.name = name;
  link.mass = mass;
  link.com = d * (length / 2);
  const Mat3<> I = across * (Mat3<>::Identity() - d * d.transpose()) + thin * d * d.transpose();
  link.inertia = Symmetric3<>::from(I);
  return link;
}

Joint turning(const std::string& name, const std::string& parent, const std::string& child, const Vec3<>& at,
              const Vec3<>& axis) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.at.p = at;
  joint.axis = axis;
  return joint;
}

RobotDescription arm7() {
  RobotDescription robot;
  robot.name = "arm7";
  for (int i = 0; i < 7; ++i) {
    const double m = 3 - 0.3 * i;
    Link link;
    link.name = "link" + std::to_string(i + 1);
    link.mass = m;
    link.com = {0.01, 0.02, 0.15};
    link.inertia = {{0.010 * m, 0.012 * m, 0.004 * m}, {0.001 * m, 0, 0}};
    robot.links.push_back(link);
    robot.joints.push_back(turning("q" + std::to_string(i + 1), i == 0 ? "world" : "link" + std::to_string(i),
                                   link.name, {0, 0, i == 0 ? 0 : 0.3}, i % 2 == 0 ? z_axis : y_axis));
  }
  NamedFrame tip;
  tip.name = "tip";
  tip.link = "link7";
  tip.at.p = {0, 0, 0.3};
  robot.frames.push_back(tip);
  return robot;
}

void hang_chain(RobotDescription& robot, const std::string& on, const Vec3<>& at, const std::vector<Vec3<>>& axes,
                const std::string& prefix) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    robot.links.push_back(rod(prefix + "link" + number, 0.5, 0.2, z_axis));
    robot.joints.push_back(turning(prefix + "q" + number, i == 0 ? on : prefix + "link" + std::to_string(i),
                                   prefix + "link" + number, i == 0 ? at : Vec3<>(0, 0, 0.2), axes[i]));
  }
  NamedFrame tip;
  tip.name = prefix + "tip";
  tip.link = robot.links.back().name;
  tip.at.p = {0, 0, 0.2};
  robot.frames.push_back(tip);
}

RobotDescription chain(int n) {
  RobotDescription robot;
  robot.name = "chain" + std::to_string(n);
  std::vector<Vec3<>> axes;
  for (int i = 0; i < n; ++i) axes.push_back(i % 2 == 0 ? y_axis : x_axis);
  hang_chain(robot, "world", Vec3<>::Zero(), axes, "");
  return robot;
}

RobotDescription tree36() {
  RobotDescription robot;
  robot.name = "tree36";
  Link base;
  base.name = "base_link";
  base.mass = 10;
  base.inertia = {0.3, 0.3, 0.2};
  robot.links.push_back(base);
  Joint floating;
  floating.name = "base";
  floating.type = JointType::floating;
  floating.parent = "world";
  floating.child = "base_link";
  robot.joints.push_back(floating);
  for (int limb = 0; limb < 5; ++limb) {
    const double angle = 2 * std::numbers::pi * limb / 5;
    hang_chain(robot, "base_link", {0.2 * std::cos(angle), 0.2 * std::sin(angle), 0},
               {z_axis, y_axis, x_axis, y_axis, y_axis, x_axis}, std::string(1, static_cast<char>('a' + limb)) + ".");
  }
  return robot;
}

RobotDescription scara() {
  RobotDescription robot;
  robot.name = "scara";
  const double mass[] = {20, 15, 15, 0.5}, inertia[] = {0.27, 0.31, 0.02, 0.0001}, com[] = {0.1, 0.125, 0, 0};
  const double at[] = {0, 0.2, 0.25, 0};
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i + 1);
    Link link;
    link.name = "link" + number;
    link.mass = mass[i];
    link.com = {0, com[i], 0};
    link.inertia = {inertia[i], inertia[i], inertia[i]};
    robot.links.push_back(link);
    robot.joints.push_back(
        turning("q" + number, i == 0 ? "world" : "link" + std::to_string(i), link.name, {0, at[i], 0}, z_axis));
  }
  robot.joints[3].type = JointType::prismatic;
  NamedFrame tool;
  tool.name = "tool";
  tool.link = "link4";
  robot.frames.push_back(tool);
  return robot;
}

}  // namespace trammel::test
