#pragma once

#include <stdexcept>

#include <CLI/CLI.hpp>

namespace trammel::cli {

/// What a verb's run ends with.
enum Exit { done = 0, bad_input = 1, could_not_finish = 2 };

/// A scenario that could not be read; the message is complete, with the line and a caret.
struct BadScenario : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each verb adds itself to the command line, and runs when it was typed; `exit` receives how it ended. A verb throws
/// trammel::Error for bad input.
void add_info(CLI::App& app, Exit& exit);
void add_run(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit);
void add_torques(CLI::App& app, Exit& exit);
void add_compare(CLI::App& app, Exit& exit);
void add_reproduce(CLI::App& app, Exit& exit);
void add_view(CLI::App& app, Exit& exit);

}  // namespace trammel::cli
