#include "trammel/scenario/robots.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include <fmt/core.h>

#include "trammel/model/build_model.h"
#include "trammel/model/check_description.h"
#include "trammel/scenario/bodies.h"
#include "trammel/scenario/geometry.h"
#include "trammel/urdf/urdf.h"

namespace trammel::scenario {
namespace {

Base read_base(const Value& value) {
  const std::vector<std::string> known{"fixed", "floating", "planar"};
  const std::string word = value.word(known);
  return word == "fixed" ? Base::fixed : word == "planar" ? Base::planar : Base::floating;
}

RobotDescription read_file_of(const Value& file, const std::filesystem::path& folder) {
  const std::string path = (folder / file.text("the name of a URDF file")).lexically_normal().string();
  try {
    return read_urdf(path);
  } catch (const Error& error) {
    // a file that cannot be read at all is the scenario's mistake
    if (error.place().line > 0) throw;
    file.refuse(
        fmt::format("{} as {}, which is no robot ({})", expression::shown(file.node().text), file.what(), error.what()),
        "a URDF file, by its path from the scenario's folder");
  }
}

std::vector<std::string> file_keys() { return {"file", "name", "base", "at"}; }

Robot read_robot(const Value& value, const std::filesystem::path& folder, const Constants& constants, bool of_several) {
  Robot robot;
  if (value.is_text()) {
    robot.description = read_file_of(value, folder);
    return robot;
  }
  if (!value.is_map()) value.refuse("a URDF file, by its path, or a map with file, name, base, at");
  const Map map(value, value.what(), file_keys());
  robot.description = read_file_of(map.required("file"), folder);
  if (of_several) robot.name = map.required("name").name();
  if (const auto name = map.find("name")) robot.name = name->name();
  if (const auto base = map.find("base")) robot.base = read_base(*base);
  if (const auto at = map.find("at")) robot.at = read_pose(*at, constants);
  return robot;
}

// The link that no joint carries.
std::string root_of(const RobotDescription& robot) {
  std::unordered_set<std::string> carried;
  for (const Joint& joint : robot.joints) carried.insert(joint.child);
  std::vector<std::string> roots;
  for (const Link& link : robot.links)
    if (!carried.contains(link.name)) roots.push_back(link.name);
  const bool hangs_on_world = std::ranges::any_of(robot.joints, [](const Joint& j) { return j.parent == "world"; });
  if (hangs_on_world) return "world";
  if (roots.size() != 1) build_model(robot);  // refuses it
  return roots.front();
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

// Adds the robot with its names prefixed and its root joined to the world.
void merge(const Robot& robot, const Place& place, RobotDescription& out) {
  const std::string prefix = robot.name.empty() ? "" : robot.name + ".";
  const RobotDescription& own = robot.description;
  check_description(own);
  const std::string root = root_of(own);
  const bool is_world = root == "world" && prefix.empty();
  const bool is_moved = robot.base != Base::fixed || !robot.at.R.isIdentity(0) || !robot.at.p.isZero(0);
  if (is_world && is_moved)
    throw Error(place, "a base or a place of a robot that stands on a link 'world' of its own",
                "a name for the robot, or neither of them");
  const bool has_root = std::ranges::any_of(own.links, [&](const Link& link) { return link.name == root; });
  if (!has_root && !is_world) {
    Link link;
    link.name = prefix + root;
    link.place = place;
    out.links.push_back(link);
  }
  if (!is_world) out.joints.push_back(base_joint(robot, prefix, root, place));
  const auto named = [&](const std::string& name) { return prefix + name; };
  for (Link link : own.links) {
    link.name = named(link.name);
    out.links.push_back(std::move(link));
  }
  for (Joint joint : own.joints) {
    joint.name = named(joint.name);
    joint.parent = named(joint.parent);
    joint.child = named(joint.child);
    out.joints.push_back(std::move(joint));
  }
  for (NamedFrame frame : own.frames) {
    frame.name = named(frame.name);
    frame.link = named(frame.link);
    out.frames.push_back(std::move(frame));
  }
  for (Coupling coupling : own.couplings) {
    coupling.joint = named(coupling.joint);
    coupling.source = named(coupling.source);
    out.couplings.push_back(std::move(coupling));
  }
  out.warnings.insert(out.warnings.end(), own.warnings.begin(), own.warnings.end());
}

}  // namespace

const std::vector<std::string>& robot_keys() {
  static const std::vector<std::string> keys{"robot", "robots", "bodies", "joints", "frames"};
  return keys;
}

RobotDescription read_robots(const Map& scenario, const std::filesystem::path& folder, const Constants& constants) {
  const auto one = scenario.find("robot"), several = scenario.find("robots");
  if (one && several) scenario.refuse_key("robots", "both 'robot' and 'robots'", "one of them");
  RobotDescription out;
  out.place = scenario.place();
  if (one) {
    const Robot robot = read_robot(*one, folder, constants, false);
    merge(robot, one->place(), out);
    out.name = robot.description.name;
  }
  if (several) {
    const std::vector<Value> list = several->list("a list of {file, name, base, at}");
    std::unordered_set<std::string> names;
    for (const Value& item : list) {
      const Robot robot = read_robot(item, folder, constants, list.size() > 1);
      if (!names.insert(robot.name).second)
        Map(item, item.what(), file_keys())
            .required("name")
            .refuse(fmt::format("a second robot named '{}'", robot.name), "a name that no other has");
      merge(robot, item.place(), out);
    }
    out.name = "robots";
  }
  if (const auto bodies = scenario.find("bodies")) read_bodies(*bodies, constants, out);
  if (const auto joints = scenario.find("joints")) read_joints(*joints, constants, out);
  if (const auto frames = scenario.find("frames")) read_frames(*frames, constants, out);
  if (out.links.empty()) throw Error(scenario.place(), "no robot in the scenario", "robot, robots or bodies");

  // what hangs on the world, or frames on it, need it as a link
  const auto is_world = [](const auto& name) { return name == "world"; };
  if (std::ranges::none_of(out.links, is_world, &Link::name)) {
    Link link;
    link.name = "world";
    out.links.insert(out.links.begin(), link);
  }
  return out;
}

}  // namespace trammel::scenario
