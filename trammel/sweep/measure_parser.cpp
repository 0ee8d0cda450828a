#include "trammel/sweep/measure_parser.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/base/names.h"

namespace trammel::sweep {
namespace {

using expression::Index;
using expression::ProgramBuilder;
using expression::shown;
using expression::Token;
using expression::TokenKind;

const Vocabulary& no_names() {
  static const Vocabulary none;
  return none;
}

std::string joined(const Token& name) {
  std::string text;
  for (const expression::NamePart& part : name.parts) text.append(text.empty() ? "" : ".").append(part.text);
  return text;
}

const NamedReduction* find_reduction(std::string_view name) {
  const auto found = std::ranges::find(all_reductions(), name, &NamedReduction::name);
  return found == all_reductions().end() ? nullptr : &*found;
}

std::string forms() {
  std::vector<std::string> names;
  for (const NamedReduction& one : all_reductions())
    names.push_back(std::string(one.name) + (one.reduction == Reduction::percentile ? "(95, …)" : "(…)"));
  return fmt::format("one of {}", fmt::join(names, ", "));
}

std::string part(const std::string& name, int i) { return fmt::format("{}[{}]", name, i); }

bool is_plain(std::string_view part) {
  return std::ranges::all_of(part, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }) &&
         std::isdigit(static_cast<unsigned char>(part[0])) == 0;
}

// As expressions take it: u.`left motor`, without the index.
std::string as_written(std::string_view name) {
  if (name.ends_with(']')) name = name.substr(0, name.rfind('['));
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  const std::string_view rest = name.substr(dot + 1);
  const char* const quote = is_plain(rest) ? "" : "`";
  return fmt::format("{}.{}{}{}", name.substr(0, dot), quote, rest, quote);
}

}  // namespace

MeasureParser::MeasureParser(const expression::Source& source, std::span<const Column> columns,
                             std::vector<std::string> measures)
    : Parser(source, no_names()), recorded_(columns), measures_(std::move(measures)) {}

expression::Parser::Operand MeasureParser::name() {
  const Token& token = look();
  const bool is_call = tokens_[next_ + 1].is("(") && token.parts.size() == 1 && !token.parts[0].quoted;
  if (!is_call && (token.is_word("pi") || token.is_word("and") || token.is_word("or") || token.is_word("not")))
    return Parser::name();
  if (!is_call) return inside_ ? column() : measure();
  const NamedReduction* const which = find_reduction(token.text);
  const bool is_function = expression::find_function(token.text) != nullptr;
  if (which != nullptr && (!is_function || has_one_argument())) {
    if (inside_)
      source_.refuse(token.at, fmt::format("{}(…) in a reduction", token.text),
                     "expressions of recorded columns, and one reduction around them");
    return reduction(*which);
  }
  if (is_function) return Parser::name();
  std::vector<std::string> known;
  if (!inside_)
    for (const NamedReduction& one : all_reductions()) known.emplace_back(one.name);
  for (const expression::Function& function : expression::functions())
    if (std::ranges::find(known, function.name) == known.end()) known.emplace_back(function.name);
  source_.refuse(token.at, fmt::format("the function {}", shown(token.text)), allowed_names(token.text, known));
}

expression::Parser::Operand MeasureParser::measure() {
  const Token& token = take();
  const std::string name = joined(token);
  const auto found = std::ranges::find(measures_, name);
  if (found == measures_.end())
    source_.refuse(token.at, fmt::format("{} outside of a reduction", shown(token.text)),
                   forms() + (measures_.empty() ? "" : ", or a measure before this one"));
  return {builder_.leaf({LeafKind::input, name, -1 - static_cast<int>(found - measures_.begin())}), token.at};
}

