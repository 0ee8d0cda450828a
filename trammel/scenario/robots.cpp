#include "trammel/scenario/robots.h"

#include <unordered_set>

#include <fmt/core.h>

#include "trammel/model/leave_out.h"
#include "trammel/model/merge_robots.h"
#include "trammel/scenario/bodies.h"
#include "trammel/scenario/geometry.h"
#include "trammel/scenario/loops.h"
#include "trammel/scenario/robot_file.h"
#include "trammel/scenario/text.h"

namespace trammel::scenario {
namespace {

constexpr const char* a_robot_file = "a file in URDF or MJCF";

Base read_base(const Value& value) {
  const std::vector<std::string> known{"fixed", "floating", "planar"};
  const std::string word = value.word(known);
  return word == "fixed" ? Base::fixed : word == "planar" ? Base::planar : Base::floating;
}

// A file that cannot be read at all is the scenario's mistake.
template <class Read>
auto read_file_of(const Value& file, const char* what, Read&& read) {
  try {
    return read(file.text(fmt::format("the name of {}", what)));
  } catch (const Error& error) {
    if (error.place().line > 0) throw;
    file.refuse(fmt::format("{} as {}, which cannot be read ({})", expression::shown(file.node().text), file.what(),
                            error.what()),
                fmt::format("{}, by its path from the scenario's folder", what));
  }
}

std::vector<std::string> file_keys() { return {"file", "loops", "name", "base", "at", "without", "strict"}; }

void read_without(const Value& value, RobotDescription& out) {
  for (const Value& name : value.list("a list of names in the robot's file")) leave_out(name.name(), name.place(), out);
}

Robot read_robot(const Value& value, RobotFiles& files, const Constants& constants, bool of_several) {
  Robot robot;
  bool strict = false;
  const auto read = [&](const std::string& file) { return files.read(file, strict); };
  if (value.is_text()) {
    robot.description = read_file_of(value, a_robot_file, read);
    return robot;
  }
  if (!value.is_map())
    value.refuse(fmt::format("{}, by its path, or a map with file, name, base, at, strict", a_robot_file));
  const Map map(value, value.what(), file_keys());
  if (const auto asked = map.find("strict")) strict = asked->boolean();
  robot.description = read_file_of(map.required("file"), a_robot_file, read);
  if (const auto loops = map.find("loops"))
    read_file_of(*loops, "a file of loops", [&](const std::string& file) {
      const std::string path = files.path(file);
      add_loops(read_file(path), path, robot.description);
      return true;
    });
  if (const auto without = map.find("without")) read_without(*without, robot.description);
  if (of_several) robot.name = map.required("name").name();
  if (const auto name = map.find("name")) robot.name = name->name();
  if (const auto base = map.find("base")) robot.base = read_base(*base);
  if (const auto at = map.find("at")) robot.at = read_pose(*at, constants);
  return robot;
}

// Where the scenario gives none, that of the files, which must agree.
void take_gravity(const RobotDescription& robot, const Map& scenario, const Place& place, RobotDescription& out) {
  if (!robot.gravity || scenario.has("gravity")) return;
  if (out.gravity && *out.gravity != *robot.gravity)
    throw Error(place, "a robot whose file has another gravity than those before", "gravity in the scenario");
  out.gravity = robot.gravity;
}

}  // namespace

const std::vector<std::string>& robot_keys() {
  static const std::vector<std::string> keys{"robot", "robots", "without", "bodies", "joints", "frames"};
  return keys;
}

std::string RobotFiles::path(const std::string& file) const { return (folder_ / file).lexically_normal().string(); }

RobotDescription RobotFiles::read(const std::string& file, bool strict) {
  const std::lock_guard lock(mutex_);
  UrdfOptions options = options_;
  options.strict |= strict;
  const std::pair key(path(file), options.strict);
  const auto found = known_.find(key);
  return found != known_.end() ? found->second : known_.emplace(key, read_robot_file(key.first, options)).first->second;
}

RobotDescription read_robots(const Map& scenario, RobotFiles& files, const Constants& constants) {
  const auto one = scenario.find("robot"), several = scenario.find("robots");
  if (one && several) scenario.refuse_key("robots", "both 'robot' and 'robots'", "one of them");
  RobotDescription out;
  out.place = scenario.place();
  if (one) {
    const Robot robot = read_robot(*one, files, constants, false);
    add_robot(robot, one->place(), out);
    take_gravity(robot.description, scenario, one->place(), out);
    out.name = robot.description.name;
  }
  if (several) {
    const std::vector<Value> list = several->list("a list of {file, name, base, at, strict}");
    std::unordered_set<std::string> names;
    for (const Value& item : list) {
      const Robot robot = read_robot(item, files, constants, list.size() > 1);
      if (!names.insert(robot.name).second)
        Map(item, item.what(), file_keys())
            .required("name")
            .refuse(fmt::format("a second robot named '{}'", robot.name), "a name that no other has");
      add_robot(robot, item.place(), out);
      take_gravity(robot.description, scenario, item.place(), out);
    }
    out.name = "robots";
  }
  if (const auto without = scenario.find("without")) read_without(*without, out);
  if (const auto bodies = scenario.find("bodies")) read_bodies(*bodies, constants, out);
  if (const auto joints = scenario.find("joints")) read_joints(*joints, constants, out);
  if (const auto frames = scenario.find("frames")) read_frames(*frames, constants, out);
  if (out.links.empty()) throw Error(scenario.place(), "no robot in the scenario", "robot, robots or bodies");

  // what hangs on the world, or frames on it, need it as a link
  add_world_link(out);
  return out;
}

}  // namespace trammel::scenario
