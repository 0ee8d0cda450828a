#include "trammel/sweep/vary.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "trammel/math/eps.h"
#include "trammel/sweep/elementary.h"

namespace trammel::sweep {
namespace {

using scenario::Map;
using scenario::NamedValue;
using scenario::Node;
using scenario::Unit;
using scenario::Value;

constexpr int most_steps = 100'000;

// Without quotes where YAML reads it back as the same text.
std::string quoted(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of("#,[]{}:\n\t\\") == std::string::npos && text.front() != ' ' &&
                     text.back() != ' ' && std::string_view("&*!|>'\"%@`-?").find(text.front()) == std::string::npos &&
                     text != "null" && text != "Null" && text != "NULL" && text != "~";
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n' || c == '\t')
      out += c == '\n' ? "\\n" : "\\t";
    else
      out += c;
  }
  return out + '"';
}

// A value as YAML on one line.
std::string written(const Node& node) {
  if (node.kind == Node::Kind::text) return quoted(node.text);
  if (node.kind == Node::Kind::empty) return "";
  const bool is_map = node.kind == Node::Kind::map;
  std::string out;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    out += (i > 0 ? ", " : "") + (is_map ? quoted(node.keys[i].text) + ": " : "") + written(node.items[i]);
  return (is_map ? "{" : "[") + out + (is_map ? "}" : "]");
}

std::optional<double> number_in(const Node& node) {
  if (node.kind != Node::Kind::text || node.text.empty()) return {};
  try {
    return parse_number(node.text, {});
  } catch (const Error&) {
    return {};  // a word, or an expression of time or of the robot
  }
}

void read_choices(const Value& list, Varied& out) {
  for (const Value& item : list.list("a list of values")) {
    if (item.node().kind == Node::Kind::empty) item.refuse("a value");
    const std::optional<double> number = number_in(item.node());
    out.choices.push_back(number ? choice_of(*number) : Choice{false, 0, written(item.node())});
    out.places.push_back(item.place());
  }
  if (out.choices.empty()) list.refuse("at least one value");
}

// The decimal number of 15 digits beside x, as large as `size` is, where x is that but for rounding: 0.6 for 0.6000000000000001.
double decimal_beside(double x, double size) {
  int places = 14;
  for (double left = size; left >= 10 && places > 0; left /= 10) --places;
  for (double left = size; left < 1 && places < 300; left *= 10) ++places;
  const std::string text = fmt::format("{:.{}f}", x, places);
  double decimal = x;
  std::from_chars(text.data(), text.data() + text.size(), decimal);
  decimal += 0.0;  // no −0
  return std::abs(decimal - x) <= 4 * eps * size ? decimal : x;
}

double grid_point(double from, double to, int k, int steps, bool is_log) {
  if (k == 0) return from;
  if (k == steps - 1) return to;
  const double part = static_cast<double>(k) / (steps - 1);
  if (is_log) return from * exact_exp(part * exact_log(to / from));
  return decimal_beside(from + part * (to - from), std::max(std::abs(from), std::abs(to)));
}

void read_grid(const Map& map, Varied& out) {
  out.kind = Varied::Kind::grid;
  const double from = map.required("from").number({}), to = map.required("to").number({});
  const Value steps = map.required("steps");
  const double count = steps.number({}, Unit::none);
  if (!(count >= 2 && count <= most_steps) || count != std::floor(count))
    steps.refuse(fmt::format("a whole number from 2 to {}", most_steps));
  bool is_log = false;
  if (const auto spacing = map.find("spacing")) {
    const std::vector<std::string> words{"linear", "log"};
    is_log = spacing->word(words) == "log";
    if (is_log && !(from * to > 0))
      spacing->refuse(fmt::format("log from {:g} to {:g}", from, to), "ends of one sign, neither of them 0");
  }
  if (from == to) map.required("to").refuse("another number than from");
  const int n = static_cast<int>(count);
  for (int k = 0; k < n; ++k) out.choices.push_back(choice_of(grid_point(from, to, k, n, is_log)));
}

void read_distribution(const Map& map, Varied::Kind kind, Varied& out) {
  out.kind = kind;
  const Value value = map.required(name_of(kind));
  if (kind == Varied::Kind::choice) return read_choices(value, out);
  const bool is_uniform = kind == Varied::Kind::uniform;
  const std::vector<Value> two = value.list_of(2, is_uniform                     ? "two numbers: [from, to]"
                                                  : kind == Varied::Kind::normal ? "two numbers: [mean, deviation]"
                                                                                 : "two numbers: [median, deviation]");
  out.a = kind == Varied::Kind::lognormal ? two[0].positive({}) : two[0].number({});
  out.b = is_uniform ? two[1].number({}) : two[1].positive({});
  if (is_uniform && !(out.a < out.b)) two[1].refuse(fmt::format("a number above {:g}", out.a));
}

Varied read_varied(const NamedValue& named) {
  const Value& value = named.value;
  Varied out{.key = named.key.text, .place = named.key.place};
  if (out.key.find('=') != std::string::npos || out.key.empty())
    throw Error(out.place, fmt::format("the key {}", expression::shown(out.key)),
                "keys with dots between them, as in simulate.duration");
  if (value.is_list()) {
    read_choices(value, out);
    return out;
  }
  const std::string forms =
      "a list of values, {from, to, steps}, {normal: […]}, {uniform: […]}, {lognormal: […]} or {choice: […]}";
  if (!value.is_map()) value.refuse(forms);
  using enum Varied::Kind;
  const Node& node = value.node();
  for (const Varied::Kind kind : {normal, uniform, lognormal, choice})
    if (node.find(name_of(kind)) != nullptr) {
      read_distribution(Map(value, value.what(), {name_of(kind)}), kind, out);
      return out;
    }
  const Map map(value, value.what(), {"from", "to", "steps", "spacing", "normal", "uniform", "lognormal", "choice"});
  if (node.keys.empty()) value.refuse(forms);
  read_grid(map, out);
  return out;
}

}  // namespace

const char* name_of(Varied::Kind kind) {
  switch (kind) {
    case Varied::Kind::grid:
      return "grid";
    case Varied::Kind::list:
      return "list";
    case Varied::Kind::normal:
      return "normal";
    case Varied::Kind::uniform:
      return "uniform";
    case Varied::Kind::lognormal:
      return "lognormal";
    default:
      return "choice";
  }
}

bool Varied::has_numbers() const { return std::ranges::all_of(choices, &Choice::is_number); }

Choice Varied::drawn(double u) const {
  switch (kind) {
    case Kind::normal:
      return choice_of(a + b * normal_quantile(u));
    case Kind::uniform:
      return choice_of(a + u * (b - a));
    case Kind::lognormal:
      return choice_of(a * exact_exp(b * normal_quantile(u)));
    default:
      return choices[static_cast<std::size_t>(u * static_cast<double>(choices.size()))];
  }
}

Choice choice_of(double number) { return {true, number, fmt::format("{}", number)}; }

std::vector<Varied> read_vary(const Value& value) {
  std::vector<Varied> out;
  for (const NamedValue& named : named_values(value, "varied key")) out.push_back(read_varied(named));
  if (out.empty()) value.refuse("at least one key, as in constants.a: {from: 1, to: 2, steps: 5}");
  return out;
}

}  // namespace trammel::sweep
