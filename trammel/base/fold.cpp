#include "trammel/base/fold.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/core.h>

namespace trammel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string kind_of(std::string_view sentence) {
  std::string out;
  bool quoted = false, in_number = false;
  for (const char c : sentence) {
    if (c == '\'') quoted = !quoted;
    in_number = is_digit(c) || (in_number && std::string_view(".e+-").find(c) != std::string_view::npos);
    if (!quoted && !in_number && c != '-') out += c;
  }
  return out;
}

std::vector<std::string> folded(const std::vector<std::string>& sentences, int most) {
  std::map<std::string, int> counts, seen;
  for (const std::string& sentence : sentences) ++counts[kind_of(sentence)];
  std::vector<std::string> out;
  for (const std::string& sentence : sentences) {
    const std::string kind = kind_of(sentence);
    const int count = counts[kind], number = ++seen[kind];
    // one line instead of one would save nothing
    if (number <= most || count == most + 1) out.push_back(sentence);
    if (number == most && count > most + 1) out.push_back("and " + std::to_string(count - most) + " more like it");
  }
  return out;
}

std::vector<std::string> folded(std::vector<std::string> sentences, int most, const std::string& such) {
  const int count = static_cast<int>(sentences.size());
  if (count <= most + 1) return sentences;
  sentences.resize(most);
  sentences.push_back("and " + std::to_string(count - most) + " more " + such);
  return sentences;
}

std::string folded_moments(const std::vector<double>& times) {
  constexpr std::size_t shown = 3;
  std::string out = "t = ";
  for (std::size_t i = 0; i < std::min(shown, times.size()); ++i)
    out += fmt::format("{}{:.4g}", i > 0 ? ", " : "", times[i]);
  out += " s";
  if (times.size() > shown) out += fmt::format(" and {} more until t = {:.4g} s", times.size() - shown, times.back());
  return out;
}

}  // namespace trammel
