#pragma once

#include <string>
#include <vector>

#include "trammel/base/error.h"

namespace trammel {

struct Named {
  Place place;
  std::string name;
};

/// "link 'a'", "links 'a', 'b', 'c' and 2 more (lines 12, 40, 41, 42, 43)": at least one, all in one file.
std::string listed(const std::string& what, const std::vector<Named>& things);

}  // namespace trammel
