#pragma once

#include <filesystem>

#include "command_line.h"

namespace trammel::cli {

/// What --strict does, for verbs that read robots.
inline constexpr const char* strict_help = "refuse robots with what no robot can have, instead of warning of it";

/// Each verb, in a file of its own, adds itself to the command line.
void add_run(CommandLine& line);
void add_sweep(CommandLine& line);
void add_check(CommandLine& line);
void add_torques(CommandLine& line);
void add_compare(CommandLine& line);
void add_reproduce(CommandLine& line, const std::filesystem::path& studies);  // those that come with the program
void add_view(CommandLine& line);
void add_info(CommandLine& line);
void add_words(CommandLine& line);

}  // namespace trammel::cli
