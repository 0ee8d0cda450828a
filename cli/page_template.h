#pragma once

#include <string_view>

namespace trammel::cli {

/// The report page without its data; empty if the program was built without it.
std::string_view page_template();

}  // namespace trammel::cli
