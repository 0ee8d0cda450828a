#pragma once

#include <string>
#include <string_view>

#include "trammel/base/error.h"

namespace trammel::expression {

/// The text of an expression and where its first character stands, so that an error can point at a character.
class Source {
 public:
  static constexpr std::size_t longest = 10000;  // bytes

  Source() = default;
  Source(std::string_view text, Place where);  // throws Error if the text is too long

  const std::string& text() const { return text_; }
  int line() const { return where_.line; }  // 0: unknown
  Source part(std::size_t begin, std::size_t end) const;

  /// Throws an Error at the byte `at`. Where the caller knows no column, the message counts characters of the text.
  [[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& allowed) const;

 private:
  std::size_t characters_before(std::size_t at) const;

  std::string text_;
  Place where_;
};

/// A piece of the user's text in quotes, fit for one line of a message.
std::string shown(std::string_view text);

/// How many of the text's first bytes make one character of UTF-8.
std::size_t character_size(std::string_view text);

}  // namespace trammel::expression
