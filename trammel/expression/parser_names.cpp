#include <charconv>
#include <utility>

#include <fmt/core.h>

#include "trammel/expression/parser.h"

// The part of the parser that reads names and calls.

namespace trammel::expression {

Parser::Operand Parser::name() {
  const Token& token = look();
  if (token.is_word("and") || token.is_word("or") || token.is_word("not"))
    refuse_here("a number, a name, a function or '('");
  const bool is_call = tokens_[next_ + 1].is("(");
  if (is_call && (token.is_word("v") || token.is_word("start") || find_function(token.text) != nullptr)) return call();
  if (is_call)
    if (const std::shared_ptr<const Curve> found = find_curve(source_, token, vocabulary_)) return curve(found);
  if (is_call && !is_known(token, vocabulary_)) refuse_function(source_, token);
  ++next_;
  const auto meaning = resolve(source_, token, index(), vocabulary_);
  if (const auto* value = std::get_if<double>(&meaning)) return {builder_.constant(*value), token.at};
  if (const auto* of_frame = std::get_if<FrameAngle>(&meaning)) return {angle(*of_frame, token.at), token.at};
  if (const auto* defined = std::get_if<std::shared_ptr<const Expression>>(&meaning))
    return {definition(token, *defined), token.at};
  const Leaf& leaf = std::get<Leaf>(meaning);
  if (leaf.kind == LeafKind::bare_start && inside_start_) source_.refuse(token.at, "start in start(…)", "one start");
  if (leaf.kind == LeafKind::input && inside_start_)
    source_.refuse(token.at, fmt::format("the input {} in start(…)", shown(leaf.name)), "an expression without inputs");
  return {builder_.leaf(leaf), token.at};
}

// With the frame's axes x, y, z as the columns of R = Rz(yaw) Ry(pitch) Rx(roll).
int Parser::angle(const FrameAngle& angle, std::size_t at) {
  const auto axis = [&](int k, int component) {
    return builder_.leaf({LeafKind::frame_axis, angle.frame, 3 * k + component});
  };
  // leaves stand in the order in which they are asked for
  const int y = angle.index == 0 ? axis(1, 2) : angle.index == 1 ? axis(0, 2) : axis(0, 1);
  const int x = angle.index == 0 ? axis(2, 2) : axis(0, 0);
  if (angle.index != 1) return builder_.operation(Op::atan2, at, y, x);
  const int level = builder_.operation(Op::hypot, at, x, axis(0, 1));
  return builder_.operation(Op::atan2, at, builder_.operation(Op::negate, at, y), level);
}

int Parser::definition(const Token& token, const std::shared_ptr<const Expression>& meaning) {
  const auto refuse = [&](const std::string& what, const char* where, const char* allowed) {
    source_.refuse(token.at, fmt::format("{}, which has {} in it, in {}", shown(token.text), what, where), allowed);
  };
  for (const Leaf& leaf : meaning->leaves()) {
    const bool is_input = leaf.kind == LeafKind::input;
    if (is_input && vocabulary_.is_path)
      refuse(fmt::format("the input '{}'", leaf.name), "a path",
             "an expression without inputs; for those use an equation");
    if (is_input && inside_start_)
      refuse(fmt::format("the input '{}'", leaf.name), "start(…)", "an expression without inputs");
    if (leaf.kind == LeafKind::start && inside_start_) refuse("start(…)", "start(…)", "one start");
  }
  Definitions& definitions = *vocabulary_.definitions;
  definitions.operations += static_cast<long>(meaning->program().code.size());
  if (definitions.operations > Definitions::most_operations)
    source_.refuse(token.at,
                   fmt::format("{}, with which definitions come to more than {} operations", shown(token.text),
                               Definitions::most_operations),
                   "fewer or shorter ones");
  const auto [first, is_new] = first_starts_.emplace(meaning.get(), static_cast<int>(starts_.size()));
  if (is_new) starts_.insert(starts_.end(), meaning->starts().begin(), meaning->starts().end());
  return builder_.include(meaning->program(), {meaning, &meaning->source()}, first->second);
}

Parser::Operand Parser::call() {
  const Token& called = take();
  ++next_;  // the parenthesis
  if (called.is_word("v")) return {speed().node, called.at};
  if (called.is_word("start")) return {start().node, called.at};

  const Function& function = *find_function(called.text);
  const std::vector<Operand> given = arguments(called, function);
  if (function.op == Op::choose) {
    const int chosen = condition(given[0]), a = number(given[1]), b = number(given[2]);
    return {builder_.operation(Op::choose, called.at, chosen, a, b), called.at};
  }
  int node = number(given[0]);
  if (function.most == 1) node = builder_.operation(function.op, called.at, node);
  for (std::size_t k = 1; k < given.size(); ++k)
    node = builder_.operation(function.op, called.at, node, number(given[k]));
  return {node, called.at};
}

Parser::Operand Parser::curve(const std::shared_ptr<const Curve>& curve) {
  const Token& column = take();
  ++next_;  // the parenthesis
  const std::vector<Operand> given = arguments(column, {.name = column.text, .op = Op::curve, .fewest = 1, .most = 1});
  return {builder_.curve(curve, column.at, number(given[0])), column.at};
}

std::vector<Parser::Operand> Parser::arguments(const Token& called, const Function& function) {
  std::vector<Operand> given;
  if (!look().is(")")) {
    do given.push_back(disjunction());
    while (take_if(","));
  }
  const int count = static_cast<int>(given.size());
  expect(")", count < function.most ? "an operator, ',' or ')'" : "an operator or ')'");
  if (count < function.fewest || count > function.most)
    source_.refuse(called.at, fmt::format("{} with {} argument{}", shown(called.text), count, count == 1 ? "" : "s"),
                   function.op == Op::choose          ? "if(condition, value where it holds, value where not)"
                   : function.fewest == function.most ? fmt::format("{}", function.fewest)
                                                      : fmt::format("{} or more", function.fewest));
  return given;
}

Parser::Operand Parser::speed() {
  if (look().kind != TokenKind::name) refuse_here("the name of a joint");
  const Token& token = take();
  const Leaf leaf = resolve_speed(source_, token, index(), vocabulary_);
  expect(")", "')'");
  return {builder_.leaf(leaf), token.at};
}

Parser::Operand Parser::start() {
  const std::size_t begin = look().at;
  const std::size_t at = tokens_[next_ - 2].at;
  if (!vocabulary_.time)
    source_.refuse(at, "start(…)", "numbers and constants, since this value does not change in time");
  if (inside_start_) source_.refuse(at, "start(…) in start(…)", "one start");

  // a program of its own
  ProgramBuilder outside = std::exchange(builder_, ProgramBuilder(source_));
  inside_start_ = true;
  const Operand inside = disjunction();
  const Program program = builder_.finish(number(inside), begin);
  const std::size_t end = look().at;
  expect(")", "an operator or ')'");
  inside_start_ = false;
  builder_ = std::move(outside);

  if (program.leaves.empty()) return {builder_.constant(program.constants[0]), at};
  starts_.emplace_back(source_.part(begin, end), program, std::vector<Expression>{});
  return {builder_.leaf({LeafKind::start, "", static_cast<int>(starts_.size()) - 1}), at};
}

std::optional<Index> Parser::index() {
  if (!take_if("[")) return {};
  const Token& token = look();
  int value = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, problem] = std::from_chars(token.text.data(), end, value);
  if (token.kind != TokenKind::number || stop != end || problem != std::errc()) refuse_here("an index: 0, 1, 2 …");
  ++next_;
  expect("]", "']'");
  return Index{token.at, value};
}

}  // namespace trammel::expression
