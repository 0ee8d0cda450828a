#pragma once

#include <filesystem>

#include "trammel/report/output_folder.h"
#include "trammel/scenario/scenario.h"
#include "verbs.h"

namespace trammel::cli {

/// What every verb on a scenario takes.
struct ScenarioArguments {
  std::string file;
  std::vector<std::string> overrides;  // --set simulate.duration=5
  std::string out;                     // --out DIR
  bool json = false, quiet = false;

  /// results/NAME, NAME that of the scenario's file, unless --out says otherwise.
  std::filesystem::path folder() const;
};

/// Adds FILE and the options to a verb, with an example under its help.
void add_arguments(CLI::App& verb, ScenarioArguments& arguments, const std::string& example);

/// Reads the scenario. What is wrong in it is thrown as an Error whose message has the line and a caret under the spot.
/// Warnings go to standard error unless --quiet.
Scenario load(const ScenarioArguments& arguments);

/// Throws Error unless the scenario can be run: it says for how long, and its start could be assembled if it was to be.
void check_ready(const Scenario& scenario);

}  // namespace trammel::cli
