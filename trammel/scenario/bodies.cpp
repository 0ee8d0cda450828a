#include "trammel/scenario/bodies.h"

#include <fmt/core.h>

#include "trammel/scenario/geometry.h"
#include "trammel/scenario/shapes.h"

namespace trammel::scenario {
namespace {

Symmetric3<> read_inertia(const Value& value, const Constants& constants) {
  const char* const allowed = "three numbers [xx, yy, zz] or six [xx, yy, zz, xy, xz, yz]";
  const std::vector<Value> parts = value.list(allowed);
  if (parts.size() != 3 && parts.size() != 6) value.refuse(allowed);
  std::array<double, 6> given{};
  for (std::size_t i = 0; i < parts.size(); ++i) given[i] = parts[i].number(constants, Unit::none);
  return {{given[0], given[1], given[2]}, {given[3], given[4], given[5]}};
}

// As the author writes it: revolute: z.
std::string form_of(JointType type) {
  constexpr const char* axes[] = {"true", "z", "[z, x]"};
  return fmt::format("{}: {}", name_of(type), axes[axis_count(type)]);
}

// The one key that gives the type of a joint.
JointType joint_type(const Map& joint) {
  std::optional<JointType> found;
  std::vector<std::string> forms;
  for (const JointType candidate : joint_types()) {
    forms.push_back(form_of(candidate));
    if (!joint.has(name_of(candidate))) continue;
    if (found)
      joint.refuse_key(name_of(candidate),
                       fmt::format("both '{}' and '{}' in {}", name_of(*found), name_of(candidate), joint.whose()),
                       "one type of joint");
    found = candidate;
  }
  if (!found) throw Error(joint.place(), fmt::format("no type of {}", joint.whose()), alternatives(forms));
  return *found;
}

void read_axes(const Value& value, const Constants& constants, Joint& out) {
  switch (axis_count(out.type)) {
    case 0:
      if (!value.boolean()) value.refuse("true, since it has no axis");
      return;
    case 1:
      out.axis = read_axis(value, constants);
      return;
    default:
      const std::vector<Value> axes = value.list_of(2, "two axes, as in [z, x]");
      out.axis = read_axis(axes[0], constants);
      out.second_axis = read_axis(axes[1], constants);
  }
}

// What holds for every coordinate of the joint.
void read_coordinate(const Map& map, const Constants& constants, Joint& out) {
  Coordinate c;
  const bool angular = is_angular(out.type, 0);
  const Unit unit = angular ? Unit::angle : Unit::length;
  if (const auto limits = map.find("limits")) {
    const std::vector<Value> ends = limits->list_of(2, "[lowest, highest]");
    c.lower = ends[0].number(constants, unit);
    c.upper = ends[1].number(constants, unit);
  }
  if (const auto rest = map.find("rest")) c.rest = rest->number(constants, unit);
  const auto read = [&](const char* key, double& field) {
    if (const auto value = map.find(key)) field = value->not_negative(constants);
  };
  read("speed_limit", c.speed_limit);
  read("effort_limit", c.effort_limit);
  read("damping", c.damping);
  read("friction", c.friction);
  read("stiffness", c.stiffness);
  read("rotor_inertia", c.rotor_inertia);
  out.coordinates = {c};
}

Joint read_joint(const Value& value, const Constants& constants) {
  std::vector<std::string> keys{"name", "from", "to", "at"};
  const std::vector<std::string> properties{"limits",  "rest",     "speed_limit", "effort_limit",
                                            "damping", "friction", "stiffness",   "rotor_inertia"};
  for (const JointType type : joint_types()) keys.emplace_back(name_of(type));
  keys.insert(keys.end(), properties.begin(), properties.end());
  keys.emplace_back("pitch");
  const Node* name = value.node().find("name");
  const std::string whose = name != nullptr ? "joint " + expression::shown(name->text) : value.what();
  const Map map(value, whose, keys);
  Joint joint;
  joint.name = map.required("name").name();
  joint.place = value.place();
  joint.type = joint_type(map);
  const std::string_view type = name_of(joint.type);
  read_axes(map.required(type), constants, joint);
  joint.parent = map.required("from").name();
  joint.child = map.required("to").name();
  if (const auto at = map.find("at")) joint.at = read_pose(*at, constants);

  const JointSize size = size_of(joint.type);
  for (const std::string& key : properties)
    if (size.v != 1 && map.has(key))
      map.required(key).refuse(fmt::format("'{}' of the {} joint '{}'", key, type, joint.name),
                               "it on joints with one coordinate");
  if (size.v == 1) read_coordinate(map, constants, joint);
  if (const auto pitch = map.find("pitch")) {
    if (joint.type != JointType::helical)
      pitch->refuse(fmt::format("'pitch' of the {} joint '{}'", type, joint.name), "it on helical joints");
    joint.pitch = pitch->number(constants, Unit::length);
  }
  return joint;
}

}  // namespace

void read_bodies(const Value& value, const Constants& constants, RobotDescription& out) {
  for (const auto& [key, body] : named_values(value, "body")) {
    const Map map(body, body.what(), {"mass", "com", "inertia", "shape", "color"});
    Link link;
    link.name = key.text;
    link.place = key.place;
    if (link.name == "world") throw Error(key.place, "a body named 'world'", "another name");
    if (const auto mass = map.find("mass")) link.mass = mass->not_negative(constants, Unit::mass);
    if (const auto com = map.find("com")) link.com = com->vector(constants, Unit::length);
    if (const auto inertia = map.find("inertia")) link.inertia = read_inertia(*inertia, constants);
    link.visuals = read_shapes(map, link.com, constants);
    out.links.push_back(std::move(link));
  }
}

void read_joints(const Value& value, const Constants& constants, RobotDescription& out) {
  for (const Value& joint : value.list("a list of joints")) out.joints.push_back(read_joint(joint, constants));
}

void read_frames(const Value& value, const Constants& constants, RobotDescription& out) {
  for (const auto& [key, frame] : named_values(value, "frame")) {
    const Map map(frame, frame.what(), {"on", "at"});
    NamedFrame named{key.text, map.required("on").name(), {}, key.place};
    if (const auto at = map.find("at")) named.at = read_pose(*at, constants);
    out.frames.push_back(std::move(named));
  }
}

}  // namespace trammel::scenario
