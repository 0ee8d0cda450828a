#include "trammel/xml/numbers.h"

#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "trammel/xml/words.h"

namespace trammel::xml {
namespace {

// Returns what is wrong with the word, or "".
std::string read_number(std::string_view word, double& out) {
  const std::string_view shown = word;
  // from_chars takes no plus sign, everybody else does
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (problem == std::errc::invalid_argument || end != word.data() + word.size())
    return fmt::format("'{}' is no number", shortened(shown));
  if (problem == std::errc::result_out_of_range) return fmt::format("'{}' is too large or too small", shortened(shown));
  if (!std::isfinite(out)) return fmt::format("'{}' is not finite", shortened(shown));
  return "";
}

}  // namespace

std::string read_numbers(std::string_view text, std::span<double> out) {
  std::size_t count = 0;
  for (std::size_t at = text.find_first_not_of(white); at != std::string_view::npos; ++count) {
    const std::size_t end = std::min(text.find_first_of(white, at), text.size());
    double number = 0;
    if (std::string problem = read_number(text.substr(at, end - at), number); !problem.empty()) return problem;
    if (count < out.size()) out[count] = number;
    at = text.find_first_not_of(white, end);
  }
  if (count == out.size()) return "";
  return count == 0 ? "no number" : fmt::format("{} number{}", count, count == 1 ? "" : "s");
}

std::string finite_numbers(std::size_t count) {
  switch (count) {
    case 1:
      return "a finite number";
    case 3:
      return "three finite numbers";
    case 4:
      return "four finite numbers";
    default:
      return fmt::format("{} finite numbers", count);
  }
}

}  // namespace trammel::xml
