#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trammel/expression/source.h"

namespace trammel::expression {

enum class TokenKind : std::uint8_t { number, name, symbol, end };

/// A piece of a dotted name; in backquotes it may hold anything but a backquote.
struct NamePart {
  std::string_view text;
  bool quoted = false;
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t at = 0;             // byte of the text
  std::string_view text{};        // as the user wrote it
  double value = 0;               // of a number, in SI units
  bool has_unit = false;          // of a number
  std::vector<NamePart> parts{};  // of a name

  bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == TokenKind::name && text == word; }  // without backquotes
};

/// The text in pieces, the last of kind `end`. Views point into the source.
///
///   number   12  1.5  .5  1e-3, and behind it, a space between or not, a unit: deg rad m mm s ms kg N
///   name     words of letters, digits and _, or anything in backquotes, joined by dots: left.tool.x  `joint-1`
///   symbol   + - * / ^ ( ) [ ] , = < <= > >=
std::vector<Token> split(const Source& source);

bool is_unit(std::string_view word);

}  // namespace trammel::expression
