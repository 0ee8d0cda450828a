#include "trammel/expression/expression.h"

#include <algorithm>
#include <cassert>

#include <fmt/core.h>

#include "trammel/expression/parser.h"

namespace trammel {

using namespace expression;

namespace {

// Whether an operand moves that can bring the operation to its kink or jump. A choice is smooth if its condition stands still: its
// branches are looked at by themselves.
bool reaches_break(const Instruction& i, const std::vector<bool>& moves) {
  return moves[i.a] || (operand_count(i.op) == 2 && moves[i.b]);
}

bool is_reserved_function(std::string_view word) {
  const Function* const function = find_function(word);
  return function != nullptr && function->is_reserved;
}

constexpr std::string_view own_words[] = {"pi", "t", "start", "and", "or", "not"};

}  // namespace

void ExpressionWorkspace::make_room(int registers) {
  const auto size = static_cast<std::size_t>(registers);
  if (values.size() >= size) return;
  values.resize(size);
  adjoints.resize(size);
  jets.resize(size);
}

Expression::Expression(Source source, Program program, std::vector<Expression> starts)
    : source_(std::move(source)), program_(std::move(program)), starts_(std::move(starts)) {}

bool Expression::has_speeds() const {
  return std::ranges::any_of(program_.leaves, [](const Leaf& leaf) {
    return leaf.kind == LeafKind::speed || leaf.kind == LeafKind::frame_velocity ||
           leaf.kind == LeafKind::frame_angular_velocity;
  });
}

double Expression::value(std::span<const double> leaves, ExpressionWorkspace& work) const {
  return program_.run<double>(leaves, work.values);
}

Jet Expression::evaluate(std::span<const Jet> leaves, ExpressionWorkspace& work) const {
  return program_.run<Jet>(leaves, work.jets);
}

double Expression::gradient(std::span<const double> leaves, ExpressionWorkspace& work, std::span<double> out) const {
  assert(out.size() == leaves.size());
  const double phi = program_.run<double>(leaves, work.values);
  program_.sweep_back(work.values, work.adjoints);
  std::copy_n(work.adjoints.begin(), leaves.size(), out.begin());
  return phi;
}

void Expression::refuse_break(const expression::Instruction& i, const std::string& found, const char* allowed) const {
  const bool is_own = i.origin < 0;
  const std::string used = is_own || source_.line() == 0 ? "" : fmt::format(" (used in line {})", source_.line());
  (is_own ? source_ : *program_.origins[i.origin]).refuse(i.at, found + used, allowed);
}

void Expression::check_differentiable() const {
  // what moves: leaves other than start values and inputs, and what is made of them
  std::vector<bool> moves(program_.registers(), false);
  for (std::size_t k = 0; k < program_.leaves.size(); ++k) {
    const LeafKind kind = program_.leaves[k].kind;
    moves[k] = kind != LeafKind::start && kind != LeafKind::bare_start && kind != LeafKind::input;
  }
  int own = program_.first();
  for (const Instruction& i : program_.code) {
    const Function* const function = function_of(i.op);
    if (function != nullptr && function->has != Break::none && reaches_break(i, moves))
      refuse_break(
          i, fmt::format("'{}', which {}", function->name, function->has == Break::kink ? "has a kink" : "jumps"),
          "functions with the derivatives that a constraint needs; cycloid, minjerk and smoothstep are smooth steps");
    if (i.op == Op::curve && moves[i.a] && program_.curves[i.b]->shape() == Curve::Shape::linear)
      refuse_break(i, "a table with straight pieces, which has kinks",
                   "interpolate: cubic, which has the derivatives that a constraint needs");
    const int operands[] = {i.a, i.b, i.c};
    for (int n = 0; n < operand_count(i.op); ++n) moves[own] = moves[own] || moves[operands[n]];
    ++own;
  }
}

Expression parse_expression(std::string_view text, const Vocabulary& vocabulary, const Place& where) {
  const Source source(text, where);
  return Parser(source, vocabulary).expression();
}

Expression parse_equation(std::string_view text, const Vocabulary& vocabulary, const Place& where) {
  const Source source(text, where);
  return Parser(source, vocabulary).equation();
}

double parse_number(std::string_view text, const Constants& constants, const Place& where) {
  const Expression number = parse_expression(text, Vocabulary{.constants = constants, .time = false}, where);
  ExpressionWorkspace work;
  number.make_room(work);
  return number.value({}, work);
}

bool is_reserved_word(std::string_view word) {
  return std::ranges::find(own_words, word) != std::end(own_words) || is_reserved_function(word);
}

std::vector<std::string> reserved_words() {
  std::vector<std::string> out(std::begin(own_words), std::end(own_words));
  for (const Function& function : functions())
    if (function.is_reserved) out.emplace_back(function.name);
  return out;
}

}  // namespace trammel
