#include "trammel/scenario/loops.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {
namespace {

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

Joint& joint_named(const Value& value, RobotDescription& robot) {
  const std::string name = value.name();
  const auto joint = std::ranges::find(robot.joints, name, &Joint::name);
  if (joint != robot.joints.end()) return *joint;
  std::vector<std::string> known;
  for (const Joint& other : robot.joints) known.push_back(other.name);
  value.refuse(allowed_names(name, known));
}

// A link, or the child link of a joint: the frame that Pinocchio knows by the joint's name.
std::string frame_named(const Value& value, const RobotDescription& robot) {
  const std::string name = value.name();
  std::vector<std::string> known;
  for (const Link& link : robot.links) known.push_back(link.name);
  if (std::ranges::find(known, name) != known.end()) return name;
  const auto joint = std::ranges::find(robot.joints, name, &Joint::name);
  if (joint != robot.joints.end()) return joint->child;
  for (const Joint& other : robot.joints) known.push_back(other.name);
  value.refuse(allowed_names(name, known));
}

DescribedConstraint::Kind read_type(const Value& value) {
  const std::string type = in_lower_case(value.text("3d or 6d"));
  if (type != "3d" && type != "6d") value.refuse("3d or 6d");
  return type == "3d" ? DescribedConstraint::Kind::coincide : DescribedConstraint::Kind::weld;
}

// A list that goes along with another.
std::vector<Value> list_beside(const Map& map, const char* key, std::size_t count, const char* other) {
  const std::vector<Value> list = map.required(key).list("a list");
  if (list.size() != count)
    map.required(key).refuse(fmt::format("{} of '{}' beside {} of '{}'", list.size(), key, count, other),
                             "as many of one as of the other");
  return list;
}

void read_loops(const Map& map, RobotDescription& out) {
  const std::vector<Value> loops = map.required("closed_loop").list("a list of pairs [A, B]");
  const std::vector<Value> types =
      map.has("type") ? list_beside(map, "type", loops.size(), "closed_loop") : std::vector<Value>{};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::vector<Value> pair = loops[i].list_of(2, "two links or joints, as in [A, B]");
    DescribedConstraint loop{.name = fmt::format("{} to {}", pair[0].name(), pair[1].name()),
                             .kind = types.empty() ? DescribedConstraint::Kind::weld : read_type(types[i]),
                             .frame = frame_named(pair[0], out),
                             .other_frame = frame_named(pair[1], out),
                             .place = loops[i].place()};
    if (loop.frame == loop.other_frame) pair[1].refuse("a link other than the first");
    if (std::ranges::find(out.constraints, loop.name, &DescribedConstraint::name) != out.constraints.end())
      loops[i].refuse(fmt::format("the loop '{}' for the second time", loop.name), "each loop once");
    out.constraints.push_back(loop);
  }
}

void read_motors(const Value& names, RobotDescription& out) {
  for (const Value& name : names.list("a list of joints")) {
    const Joint& joint = joint_named(name, out);
    if (size_of(joint.type).v != 1)
      name.refuse(fmt::format("the {} joint '{}'", name_of(joint.type), joint.name), "a joint with one coordinate");
    if (std::ranges::find(out.motors, joint.name, &DescribedMotor::name) != out.motors.end())
      name.refuse(fmt::format("joint '{}' for the second time", joint.name), "each joint once");
    out.motors.push_back({.name = joint.name, .along = {{{1, joint.name}}}, .place = name.place()});
  }
}

void read_joint_types(const Map& map, RobotDescription& out) {
  const std::vector<Value> names = map.required("joint_name").list("a list of joints");
  const std::vector<Value> types = list_beside(map, "joint_type", names.size(), "joint_name");
  for (std::size_t i = 0; i < names.size(); ++i) {
    Joint& joint = joint_named(names[i], out);
    const std::string type = in_lower_case(types[i].text("SPHERICAL or FIXED"));
    if (type != "spherical" && type != "fixed") types[i].refuse("SPHERICAL or FIXED");
    joint.type = type == "fixed" ? JointType::fixed : JointType::spherical;
    joint.coordinates.clear();
  }
}

}  // namespace

void add_loops(std::string_view text, const std::string& file, RobotDescription& out) {
  const Node root = parse_yaml(text, file);
  const Map map(Value(root, "the file of loops"), "the file of loops",
                {"closed_loop", "type", "name_mot", "joint_name", "joint_type"});
  if (map.has("joint_name") || map.has("joint_type")) read_joint_types(map, out);
  read_loops(map, out);
  if (const auto motors = map.find("name_mot")) read_motors(*motors, out);
}

}  // namespace trammel::scenario
