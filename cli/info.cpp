#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "print.h"
#include "trammel/base/names.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
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

Exit info(const InfoArguments& arguments) {
  const Model model = build_model(scenario::read_robot_file(arguments.file, arguments.options));
  if (arguments.at.empty()) {
    print("{}", arguments.json ? robot_json(model) + "\n" : robot_text(model));
  } else {
    const VecX<> q = parse_configuration(model, arguments.at);
    print("{}", arguments.json ? robot_json(model, &q) + "\n" : robot_text(model, q));
  }
  return done;
}

}  // namespace

void add_info(CommandLine& line) {
  const auto arguments = std::make_shared<InfoArguments>();
  Verb verb = line.add("info", "What a robot file holds: tree, joints, masses, frames",
                       "trammel info robot.urdf --at q1=0.5,q2=-1", [arguments] { return info(*arguments); });
  verb.argument("FILE", arguments->file, "a robot as URDF");
  verb.option("--at", arguments->at,
              "a configuration, as q1=0.3,q2=-1.2 (rad and m; joints not named stand at zero): prints the mass "
              "matrix, gravity forces, energy and frame poses there");
  verb.flag("--strict", arguments->options.strict, strict_help);
  verb.flag("--json", arguments->json, "print one JSON object instead of tables");
}

}  // namespace trammel::cli
