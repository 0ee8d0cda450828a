#include "trammel/expression/parser.h"

#include <utility>

#include <fmt/core.h>

namespace trammel::expression {
namespace {

/// Counts how deep the parser has gone, so that no text can exhaust the stack.
class Descent {
 public:
  static constexpr int deepest = 200;

  Descent(int& depth, const Source& source, std::size_t at) : depth_(depth) {
    if (depth_ == deepest) source.refuse(at, fmt::format("more than {} levels inside each other", deepest), "fewer");
    ++depth_;
  }
  ~Descent() { --depth_; }
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

 private:
  int& depth_;
};

}  // namespace

Parser::Parser(const Source& source, const Vocabulary& vocabulary)
    : source_(source), vocabulary_(vocabulary), tokens_(split(source)), builder_(source) {}

Expression Parser::expression() {
  const Operand whole = disjunction();
  number(whole);
  if (look().is("=")) refuse_here("an operator or the end; = stands in equations only");
  if (look().kind != TokenKind::end) refuse_here("an operator or the end");
  return finished(whole);
}

Expression Parser::equation() {
  const Operand left = disjunction();
  number(left);
  if (look().kind == TokenKind::end) source_.refuse(look().at, "no '='", "an equation: left = right");
  const std::size_t at = look().at;
  expect("=", "an operator or '='");
  const Operand right = disjunction();
  number(right);
  if (look().is("=")) refuse_here("one '=' in an equation");
  if (look().kind != TokenKind::end) refuse_here("an operator or the end");
  const bool is_zero = right.node == builder_.constant(0);
  return finished(is_zero ? left : numeric(Op::subtract, at, left, right));
}

Parser::Operand Parser::disjunction() {
  Operand left = conjunction();
  while (look().is_word("or")) {
    const std::size_t at = take().at;
    left = logical(Op::either, at, left, conjunction());
  }
  return left;
}

Parser::Operand Parser::conjunction() {
  Operand left = negation();
  while (look().is_word("and")) {
    const std::size_t at = take().at;
    left = logical(Op::both, at, left, negation());
  }
  return left;
}

Parser::Operand Parser::negation() {
  if (!look().is_word("not")) return comparison();
  const std::size_t at = take().at;
  const Descent descent(depth_, source_, at);
  const Operand operand = negation();
  return {builder_.operation(Op::opposite, at, condition(operand)), at, true};
}

Parser::Operand Parser::comparison() {
  const auto is_comparison = [this] { return look().is("<") || look().is("<=") || look().is(">") || look().is(">="); };
  const Operand left = sum();
  if (!is_comparison()) return left;
  const Token& sign = take();
  const Operand right = sum();
  if (is_comparison()) refuse_here("'and' between two comparisons");

  // a > b is b < a
  const Op op = sign.text.size() == 2 ? Op::less_equal : Op::less;
  const bool is_less = sign.text[0] == '<';
  const int a = number(left), b = number(right);
  return {builder_.operation(op, sign.at, is_less ? a : b, is_less ? b : a), left.at, true};
}

Parser::Operand Parser::sum() {
  Operand left = product();
  while (look().is("+") || look().is("-")) {
    const Token& sign = take();
    left = numeric(sign.is("+") ? Op::add : Op::subtract, sign.at, left, product());
  }
  return left;
}

Parser::Operand Parser::product() {
  Operand left = signed_power();
  while (look().is("*") || look().is("/")) {
    const Token& sign = take();
    left = numeric(sign.is("*") ? Op::multiply : Op::divide, sign.at, left, signed_power());
  }
  return left;
}

Parser::Operand Parser::signed_power() {
  const Descent descent(depth_, source_, look().at);
  if (!look().is("-") && !look().is("+")) return power();
  const Token& sign = take();
  const Operand operand = signed_power();
  const int node = number(operand);
  return {sign.is("-") ? builder_.operation(Op::negate, sign.at, node) : node, sign.at};
}

Parser::Operand Parser::power() {
  const bool has_unit = look().has_unit;
  const Operand base = primary();
  if (!look().is("^")) return base;
  if (has_unit) refuse_here("a power of a number with a unit in parentheses: (2 mm)^2");
  const std::size_t at = take().at;
  return numeric(Op::power, at, base, signed_power());
}

Parser::Operand Parser::primary() {
  const Token& token = look();
  if (token.kind == TokenKind::name) return name();
  if (token.kind == TokenKind::number) return {builder_.constant(take().value), token.at};
  if (!take_if("(")) refuse_here("a number, a name, a function or '('");
  Operand inside = disjunction();
  expect(")", "an operator or ')'");
  inside.at = token.at;
  return inside;
}

Parser::Operand Parser::numeric(Op op, std::size_t at, const Operand& a, const Operand& b) {
  const int first = number(a), second = number(b);
  return {builder_.operation(op, at, first, second), a.at};
}

Parser::Operand Parser::logical(Op op, std::size_t at, const Operand& a, const Operand& b) {
  const int first = condition(a), second = condition(b);
  return {builder_.operation(op, at, first, second), a.at, true};
}

int Parser::number(const Operand& operand) const {
  if (operand.is_condition)
    source_.refuse(operand.at, "a condition", "a number; conditions stand in if(condition, a, b)");
  return operand.node;
}

int Parser::condition(const Operand& operand) const {
  if (!operand.is_condition) source_.refuse(operand.at, "a number", "a condition such as t < 2");
  return operand.node;
}

bool Parser::take_if(std::string_view symbol) {
  if (!look().is(symbol)) return false;
  ++next_;
  return true;
}

void Parser::expect(std::string_view symbol, const char* allowed) {
  if (!take_if(symbol)) refuse_here(allowed);
}

void Parser::refuse_here(const std::string& allowed) const {
  const bool is_end = look().kind == TokenKind::end;
  source_.refuse(look().at, is_end ? "the end" : shown(look().text), allowed);
}

Expression Parser::finished(const Operand& whole) {
  return {source_, builder_.finish(whole.node, 0), std::move(starts_)};
}

}  // namespace trammel::expression
