#include "trammel/scenario/value.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/expression/lexer.h"

namespace trammel::scenario {
namespace {

using expression::shown;

std::string described(const Node& node) {
  switch (node.kind) {
    case Node::Kind::empty:
      return "nothing";
    case Node::Kind::text:
      return shown(node.text);
    case Node::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    default:
      return "a map";
  }
}

Unit unit_named(std::string_view name) {
  if (name == "m" || name == "mm") return Unit::length;
  if (name == "s" || name == "ms") return Unit::time;
  if (name == "deg" || name == "rad") return Unit::angle;
  return name == "kg" ? Unit::mass : Unit::any;
}

const char* allowed_units(Unit unit) {
  switch (unit) {
    case Unit::length:
      return "a length (m, mm)";
    case Unit::time:
      return "a time (s, ms)";
    case Unit::angle:
      return "an angle (rad, deg)";
    case Unit::mass:
      return "a mass (kg)";
    default:
      return "a number without a unit";
  }
}

}  // namespace

void Value::check_unit(Unit unit) const {
  if (unit == Unit::any) return;
  const expression::Source source(node_->text, {});  // the tokens' texts are its own
  const std::vector<expression::Token> tokens = expression::split(source);
  std::size_t first = 0;
  while (tokens[first].is("-") || tokens[first].is("+")) ++first;
  const expression::Token& number = tokens[first];
  const bool alone =
      number.kind == expression::TokenKind::number && tokens[first + 1].kind == expression::TokenKind::end;
  if (!alone || !number.has_unit) return;
  const std::size_t begin = number.text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") + 1;
  if (unit_named(number.text.substr(begin)) != unit) refuse(allowed_units(unit));
}

void Value::refuse(const std::string& allowed) const {
  refuse(fmt::format("{} as {}", described(*node_), what_), allowed);
}
void Value::refuse(const std::string& found, const std::string& allowed) const {
  throw Error(node_->place, found, allowed);
}

const std::string& Value::text(const std::string& allowed) const {
  if (!is_text()) refuse(allowed);
  return node_->text;
}

std::string Value::name() const {
  constexpr std::size_t longest = 200;
  const std::string& given = text("a name");
  if (given.empty() || given.size() > longest || given.find_first_of("\n\t") != std::string::npos)
    refuse(fmt::format("a name of up to {} characters on one line", longest));
  return given;
}

std::string Value::word(std::span<const std::string> known) const {
  const std::string& given = text(allowed_names("", known));
  if (std::ranges::find(known, given) == known.end()) refuse(allowed_names(given, known));
  return given;
}

bool Value::boolean() const {
  const std::string& given = text("true or false");
  if (given != "true" && given != "false") refuse("true or false");
  return given == "true";
}

std::vector<Value> Value::list(const std::string& allowed) const {
  if (!is_list()) refuse(allowed);
  std::vector<Value> out;
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    out.emplace_back(node_->items[i], fmt::format("item {} of {}", i + 1, what_));
  return out;
}

std::vector<Value> Value::list_of(std::size_t count, const std::string& allowed) const {
  std::vector<Value> out = list(allowed);
  if (out.size() != count) refuse(allowed);
  return out;
}

double Value::number(const Constants& constants, Unit unit) const {
  text("a number");
  if (node_->text.empty()) refuse("a number");
  const double value = parse_number(node_->text, constants, node_->text_place);
  check_unit(unit);
  return value;
}

double Value::positive(const Constants& constants, Unit unit) const {
  const double value = number(constants, unit);
  if (!(value > 0)) refuse("a number above 0");
  return value;
}

double Value::not_negative(const Constants& constants, Unit unit) const {
  const double value = number(constants, unit);
  if (!(value >= 0)) refuse("0 or more");
  return value;
}

Vec3<> Value::vector(const Constants& constants, Unit unit) const {
  const std::vector<Value> parts = list_of(3, "three numbers: [x, y, z]");
  return {parts[0].number(constants, unit), parts[1].number(constants, unit), parts[2].number(constants, unit)};
}

Map::Map(const Value& value, std::string whose, std::vector<std::string> known)
    : node_(&value.node()), whose_(std::move(whose)) {
  if (!value.is_map()) value.refuse(fmt::format("a map with {}", allowed_names("", known)));
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const Node::Key& key = node_->keys[i];
    if (std::ranges::find(known, key.text) != known.end()) continue;
    // {x: atan2(1, 2)} is a map with x: "atan2(1" and "2)"
    if (node_->items[i].kind == Node::Kind::empty && key.text.ends_with(')'))
      throw Error(key.place, fmt::format("{} behind a comma in {}", shown(key.text), whose_),
                  "quotes around an expression with a comma, as in x: \"atan2(1, 2)\"");
    throw Error(key.place, fmt::format("key {} in {}", shown(key.text), whose_), allowed_names(key.text, known));
  }
}

std::optional<Value> Map::find(std::string_view key) const {
  const Node* found = node_->find(key);
  if (found == nullptr) return {};
  return Value(*found, fmt::format("{} of {}", key, whose_));
}

Value Map::required(std::string_view key) const {
  std::optional<Value> found = find(key);
  if (!found) throw Error(node_->place, fmt::format("no key '{}' in {}", key, whose_), fmt::format("{}: …", key));
  return *found;
}

void Map::refuse_key(std::string_view key, const std::string& found, const std::string& allowed) const {
  throw Error(node_->key_place(key), found, allowed);
}

std::vector<NamedValue> named_values(const Value& value, const std::string& whose) {
  if (!value.is_map()) value.refuse("a map from names");
  std::vector<NamedValue> out;
  for (std::size_t i = 0; i < value.node().keys.size(); ++i) {
    const Node::Key& key = value.node().keys[i];
    out.push_back({key, Value(value.node().items[i], fmt::format("{} {}", whose, shown(key.text)))});
  }
  return out;
}

std::string alternatives(std::span<const std::string> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return out;
}

}  // namespace trammel::scenario
