#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trammel::xml {

/// Reads exactly as many numbers as `out` has room for, separated by white space. Returns "", or what is wrong with the
/// text: "2 numbers", "'x' is no number", "'nan' is not finite". Does not depend on the locale.
std::string read_numbers(std::string_view text, std::span<double> out);

/// "a finite number", "three finite numbers".
std::string finite_numbers(std::size_t count);

}  // namespace trammel::xml
