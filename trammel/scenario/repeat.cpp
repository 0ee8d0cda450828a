#include "trammel/scenario/repeat.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "trammel/expression/lexer.h"
#include "trammel/scenario/constants.h"
#include "trammel/scenario/text.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {
namespace {

using expression::shown;
using expression::Token;
using expression::TokenKind;

constexpr int most_values = 100'000;  // as in a file

// What a block may have besides `for`.
std::span<const std::string> sections() {
  static const std::vector<std::string> words{
      "constants", "inputs",      "tables", "define",  "bodies",    "joints",      "frames", "without", "motion",
      "control",   "constraints", "forces", "initial", "actuators", "controllers", "record", "plots"};
  return words;
}

struct Index {
  std::string name;
  long long from, to;
  Place place;
};

// A bound, or what stands in < >.
long long whole_number(std::string_view text, const Constants& known, const Place& place, const std::string& what,
                       const char* allowed) {
  constexpr double most = 1e15;  // all whole numbers up to here are doubles
  const double value = parse_number(text, known, place);
  if (value != std::floor(value) || std::abs(value) > most)
    throw Error(place, fmt::format("{:g} as {}", value, what), allowed);
  return static_cast<long long>(value);
}

std::vector<Index> read_indices(const Value& value, const Constants& constants) {
  std::vector<Index> out;
  for (const auto& [key, range] : named_values(value, "index")) {
    check_plain_word(key, "index");
    if (is_reserved_word(key.text) || constants.contains(key.text))
      throw Error(key.place, fmt::format("an index named {}", shown(key.text)),
                  "a name that is no constant and no word of the language");
    const std::string& text = range.text("a range such as 1..6");
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos || text.find("...") != std::string::npos) range.refuse("a range such as 1..6");
    const auto bound = [&](std::size_t begin, std::size_t end) {
      Place place = range.node().text_place;
      if (place.column > 0) place.column += character_count(std::string_view(text).substr(0, begin));
      return whole_number(std::string_view(text).substr(begin, end - begin), constants, place, range.what(),
                          "whole numbers as bounds");
    };
    const Index index{key.text, bound(0, dots), bound(dots + 2, text.size()), range.place()};
    if (index.to < index.from - 1) range.refuse("a range that does not end before it begins");
    out.push_back(index);
  }
  if (out.empty()) value.refuse("at least one index: {i: 1..6}");
  return out;
}

bool is_no_arithmetic(const Token& token) {
  constexpr std::string_view symbols[] = {"<", "<=", ">", ">=", "=", "[", "]"};
  return std::ranges::any_of(symbols, [&](std::string_view symbol) { return token.is(symbol); });
}

// Whether a text between < and > is to be computed: arithmetic with a name in it. What holds 'and', a comma outside of parentheses and so on
// stands between two comparisons of an expression.
bool is_arithmetic(std::string_view text) {
  try {
    const expression::Source source(text, {});
    int depth = 0;
    bool has_name = false;
    for (const Token& token : expression::split(source)) {
      if (token.kind == TokenKind::name) {
        if (token.is_word("and") || token.is_word("or") || token.is_word("not")) return false;
        has_name = true;
      } else if (token.is("(")) {
        ++depth;
      } else if (token.is(")")) {
        if (--depth < 0) return false;
      } else if ((token.is(",") && depth == 0) || is_no_arithmetic(token)) {
        return false;
      }
    }
    return has_name && depth == 0;
  } catch (const Error&) {
    return false;
  }
}

// One copy of a block.
class Copying {
 public:
  Copying(const Constants& indices, const std::string& file, int& values)
      : indices_(indices), file_(file), values_(values) {}

  Node copy(const Node& node) const {
    count(node.place);
    Node out{.kind = node.kind, .place = moved(node.place)};
    out.text_place = moved(node.text_place);
    out.text = put_in(node.text, out.text_place);
    if (out.text != node.text) out.text_place.column = 0;  // it is not written so
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (node.kind == Node::Kind::map) {
        const Node::Key& key = node.keys[i];
        count(key.place);
        const Place place = moved(key.place);
        const std::string name = put_in(key.text, place);
        if (!names.insert(name).second)
          throw Error(place, fmt::format("a second key {}", shown(name)), "each key once");
        out.keys.push_back({name, place});
      }
      out.items.push_back(copy(node.items[i]));
    }
    return out;
  }

 private:
  Place moved(Place place) const {
    place.file = file_;
    return place;
  }
  void count(const Place& place) const {
    if (++values_ > most_values)
      throw Error(place, fmt::format("blocks that come to more than {} values", most_values),
                  "fewer or shorter copies");
  }

  std::string put_in(const std::string& text, const Place& place) const {
    std::string out;
    std::size_t at = 0;
    while (true) {
      const std::size_t begin = text.find('<', at), end = text.find('>', begin);
      if (begin == std::string::npos || end == std::string::npos) return out + text.substr(at);
      const std::string inside = text.substr(begin + 1, end - begin - 1);
      if (!is_arithmetic(inside)) {
        out += text.substr(at, begin + 1 - at);
        at = begin + 1;
        continue;
      }
      Place there = place;
      if (there.column > 0) there.column += character_count(std::string_view(text).substr(0, begin + 1));
      out += text.substr(at, begin - at);
      out += fmt::format("{}", whole_number(inside, indices_, there, fmt::format("<{}>", inside),
                                            "a whole number in < >: what is none stands outside, as in <i>/2"));
      at = end + 1;
    }
  }

  const Constants& indices_;
  const std::string& file_;
  int& values_;
};

