#pragma once

#include <CLI/CLI.hpp>

namespace trammel::cli {

/// What a verb's run ends with.
enum Exit { done = 0, bad_input = 1, could_not_finish = 2 };

/// Each verb adds itself to the command line, and runs when it was typed; `exit` receives how it ended. A verb throws
/// trammel::Error for bad input.
void add_info(CLI::App& app, Exit& exit);

}  // namespace trammel::cli
