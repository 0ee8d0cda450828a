#pragma once

#include <string>
#include <string_view>

namespace trammel::xml {

/// What the author wrote, fit to stand in a message: on one line, without white space around it, cut
/// after a hundred bytes (never inside a character).
std::string shortened(std::string_view text);

}  // namespace trammel::xml
