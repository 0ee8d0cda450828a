#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "print.h"
#include "trammel/base/names.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
#include "trammel/report/loops.h"
#include "trammel/report/robot.h"
#include "trammel/scenario/robot_file.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

struct InfoArguments {
  std::string file, at;
  bool json = false;
  UrdfOptions options;
};

// The configuration that a person typed as "q1=0.3,base[2]=1.5": coordinates by joint name, with [i] behind joints that have
// several; those not named are zero (quaternions: no turn). rad and m. Throws Error for anything else.
VecX<> parse_configuration(const Model& model, const std::string& text) {
  const std::vector<std::string> names = model.coordinate_names();
  VecX<> q = neutral_configuration(model);
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const auto known = std::ranges::find(names, name);
    if (known == names.end())
      throw Error(fmt::format("coordinate '{}' in --at, which does not exist", name), allowed_names(name, names));
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number))
      throw Error(fmt::format("'{}' in --at", item), "NAME=NUMBER, in rad or m");
    q[known - names.begin()] = number;
  }
  return checked_configuration(model, q);
}

bool is_scenario(const std::string& file) { return file.ends_with(".yaml") || file.ends_with(".yml"); }

// A robot's file with loops, as a scenario that says no more.
Scenario scenario_of_robot(const std::string& file, const UrdfOptions& options) {
  std::string quoted;
  for (const char c : file) quoted += c == '\'' ? "\'\'" : std::string(1, c);
  return read_scenario_text(fmt::format("{{robot: \'{}\'}}", quoted), file, {}, {}, options);
}

// The loops of a robot by itself are looked at only where it has some.
std::optional<Scenario> loops_of(const std::string& file, const UrdfOptions& options) {
  if (is_scenario(file)) return read_scenario(file, {}, options);
  const RobotDescription robot = scenario::read_robot_file(file, options);
  const bool has_loops = !robot.constraints.empty() || !robot.motors.empty();
  return has_loops ? std::optional(scenario_of_robot(file, options)) : std::nullopt;
}

Model model_of_robot(const std::string& file, const UrdfOptions& options) {
  const RobotDescription robot = scenario::read_robot_file(file, options);
  return build_model(robot, robot.gravity.value_or(Vec3<>(0, 0, -9.81)));
}

Exit info(const InfoArguments& arguments) {
  const std::optional<Scenario> loops = loops_of(arguments.file, arguments.options);
  const Model model = loops ? loops->system.model : model_of_robot(arguments.file, arguments.options);
  std::optional<VecX<>> q;
  if (!arguments.at.empty()) q = parse_configuration(model, arguments.at);
  if (arguments.json) {
    const std::string json = robot_json(model, q ? &*q : nullptr);
    print("{}\n", loops ? with_loops(json, *loops) : json);
  } else {
    print("{}", q ? robot_text(model, *q) : robot_text(model));
    if (loops && !q) print("{}", loops_text(*loops));
  }
  return done;
}

}  // namespace

void add_info(CommandLine& line) {
  const auto arguments = std::make_shared<InfoArguments>();
  Verb verb =
      line.add("info", "What a robot file or a scenario holds: tree, joints, masses, frames, loops with their rank",
               "trammel info robot.urdf --at q1=0.5,q2=-1", [arguments] { return info(*arguments); });
  verb.argument("FILE", arguments->file, "a robot as URDF or MJCF, or a scenario (.yaml)");
  verb.option("--at", arguments->at,
              "a configuration, as q1=0.3,q2=-1.2 (rad and m; joints not named stand at zero): prints the mass "
              "matrix, gravity forces, energy and frame poses there");
  add_robot_options(verb, arguments->options);
  verb.flag("--json", arguments->json, "print one JSON object instead of tables");
}

}  // namespace trammel::cli
