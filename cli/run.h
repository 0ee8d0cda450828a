#pragma once

#include "scenario_arguments.h"

namespace trammel::cli {

struct RunArguments : ScenarioArguments {
  bool no_report = false, open = false;
};

/// What `trammel run` does with a scenario: runs it, leaves its results in arguments.folder(), tells of it. `command` stands on the page.
Exit run_and_write(Scenario scenario, const RunArguments& arguments, const std::string& command);

}  // namespace trammel::cli
