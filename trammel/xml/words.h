#pragma once

#include <string>
#include <string_view>

namespace trammel::xml {

/// What stands between words.
constexpr std::string_view white = " \t\r\n";

/// What the author wrote, fit to stand in a message: on one line, without white space around it, cut
/// after a hundred bytes (never inside a character).
std::string shortened(std::string_view text);

}  // namespace trammel::xml
