#include "trammel/scenario/definitions.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/expression/lexer.h"
#include "trammel/expression/operations.h"
#include "trammel/scenario/constants.h"

namespace trammel::scenario {
namespace {

using expression::shown;

// Bare names of one part in a text, and where they stand.
std::vector<std::pair<std::string, std::size_t>> plain_names(const Node& text) {
  std::vector<std::pair<std::string, std::size_t>> out;
  try {
    const expression::Source source(text.text, text.text_place);
    for (const expression::Token& token : expression::split(source))
      if (token.kind == expression::TokenKind::name && token.parts.size() == 1)
        out.emplace_back(token.parts[0].text, token.at);
  } catch (const Error&) {
    out.clear();
  }
  return out;
}

// The definitions in the order of the file, and which others each names.
class Order {
 public:
  explicit Order(const std::vector<NamedValue>& all) : all_(all) {
    for (std::size_t k = 0; k < all.size(); ++k) number_.emplace(all[k].key.text, k);
  }

  /// Refuses a name in definition k that stands for itself or for one below it.
  void check(std::size_t k) const {
    const std::string& name = all_[k].key.text;
    for (const auto& [used, at] : named_in(k)) {
      if (used < k) continue;
      const std::string& other = all_[used].key.text;
      const std::vector<std::size_t> back = way_between(used, k);
      std::string found = fmt::format("{}, which is defined below", shown(other));
      if (used == k)
        found = fmt::format("{} in its own definition", shown(other));
      else if (!back.empty()) {
        found = fmt::format("{}, which leads back to {}: {}", shown(other), shown(name), name);
        for (const std::size_t i : back) found += " → " + all_[i].key.text;
      }
      source_of(k).refuse(at, found, "definitions above this one");
    }
  }

 private:
  expression::Source source_of(std::size_t k) const {
    const Node& node = all_[k].value.node();
    return {node.text, node.text_place};
  }

  // Numbers of definitions, and where in the text their names stand.
  std::vector<std::pair<std::size_t, std::size_t>> named_in(std::size_t k) const {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const auto& [name, at] : plain_names(all_[k].value.node()))
      if (const auto found = number_.find(name); found != number_.end()) out.emplace_back(found->second, at);
    return out;
  }

  // The shortest way from one definition to another by the names that stand in them; empty if there is none.
  std::vector<std::size_t> way_between(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> before(all_.size(), all_.size()), reached{from};
    for (std::size_t next = 0; next < reached.size() && before[to] == all_.size(); ++next)
      for (const auto& [used, at] : named_in(reached[next])) {
        if (before[used] != all_.size()) continue;
        before[used] = reached[next];
        reached.push_back(used);
      }
    std::vector<std::size_t> way;
    if (before[to] == all_.size()) return way;
    for (std::size_t k = to; way.empty() || k != from; k = before[k]) way.push_back(k);
    way.push_back(from);
    std::ranges::reverse(way);
    return way;
  }

  const std::vector<NamedValue>& all_;
  std::map<std::string, std::size_t, std::less<>> number_;
};

}  // namespace

void check_new_name(const Node::Key& key, const char* what, const Scope& scope) {
  const auto refuse = [&](const char* named) {
    throw Error(key.place, fmt::format("a {} named {}", what, fmt::format(fmt::runtime(named), key.text)),
                "another name");
  };
  check_plain_word(key, what);
  if (is_reserved_word(key.text)) refuse("'{}', a word of the language");
  if (scope.constants().contains(key.text)) refuse("like the constant '{}'");
  if (std::ranges::find(scope.inputs(), key.text) != scope.inputs().end()) refuse("like the input '{}'");
  if (scope.definitions().contains(key.text)) refuse("like the definition '{}'");
  for (int i = 0; i < scope.model().body_count(); ++i)
    if (scope.model().joint_name(i) == key.text) refuse("like the joint '{}'");
}

void check_own_name(const std::string& name, const Place& place, const char* what, const char* meaning,
                    const Scope& scope) {
  try {
    check_new_name({name, place}, "name", scope);
  } catch (const Error&) {
    throw Error(place, fmt::format("{} beside a constant, an input, a definition or a joint named '{}'", what, name),
                fmt::format("another name, for {} is {} here", name, meaning));
  }
}

void read_definitions(const Value& value, Scope& out) {
  const std::vector<NamedValue> all = named_values(value, "definition");
  const Order order(all);
  for (std::size_t k = 0; k < all.size(); ++k) {
    check_new_name(all[k].key, "definition", out);
    all[k].value.text("an expression");
    order.check(k);
    out.define(all[k].key.text, out.expression(all[k].value));
  }
}

bool names_other_than(const Node& text, const Constants& constants) {
  return std::ranges::any_of(plain_names(text), [&](const auto& found) {
    const std::string& name = found.first;
    return name == "t" ||
           !(constants.contains(name) || is_reserved_word(name) || expression::find_function(name) != nullptr);
  });
}

}  // namespace trammel::scenario
