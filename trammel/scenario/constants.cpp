#include "trammel/scenario/constants.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel::scenario {

Constants read_constants(const std::optional<Value>& value) {
  Constants constants;
  if (!value) return constants;
  for (const auto& [key, number] : named_values(*value, "constant")) {
    check_plain_word(key, "constant");
    if (is_reserved_word(key.text))
      throw Error(key.place, fmt::format("a constant named '{}', a word of the language", key.text), "another name");
    constants.emplace(key.text, number.number(constants));
  }
  return constants;
}

Constants read_constants(const Node& root) {
  const Node* const found = root.find("constants");
  return found == nullptr ? Constants() : read_constants(Value(*found, "constants of the scenario"));
}

void check_plain_word(const Node::Key& name, const char* what) {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool is_plain = !name.text.empty() && is_letter(name.text[0]) &&
                        std::ranges::all_of(name.text, [&](char c) { return is_letter(c) || is_digit(c); });
  if (!is_plain)
    throw Error(name.place, fmt::format("the {} {}", what, expression::shown(name.text)),
                "a word of letters, digits and _");
}

}  // namespace trammel::scenario
