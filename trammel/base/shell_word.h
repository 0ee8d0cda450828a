#pragma once

#include <string>

namespace trammel {

/// A word as a shell takes it back: in quotes, where it needs them.
std::string shell_word(const std::string& word);

}  // namespace trammel
