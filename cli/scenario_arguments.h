#pragma once

#include <filesystem>

#include "command_line.h"
#include "trammel/report/figure_formats.h"
#include "trammel/scenario/scenario.h"

namespace trammel::cli {

/// What every verb on a scenario takes.
struct ScenarioArguments {
  std::string file;
  std::vector<std::string> overrides;  // --set simulate.duration=5
  std::string out;                     // --out DIR
  bool json = false, quiet = false;
  UrdfOptions robots;            // --strict, --package NAME=PATH
  FigureFormats figures{"svg"};  // --figures svg,pdf

  /// results/NAME, NAME that of the scenario's file, unless --out says otherwise.
  std::filesystem::path folder() const;
};

/// Adds FILE and the options to a verb.
void add_arguments(Verb& verb, ScenarioArguments& arguments);
/// Adds --figures to a verb that draws.
void add_figures(Verb& verb, FigureFormats& formats);

/// Reads the scenario. What is wrong in it is thrown as an Error whose message has the line and a caret under the spot.
/// Warnings go to standard error unless --quiet.
Scenario load(const ScenarioArguments& arguments);

/// Of an error in a file, with its line and a caret.
BadScenario shown_in_file(const Error& error, const std::filesystem::path& file);

}  // namespace trammel::cli
