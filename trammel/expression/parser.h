#pragma once

#include <optional>
#include <vector>

#include "trammel/expression/expression.h"
#include "trammel/expression/resolve.h"

namespace trammel::expression {

/// Recursive descent, one function per level of binding, from the loosest to the tightest. Programs are written while
/// parsing; there is no tree.
///
///   disjunction  conjunction { "or" conjunction }
///   conjunction  negation { "and" negation }
///   negation     "not" negation | comparison
///   comparison   sum [ ("<" | "<=" | ">" | ">=") sum ]
///   sum          product { ("+" | "-") product }
///   product      signed { ("*" | "/") signed }
///   signed       ("-" | "+") signed | power
///   power        primary [ "^" signed ]
///   primary      number | "(" disjunction ")" | name [ "[" index "]" ] | call
///   call         function "(" disjunction { "," disjunction } ")" | "v" "(" name [ index ] ")" | "start" "(" sum ")"
class Parser {
 public:
  Parser(const Source& source, const Vocabulary& vocabulary);
  virtual ~Parser() = default;
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Expression expression();
  Expression equation();

 protected:
  /// What has been parsed: the node that holds it, and where it begins.
  struct Operand {
    int node;
    std::size_t at;
    bool is_condition = false;
  };

  Operand disjunction();
  Operand conjunction();
  Operand negation();
  Operand comparison();
  Operand sum();
  Operand product();
  Operand signed_power();
  Operand power();
  Operand primary();

  virtual Operand name();  // what begins with a name, calls among them: other languages give names another meaning
  Operand call();
  Operand curve(const std::shared_ptr<const Curve>& curve);
  Operand speed();
  int angle(const FrameAngle& angle, std::size_t at);
  int definition(const Token& token, const std::shared_ptr<const Expression>& meaning);
  Operand start();
  std::vector<Operand> arguments(const Token& called, const Function& function);
  std::optional<Index> index();

  /// Operations on operands of the right kind; other kinds are refused.
  Operand numeric(Op op, std::size_t at, const Operand& a, const Operand& b);
  Operand logical(Op op, std::size_t at, const Operand& a, const Operand& b);
  int number(const Operand& operand) const;
  int condition(const Operand& operand) const;

  const Token& look() const { return tokens_[next_]; }
  const Token& take() { return tokens_[next_++]; }  // never the end
  bool take_if(std::string_view symbol_or_word);
  void expect(std::string_view symbol, const char* allowed);
  [[noreturn]] void refuse_here(const std::string& allowed) const;
  Expression finished(const Operand& whole);

  const Source& source_;
  const Vocabulary& vocabulary_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  ProgramBuilder builder_;
  std::vector<Expression> starts_;
  std::map<const Expression*, int> first_starts_;  // of definitions that were put in: where in starts_
  bool inside_start_ = false;
  int depth_ = 0;
};

}  // namespace trammel::expression
