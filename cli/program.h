#pragma once

#include <filesystem>

namespace trammel::cli {

/// trammel VERB …: one thin file per verb. Returns the exit code: 0 done, 1 bad input, 2 could not finish. `studies` is the folder of the
/// studies that come with the program.
int run_program(int argc, char** argv, const std::filesystem::path& studies);

}  // namespace trammel::cli
