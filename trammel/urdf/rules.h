#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::urdf {

using Names = std::vector<std::string>;

/// What may stand in an element of a URDF. What is unused is known to URDF, or common beside it, but not to us.
struct Rule {
  Names attributes;
  Names once, many;  // elements
  Names unused;      // elements that are not looked into
};

/// An element has the same rule wherever it stands; nullptr if we do not read such an element. The rules have no
/// circles: what they describe is only a few elements deep.
const Rule* rule_of(std::string_view tag);

/// All elements that the rule knows.
Names elements_of(const Rule& rule);

bool contains(const Names& names, std::string_view name);

}  // namespace trammel::urdf
