#pragma once

#include <filesystem>
#include <functional>

#include "command_line.h"

namespace trammel::cli {

/// Does what it is given, and says on standard error what is thrown there, in the words of the program.
Exit guarded(const std::function<Exit()>& work);

/// trammel VERB …: one thin file per verb. Returns the exit code: 0 done, 1 bad input, 2 could not finish. `studies` is the folder of the
/// studies that come with the program.
int run_program(int argc, char** argv, const std::filesystem::path& studies);

}  // namespace trammel::cli
