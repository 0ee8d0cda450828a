#include "trammel/expression/source.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel::expression {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Source::Source(std::string_view text, Place where) : where_(std::move(where)) {
  if (text.size() > longest)
    throw Error(where_, fmt::format("an expression of {} characters", text.size()), fmt::format("at most {}", longest));
  text_ = text;
}

Source Source::part(std::size_t begin, std::size_t end) const {
  Source piece(std::string_view(text_).substr(begin, end - begin), where_);
  if (where_.column > 0) piece.where_.column += static_cast<int>(characters_before(begin));
  return piece;
}

void Source::refuse(std::size_t at, const std::string& found, const std::string& allowed) const {
  const int characters = static_cast<int>(characters_before(at));
  if (where_.line > 0 && where_.column > 0)
    throw Error(Place{where_.file, where_.line, where_.column + characters}, found, allowed);
  throw Error(where_, fmt::format("{} at character {}", found, characters + 1), allowed);
}

std::size_t Source::characters_before(std::size_t at) const {
  return at - std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), continues_a_character);
}

std::size_t character_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && size < 4 && continues_a_character(text[size])) ++size;
  return size;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest_shown = 40;
  std::size_t end = std::min(text.size(), longest_shown);
  while (end < text.size() && continues_a_character(text[end])) ++end;
  std::string piece(text.substr(0, end));
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == 127; };
  std::replace_if(piece.begin(), piece.end(), is_control, ' ');
  return fmt::format("'{}{}'", piece, end < text.size() ? "…" : "");
}

}  // namespace trammel::expression
