#include "trammel/base/listed.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel {

std::string listed(const std::string& what, const std::vector<Named>& things) {
  constexpr std::size_t most_names = 3, most_lines = 12;
  const std::size_t count = things.size(), shown = count <= most_names + 1 ? count : most_names;
  std::string out = what + (count == 1 ? "" : "s"), lines;
  for (std::size_t i = 0; i < shown; ++i) out += fmt::format("{} '{}'", i == 0 ? "" : ",", things[i].name);
  if (shown < count) out += fmt::format(" and {} more", count - shown);
  if (count == 1 || things.front().place.line == 0) return out;
  for (std::size_t i = 0; i < std::min(count, most_lines); ++i)
    lines += fmt::format("{}{}", i == 0 ? "" : ", ", things[i].place.line);
  return out + fmt::format(" (lines {}{})", lines, count > most_lines ? ", …" : "");
}

}  // namespace trammel
