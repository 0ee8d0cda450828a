#include "trammel/base/names.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace trammel {
namespace {

// How many letters must be changed, added, left out or swapped with their neighbour to make b of a.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // rows i − 2, i − 1 and i of the table of distances between the first i letters of a and the first j of b
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
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
