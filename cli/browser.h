#pragma once

#include <string>

namespace trammel::cli {

/// Shows a file with what the desktop has for it. Says so on standard error where there is nothing.
void open_in_browser(const std::string& file);

}  // namespace trammel::cli