// NAME, NAME[i], or NAME for all NAME[0], NAME[1], …
expression::Parser::Operand MeasureParser::column() {
  const Token& token = take();
  const std::optional<Index> at = index();
  const std::string name = joined(token);
  if (name == "t" && !at) return {builder_.leaf({LeafKind::time, ""}), token.at};
  const auto leaf = [&](const AskedColumn& asked) -> Operand {
    return {builder_.leaf({LeafKind::input, asked.name, number_of(asked)}), token.at};
  };
  const bool is_whole = find_column(name) != nullptr;
  if (is_whole && at) source_.refuse(at->at, fmt::format("an index behind {}", shown(token.text)), "none");
  if (is_whole) return leaf({name});
  int count = 0;
  while (find_column(part(name, count)) != nullptr) ++count;
  if (count == 0) refuse_column(token);
  const std::string indices = fmt::format("an index from [0] to [{}]", count - 1);
  if (at && at->value >= count) source_.refuse(at->at, fmt::format("[{}] of {}", at->value, shown(name)), indices);
  if (at) return leaf({part(name, at->value)});
  const std::string& unit = find_column(part(name, 0))->unit;
  for (int i = 1; i < count; ++i)
    if (const std::string& other = find_column(part(name, i))->unit; other != unit)
      source_.refuse(token.at,
                     fmt::format("{} with parts in {} and in {}, which have no length", shown(name), unit, other),
                     indices + " behind it");
  return leaf({name, true});
}

const Column* MeasureParser::find_column(const std::string& name) const {
  const auto found = std::ranges::find(recorded_, name, &Column::name);
  return found == recorded_.end() ? nullptr : &*found;
}

void MeasureParser::refuse_column(const Token& token) const {
  const std::string_view here = std::string_view(source_.text()).substr(token.at);
  std::vector<std::string> known;
  for (const Column& column : recorded_) {
    const std::string text = as_written(column.name);
    const std::string_view bare = std::string_view(column.name).substr(0, column.name.find('['));
    if (bare.size() > token.text.size() && here.starts_with(bare))
      source_.refuse(token.at, fmt::format("the name {} without backquotes", shown(bare)), text);
    if (known.empty() || known.back() != text) known.push_back(text);
  }
  source_.refuse(token.at, fmt::format("the column {}", shown(token.text)), allowed_names(joined(token), known));
}

int MeasureParser::number_of(const AskedColumn& asked) {
  const auto found = std::ranges::find(asked_, asked);
  if (found == asked_.end()) {
    asked_.push_back(asked);
    return static_cast<int>(asked_.size()) - 1;
  }
  return static_cast<int>(found - asked_.begin());
}

// Whether no comma stands in the parentheses that open behind the name.
bool MeasureParser::has_one_argument() const {
  int depth = 0;
  for (std::size_t k = next_ + 1; tokens_[k].kind != TokenKind::end; ++k) {
    if (tokens_[k].is("(")) ++depth;
    if (tokens_[k].is(")") && --depth == 0) return true;
    if (tokens_[k].is(",") && depth == 1) return false;
  }
  return true;
}

double MeasureParser::percentage() {
  const Token& token = look();
  if (token.kind != TokenKind::number || token.has_unit || !(token.value <= 100))
    refuse_here("a number from 0 to 100: percentile(95, …)");
  ++next_;
  expect(",", "',' and an expression: percentile(95, …)");
  return token.value;
}

// As start(…), it is a program of its own.
expression::Parser::Operand MeasureParser::reduction(const NamedReduction& which) {
  const std::size_t at = take().at;
  ++next_;  // the parenthesis
  const double p = which.reduction == Reduction::percentile ? percentage() : 0;
  const std::size_t begin = look().at;
  ProgramBuilder outside = std::exchange(builder_, ProgramBuilder(source_));
  inside_ = true;
  const Operand operand = disjunction();
  expression::Program program = builder_.finish(number(operand), begin);
  const std::size_t end = look().at;
  expect(")", "an operator or ')'");
  inside_ = false;
  builder_ = std::move(outside);
  reduced_.push_back({which.reduction, p, Expression(source_.part(begin, end), std::move(program), {})});
  return {builder_.leaf({LeafKind::input, "", static_cast<int>(reduced_.size()) - 1}), at};
}

}  // namespace trammel::sweep
