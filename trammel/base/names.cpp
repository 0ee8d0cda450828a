#include "trammel/base/names.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace trammel {
namespace {

// Levenshtein's distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitution});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t longest_compared = 200;  // a longer one is no misspelling, and the distance is quadratic
  if (name.size() > longest_compared) return "";
  std::string_view best;
  std::size_t best_distance = name.size() + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_compared) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (3 * distance <= std::max(name.size(), candidate.size()) && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

std::string allowed_names(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t most_listed = 12;
  if (known.empty()) return "none, since there is none";
  const std::string nearest = nearest_name(name, known);
  std::string text = fmt::format("one of {}", fmt::join(known.first(std::min(known.size(), most_listed)), ", "));
  if (known.size() > most_listed) text += fmt::format(" … ({} in all)", known.size());
  if (!nearest.empty()) text += fmt::format(" (did you mean '{}'?)", nearest);
  return text;
}

}  // namespace trammel
