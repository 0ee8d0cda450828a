#include "trammel/expression/lexer.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

namespace trammel::expression {
namespace {

// Two numbers, so that 35 mm is the same double as 0.035, and 180 deg the same as pi.
struct Unit {
  std::string_view name;
  double times, per;  // value · times / per is in SI units
};
constexpr Unit units[] = {{"deg", std::numbers::pi, 180},
                          {"rad", 1, 1},
                          {"m", 1, 1},
                          {"mm", 1, 1000},
                          {"s", 1, 1},
                          {"ms", 1, 1000},
                          {"kg", 1, 1},
                          {"N", 1, 1}};
constexpr const char* unit_names = "deg, rad, m, mm, s, ms, kg, N";

const Unit* find_unit(std::string_view word) {
  for (const Unit& unit : units)
    if (unit.name == word) return &unit;
  return nullptr;
}

// The longer of two that begin alike comes first.
constexpr std::string_view symbols[] = {"<=", ">=", "<", ">", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", "="};

// What other languages and typesetting write, and what is written here.
struct Foreign {
  std::string_view text;
  const char* ours;
};
constexpr Foreign foreign[] = {{"**", "^ for a power"},
                               {"==", "= in an equation; <, <=, > and >= in a condition"},
                               {"&&", "and"},
                               {"||", "or"},
                               {"!", "not"},
                               {"−", "-"},
                               {"·", "*"},
                               {"×", "*"},
                               {"≤", "<="},
                               {"≥", ">="},
                               {"π", "pi"},
                               {"°", "deg behind a number"}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text()) {}

  Token next() {
    skip_spaces();
    const std::size_t begin = at_;
    Token token;
    if (at_ < text_.size()) token = number_name_or_symbol();
    token.at = begin;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

 private:
  char look(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  Token number_name_or_symbol() {
    if (is_digit(look()) || (look() == '.' && is_digit(look(1)))) return number();
    if (is_letter(look()) || look() == '`') return name();
    return symbol();
  }

  Token number() {
    Token token{.kind = TokenKind::number};
    const std::size_t begin = at_;
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), token.value);
    at_ = static_cast<std::size_t>(end - text_.data());
    const std::size_t end_of_digits = at_;
    skip_spaces();
    if (const Unit* unit = unit_after(end_of_digits); unit != nullptr) {
      token.value = token.value * unit->times / unit->per;
      token.has_unit = true;
    } else {
      at_ = end_of_digits;
    }
    if (problem != std::errc() || !std::isfinite(token.value))
      source_.refuse(begin, shown(text_.substr(begin, at_ - begin)), "numbers between 1e-307 and 1e307");
    return token;
  }

  // The unit that stands here, none if no word stands here or one that may follow a number; refuses other words.
  const Unit* unit_after(std::size_t end_of_digits) {
    const std::size_t begin = at_;
    const std::string_view found = word();
    const Unit* unit = find_unit(found);
    const bool goes_on = found.empty() || (begin > end_of_digits && (found == "and" || found == "or"));
    if (unit == nullptr && !goes_on)
      source_.refuse(begin, fmt::format("{} behind a number", shown(found)),
                     fmt::format("a unit ({}) or an operator such as *", unit_names));
    return unit;
  }

  // Letters, digits and _ from here on, the first no digit; may be empty.
  std::string_view word() {
    const std::size_t begin = at_;
    if (is_letter(look()))
      while (is_letter(look()) || is_digit(look())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Token name() {
    Token token{.kind = TokenKind::name};
    token.parts.push_back(name_part());
    while (look() == '.' && (is_letter(look(1)) || look(1) == '`')) {
      ++at_;
      token.parts.push_back(name_part());
    }
    return token;
  }

  NamePart name_part() {
    if (look() != '`') return {word()};
    const std::size_t begin = at_ + 1, end = text_.find('`', begin);
    if (end == std::string_view::npos) source_.refuse(at_, "a backquote alone", "a name between two backquotes");
    if (end == begin) source_.refuse(at_, "an empty name", "a name between two backquotes");
    at_ = end + 1;
    return {text_.substr(begin, end - begin), true};
  }

  Token symbol() {
    for (const Foreign& f : foreign)
      if (rest().starts_with(f.text)) source_.refuse(at_, shown(f.text), f.ours);
    for (const std::string_view known : symbols) {
      if (!rest().starts_with(known)) continue;
      at_ += known.size();
      return {.kind = TokenKind::symbol};
    }
    const std::string_view character = rest().substr(0, character_size(rest()));
    const bool is_printable = character.size() > 1 || (character[0] > ' ' && character[0] < 127);
    source_.refuse(at_, is_printable ? shown(character) : fmt::format("byte {:#04x}", character[0] & 0xFF),
                   "numbers, names, + - * / ^ ( ) and functions; other names in backquotes");
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_unit(std::string_view word) { return find_unit(word) != nullptr; }

std::vector<Token> split(const Source& source) {
  Lexer lexer(source);
  std::vector<Token> tokens;
  do tokens.push_back(lexer.next());
  while (tokens.back().kind != TokenKind::end);
  return tokens;
}

}  // namespace trammel::expression
