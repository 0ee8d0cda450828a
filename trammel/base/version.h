#pragma once

#include <string_view>

namespace trammel {

/// "0.1.0": the project's, as CMakeLists.txt has it.
std::string_view version();

}  // namespace trammel
