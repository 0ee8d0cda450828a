#include "trammel/scenario/robots.h"

#include <unordered_set>

#include <fmt/core.h>

#include "trammel/model/merge_robots.h"
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

RobotDescription read_file_of(const Value& file, RobotFiles& files) {
  try {
    return files.read(file.text("the name of a URDF file"));
  } catch (const Error& error) {
    // a file that cannot be read at all is the scenario's mistake
    if (error.place().line > 0) throw;
    file.refuse(
        fmt::format("{} as {}, which is no robot ({})", expression::shown(file.node().text), file.what(), error.what()),
        "a URDF file, by its path from the scenario's folder");
  }
}

std::vector<std::string> file_keys() { return {"file", "name", "base", "at"}; }

Robot read_robot(const Value& value, RobotFiles& files, const Constants& constants, bool of_several) {
  Robot robot;
  if (value.is_text()) {
    robot.description = read_file_of(value, files);
    return robot;
  }
  if (!value.is_map()) value.refuse("a URDF file, by its path, or a map with file, name, base, at");
  const Map map(value, value.what(), file_keys());
  robot.description = read_file_of(map.required("file"), files);
  if (of_several) robot.name = map.required("name").name();
  if (const auto name = map.find("name")) robot.name = name->name();
  if (const auto base = map.find("base")) robot.base = read_base(*base);
  if (const auto at = map.find("at")) robot.at = read_pose(*at, constants);
  return robot;
}

}  // namespace

const std::vector<std::string>& robot_keys() {
  static const std::vector<std::string> keys{"robot", "robots", "bodies", "joints", "frames"};
  return keys;
}

RobotDescription RobotFiles::read(const std::string& file) {
  const std::lock_guard lock(mutex_);
  const std::string path = (folder_ / file).lexically_normal().string();
  const auto found = known_.find(path);
  return found != known_.end() ? found->second : known_.emplace(path, read_urdf(path)).first->second;
}

RobotDescription read_robots(const Map& scenario, RobotFiles& files, const Constants& constants) {
  const auto one = scenario.find("robot"), several = scenario.find("robots");
  if (one && several) scenario.refuse_key("robots", "both 'robot' and 'robots'", "one of them");
  RobotDescription out;
  out.place = scenario.place();
  if (one) {
    const Robot robot = read_robot(*one, files, constants, false);
    add_robot(robot, one->place(), out);
    out.name = robot.description.name;
  }
  if (several) {
    const std::vector<Value> list = several->list("a list of {file, name, base, at}");
    std::unordered_set<std::string> names;
    for (const Value& item : list) {
      const Robot robot = read_robot(item, files, constants, list.size() > 1);
      if (!names.insert(robot.name).second)
        Map(item, item.what(), file_keys())
            .required("name")
            .refuse(fmt::format("a second robot named '{}'", robot.name), "a name that no other has");
      add_robot(robot, item.place(), out);
    }
    out.name = "robots";
  }
  if (const auto bodies = scenario.find("bodies")) read_bodies(*bodies, constants, out);
  if (const auto joints = scenario.find("joints")) read_joints(*joints, constants, out);
  if (const auto frames = scenario.find("frames")) read_frames(*frames, constants, out);
  if (out.links.empty()) throw Error(scenario.place(), "no robot in the scenario", "robot, robots or bodies");

  // what hangs on the world, or frames on it, need it as a link
  add_world_link(out);
  return out;
}

}  // namespace trammel::scenario
