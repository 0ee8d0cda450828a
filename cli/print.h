#pragma once

#include <iostream>

#include <fmt/core.h>

namespace trammel::cli {

/// On standard output. Nothing is thrown where nobody reads it any more; main looks whether all of it could be written.
template <class... Arguments>
void print(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  std::cout << fmt::format(form, std::forward<Arguments>(arguments)...);
}

}  // namespace trammel::cli
