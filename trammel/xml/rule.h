#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::xml {

using Names = std::vector<std::string>;

/// What may stand in an element. What is unused is known to the format, or common beside it, but not to us.
struct Rule {
  Names attributes;
  Names once, many;  // elements
  Names unused;      // elements that are not looked into
};

/// The rule of an element, by its tag; nullptr if such an element is not read.
using RuleOf = const Rule* (*)(std::string_view tag);

/// All elements that the rule knows.
Names elements_of(const Rule& rule);

bool contains(const Names& names, std::string_view name);

}  // namespace trammel::xml