const char* described(Node::Kind kind) {
  return kind == Node::Kind::list ? "a list" : kind == Node::Kind::map ? "a map" : "a value";
}

// Which sections have maps that copies go on with; in others what has a name has it once.
bool goes_deep(std::string_view section) { return section == "initial" || section == "record"; }

// Puts values of one key behind what stands there: items of lists, keys of maps. `levels` of maps below may be joined in turn.
void join(Node& into, std::vector<Node> parts, const std::string& key, int levels) {
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < into.keys.size(); ++i) known.emplace(into.keys[i].text, i);
  std::map<std::size_t, std::vector<Node>> inner;  // of keys that are there already
  const auto add_key = [&](Node::Key& name, Node& item) {
    const auto [found, is_new] = known.emplace(name.text, into.keys.size());
    if (is_new) {
      into.keys.push_back(std::move(name));
      into.items.push_back(std::move(item));
      return;
    }
    const bool joins = levels > 0 && (item.kind == Node::Kind::map || item.kind == Node::Kind::list);
    if (!joins) throw Error(name.place, fmt::format("a second key {}", shown(name.text)), "each key once");
    inner[found->second].push_back(std::move(item));
  };
  for (Node& part : parts) {
    if (part.kind == Node::Kind::empty) continue;
    if (into.kind == Node::Kind::empty) into.kind = part.kind;
    if (part.kind != into.kind || part.kind == Node::Kind::text)
      throw Error(
          part.place, fmt::format("{} beside {} for {}", described(part.kind), described(into.kind), shown(key)),
          into.kind == Node::Kind::text ? "each key once" : fmt::format("{}, to go on with", described(into.kind)));
    for (std::size_t i = 0; i < part.items.size(); ++i)
      if (part.kind == Node::Kind::map)
        add_key(part.keys[i], part.items[i]);
      else
        into.items.push_back(std::move(part.items[i]));
  }
  for (auto& [i, more] : inner) {
    const std::string name = into.keys[i].text;
    const bool is_section = key == "repeat";
    join(into.items[i], std::move(more), name, is_section && goes_deep(name) ? 32 : is_section ? 0 : levels - 1);
  }
}

class Repetition {
 public:
  Repetition(const Constants& constants, Copies& copies) : constants_(constants), copies_(copies) {}

  // The copies of one block, each a map of sections.
  void add(const Value& block, std::vector<Node>& out) {
    std::vector<std::string> known{"for"};
    known.insert(known.end(), sections().begin(), sections().end());
    const Map map(block, block.what(), known);
    const std::vector<Index> indices = read_indices(map.required("for"), constants_);
    Node copied = block.node();
    const auto of_indices = block.node().find("for") - block.node().items.data();
    copied.keys.erase(copied.keys.begin() + of_indices);
    copied.items.erase(copied.items.begin() + of_indices);
    Constants at;
    for (const Index& index : indices) {
      if (index.to < index.from) return;
      at[index.name] = static_cast<double>(index.from);
    }
    while (true) {
      out.push_back(one_copy(copied, indices, at));
      std::size_t k = indices.size();
      while (k > 0 && at[indices[k - 1].name] >= static_cast<double>(indices[k - 1].to)) {
        at[indices[k - 1].name] = static_cast<double>(indices[k - 1].from);
        --k;
      }
      if (k == 0) return;
      ++at[indices[k - 1].name];
    }
  }

 private:
  Node one_copy(const Node& block, const std::vector<Index>& indices, const Constants& at) {
    std::string name;
    for (const Index& index : indices)
      name += fmt::format("{}{} = {:.0f}", name.empty() ? "" : ", ", index.name, at.at(index.name));
    const std::string file = copies_.file_of(block.place.file, name);
    const Copying copying(at, file, values_);
    return copying.copy(block);
  }

  const Constants& constants_;
  Copies& copies_;
  int values_ = 0;
};

}  // namespace

std::string Copies::file_of(const std::string& file, const std::string& index) {
  const std::string out = fmt::format("{} ({})", file, index);
  by_file_.emplace(out, Copy{file, index});
  return out;
}

Place Copies::written(const Place& place) const {
  const auto found = by_file_.find(place.file);
  return found == by_file_.end() ? place : Place{found->second.file, place.line, place.column};
}

Error Copies::told(const Error& error) const {
  std::vector<Error> all;
  for (const Error& one : error.each()) {
    const auto found = by_file_.find(one.place().file);
    const std::string index = found == by_file_.end() ? "" : fmt::format(" (where {})", found->second.index);
    all.emplace_back(written(one.place()), one.found() + index, one.allowed());
  }
  return Error(all);
}

Node written_out(const Node& root, const Constants& constants, Copies& copies) {
  const Node* const repeat = root.find("repeat");
  if (repeat == nullptr) return root;
  Node out = root;
  const auto at = repeat - root.items.data();
  out.keys.erase(out.keys.begin() + at);
  out.items.erase(out.items.begin() + at);
  Repetition repetition(constants, copies);
  std::vector<Node> copied;
  for (const Value& block : Value(*repeat, "repeat").list("a list of blocks, each with for: {i: 1..6}"))
    repetition.add(block, copied);
  join(out, std::move(copied), "repeat", 1);
  return out;
}

}  // namespace trammel::scenario
