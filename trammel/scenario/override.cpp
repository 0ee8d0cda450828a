#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/expression/source.h"
#include "trammel/scenario/node.h"

namespace trammel::scenario {
namespace {

using expression::shown;

// Places in an override are its text: it has no lines.
void move_to(Node& node, const Place& place) {
  node.place = node.text_place = place;
  for (Node::Key& key : node.keys) key.place = place;
  for (Node& item : node.items) move_to(item, place);
}

// The first part of a path, and the rest behind its dot.
struct Split {
  std::string_view part, rest;
};

Split first_part(std::string_view path, const Place& place) {
  if (!path.starts_with('`')) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    return {path.substr(0, dot), path.substr(std::min(dot + 1, path.size()))};
  }
  const std::size_t end = path.find('`', 1);
  if (end == std::string_view::npos || (end + 1 < path.size() && path[end + 1] != '.'))
    throw Error(place, "a backquote without its end", "`a key with dots`");
  return {path.substr(1, end - 1), path.substr(std::min(end + 2, path.size()))};
}

// The longest key of the map with which the path begins; "" if there is none.
std::string_view longest_key(const Node& map, std::string_view path) {
  std::string_view best;
  for (const Node::Key& key : map.keys)
    if (path.starts_with(key.text) && (path.size() == key.text.size() || path[key.text.size()] == '.') &&
        key.text.size() > best.size())
      best = key.text;
  return best;
}

Node& in_map(Node& map, std::string_view& path, const Place& place) {
  Split split = first_part(path, place);
  const std::string_view known = path.starts_with('`') ? "" : longest_key(map, path);
  if (!known.empty()) split = {known, path.substr(std::min(known.size() + 1, path.size()))};
  if (split.part.empty()) throw Error(place, "an empty key", "keys with dots between them, as in simulate.duration");
  path = split.rest;
  for (std::size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i].text == split.part) return map.items[i];
  map.keys.push_back({std::string(split.part), place});
  return map.items.emplace_back(Node{.place = place});
}

Node& in_list(Node& list, std::string_view& path, const Place& place) {
  std::vector<std::string> known;
  Node* named = nullptr;  // the item with the longest name with which the path begins
  Split split = first_part(path, place);
  for (Node& item : list.items) {
    const Node* name = item.find("name");
    if (name == nullptr) name = item.find("joint");  // the name of an actuator, unless it has another
    if (name == nullptr) continue;
    known.push_back(name->text);
    const std::string_view behind = path.starts_with(name->text) ? path.substr(name->text.size()) : "-";
    const bool begins = behind.empty() || behind.starts_with('.');
    if (name->text == split.part || (begins && (named == nullptr || name->text.size() > split.part.size()))) {
      named = &item;
      if (begins) split = {name->text, behind.substr(std::min<std::size_t>(1, behind.size()))};
    }
  }
  path = split.rest;
  if (named != nullptr) return *named;
  std::size_t index = 0;
  const char* const end = split.part.data() + split.part.size();
  const auto [stop, problem] = std::from_chars(split.part.data(), end, index);
  if (!split.part.empty() && problem == std::errc() && stop == end && index < list.items.size())
    return list.items[index];
  throw Error(place, fmt::format("{}, which is no item of the list", shown(split.part)),
              list.items.empty() ? "nothing, since the list is empty"
              : known.empty()    ? fmt::format("a number from 0 to {}", list.items.size() - 1)
                                 : allowed_names(split.part, known));
}

}  // namespace

void put_override(Node& root, const std::string& override_text) {
  const Place place{fmt::format("--set {}", shown(override_text))};
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) throw Error(place, "no KEY=VALUE", "as in simulate.duration=5 s");
  Node value;
  try {
    value = parse_yaml(std::string_view(override_text).substr(equals + 1), "");
  } catch (const Error& error) {
    throw error.at(place);
  }
  move_to(value, place);

  std::string_view path = std::string_view(override_text).substr(0, equals);
  Node* at = &root;
  for (int depth = 0; !path.empty(); ++depth) {
    if (depth > 32) throw Error(place, "more than 32 keys", "fewer");
    if (at->kind == Node::Kind::empty) at->kind = Node::Kind::map;
    if (at->kind == Node::Kind::text)
      throw Error(place, fmt::format("{} inside the value {}", shown(path), shown(at->text)), "keys of maps and lists");
    at = at->kind == Node::Kind::list ? &in_list(*at, path, place) : &in_map(*at, path, place);
  }
  *at = std::move(value);
}

}  // namespace trammel::scenario
