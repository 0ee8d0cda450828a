#include "scenario_arguments.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/core.h>

#include "trammel/scenario/text.h"
#include "verbs.h"

namespace trammel::cli {

std::filesystem::path ScenarioArguments::folder() const {
  return out.empty() ? std::filesystem::path("results") / std::filesystem::path(file).stem()
                     : std::filesystem::path(out);
}

void add_arguments(Verb& verb, ScenarioArguments& arguments) {
  verb.argument("FILE", arguments.file, "the scenario, a YAML file");
  verb.option("--set", arguments.overrides, "KEY=VALUE instead of what the file says, such as simulate.duration=5");
  verb.option("--out", arguments.out, "folder for the results instead of results/NAME");
  verb.flag("--json", arguments.json, "one JSON object on standard output, and nothing else");
  add_robot_options(verb, arguments.robots);
  verb.flag("--quiet", arguments.quiet, "no progress, no warnings, no summary");
}

void add_robot_options(Verb& verb, UrdfOptions& options) {
  verb.flag("--strict", options.strict, "refuse robots with what no robot can have, instead of warning of it");
  verb.option(
      "--package", "NAME=PATH",
      [&options](const std::string& text) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
          throw Error(fmt::format("'{}' in --package", text), "NAME=PATH, for meshes package://NAME/…");
        options.packages[text.substr(0, equals)] = text.substr(equals + 1);
      },
      "the folder of a package, for meshes package://NAME/…; may be given again");
}

void add_figures(Verb& verb, FigureFormats& formats) {
  verb.option(
      "--figures", "svg,pdf,png", [&formats](const std::string& list) { formats = read_figure_formats(list); },
      "how to leave figures: svg (default), pdf, png, or several");
}

namespace {

// For a line to show; of what is no file, or too large to be a scenario, nothing.
std::string text_of(const std::filesystem::path& file) {
  std::error_code problem;
  if (const std::uintmax_t size = std::filesystem::file_size(file, problem); problem || size > scenario::most_bytes)
    return {};
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

BadScenario shown_in_file(const Error& error, const std::filesystem::path& file) {
  return BadScenario(with_caret(error, text_of(file)));
}

Scenario load(const ScenarioArguments& arguments) {
  try {
    Scenario scenario = read_scenario(arguments.file, arguments.overrides, arguments.robots);
    if (!arguments.quiet && !arguments.json)
      for (const Warning& warning : scenario.warnings) std::cerr << "warning: " << to_string(warning) << '\n';
    return scenario;
  } catch (const Error& error) {
    throw shown_in_file(error, arguments.file);
  }
}

}  // namespace trammel::cli
