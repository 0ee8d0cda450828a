#include "trammel/model/merge_robots.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/model/check_description.h"
#include "trammel/model/link_tree.h"

namespace trammel {
namespace {

bool has_world_link(const RobotDescription& robot) {
  return std::ranges::any_of(robot.links, [](const Link& link) { return link.name == "world"; });
}

// Checks the robot as it is without the others, and returns the link that stands for all of it.
std::string checked_root(RobotDescription robot) {
  const bool on_world = hangs_on_world(robot);
  if (on_world) add_world_link(robot);
  check_description(robot);
  return on_world ? "world" : robot.links[find_tree(robot).root].name;
}

Joint base_joint(const Robot& robot, const std::string& prefix, const std::string& root, const Place& place) {
  Joint joint;
  joint.type = robot.base == Base::fixed    ? JointType::fixed
               : robot.base == Base::planar ? JointType::planar
                                            : JointType::floating;
  joint.name = robot.base == Base::fixed ? fmt::format("world to {}{}", prefix, root) : prefix + "base";
  joint.parent = "world";
  joint.child = prefix + root;
  joint.at = robot.at;
  joint.place = place;
  return joint;
}

// Joins the root to the world.
void add_base(const Robot& robot, const std::string& prefix, const Place& place, RobotDescription& out) {
  const std::string root = checked_root(robot.description);
  if (prefix + root == "world") {
    if (robot.base != Base::fixed || !robot.at.R.isIdentity(0) || !robot.at.p.isZero(0))
      throw Error(place, "a base or a place of a robot that stands on a link 'world' of its own",
                  "a name for the robot, or neither of them");
    return;
  }
  if (root == "world" && !has_world_link(robot.description)) {
    Link link;
    link.name = prefix + root;
    link.place = place;
    out.links.push_back(link);
  }
  out.joints.push_back(base_joint(robot, prefix, root, place));
}

// What names joints, frames and motors, under the names that they have among several robots.
JointSum with_prefix(const std::string& prefix, JointSum sum) {
  for (JointSum::Term& term : sum.terms) term.joint = prefix + term.joint;
  return sum;
}

template <class Value>
std::map<std::string, Value> with_prefix(const std::string& prefix, const std::map<std::string, Value>& named) {
  std::map<std::string, Value> out;
  for (const auto& [name, value] : named) out.emplace(prefix + name, value);
  return out;
}

DescribedConstraint with_prefix(const std::string& prefix, DescribedConstraint constraint) {
  constraint.name = prefix + constraint.name;
  constraint.frame = prefix + constraint.frame;
  constraint.other_frame = prefix + constraint.other_frame;
  constraint.left = with_prefix(prefix, constraint.left);
  constraint.right = with_prefix(prefix, constraint.right);
  return constraint;
}

DescribedMotor with_prefix(const std::string& prefix, DescribedMotor motor) {
  motor.name = prefix + motor.name;
  motor.along = with_prefix(prefix, motor.along);
  return motor;
}

DescribedStart with_prefix(const std::string& prefix, DescribedStart start) {
  start.name = prefix + start.name;
  start.q = with_prefix(prefix, start.q);
  start.v = with_prefix(prefix, start.v);
  start.controls = with_prefix(prefix, start.controls);
  return start;
}

}  // namespace

bool hangs_on_world(const RobotDescription& robot) {
  return std::ranges::any_of(robot.joints, [](const Joint& joint) { return joint.parent == "world"; });
}

void add_world_link(RobotDescription& robot) {
  if (has_world_link(robot)) return;
  Link link;
  link.name = "world";
  robot.links.insert(robot.links.begin(), link);
}

void add_robot(const Robot& robot, const Place& place, RobotDescription& out) {
  const std::string prefix = robot.name.empty() ? "" : robot.name + ".";
  const RobotDescription& own = robot.description;
  add_base(robot, prefix, place, out);
  for (Link link : own.links) {
    link.name = prefix + link.name;
    if (link.name == "world" && has_world_link(out)) continue;  // robots without a name may share it
    out.links.push_back(std::move(link));
  }
  for (Joint joint : own.joints) {
    joint.name = prefix + joint.name;
    joint.parent = prefix + joint.parent;
    joint.child = prefix + joint.child;
    out.joints.push_back(std::move(joint));
  }
  for (NamedFrame frame : own.frames) {
    frame.name = prefix + frame.name;
    frame.link = prefix + frame.link;
    out.frames.push_back(std::move(frame));
  }
  for (Coupling coupling : own.couplings) {
    coupling.joint = prefix + coupling.joint;
    coupling.source = prefix + coupling.source;
    out.couplings.push_back(std::move(coupling));
  }
  for (const DescribedConstraint& constraint : own.constraints)
    out.constraints.push_back(with_prefix(prefix, constraint));
  for (const DescribedMotor& motor : own.motors) out.motors.push_back(with_prefix(prefix, motor));
  for (const DescribedStart& start : own.starts) out.starts.push_back(with_prefix(prefix, start));
  out.warnings.insert(out.warnings.end(), own.warnings.begin(), own.warnings.end());
}

}  // namespace trammel
