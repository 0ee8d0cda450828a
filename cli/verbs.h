#pragma once

#include <filesystem>

#include "command_line.h"
#include "trammel/urdf/urdf.h"

namespace trammel::cli {

/// Adds --strict and --package, by which a verb reads robots.
void add_robot_options(Verb& verb, UrdfOptions& options);

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
