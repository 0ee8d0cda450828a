#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trammel {

/// The known name nearest to `name` by edit distance, or "" if none is near enough to be a likely misspelling
/// (at most a third of the longer name's letters changed).
std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// The text of "allowed" for a name that does not exist: "one of a, b, c (did you mean b?)", cut short after twelve.
std::string allowed_names(std::string_view name, std::span<const std::string> known);

}  // namespace trammel
