#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/error.h"

namespace trammel::scenario {

/// A value of a YAML file, with its place.
struct Node {
  enum class Kind { empty, text, list, map };
  struct Key {
    std::string text;
    Place place;
  };

  Kind kind = Kind::empty;
  Place place{};
  std::string text{};       // of a text, without quotes
  Place text_place{};       // of its first character; without a column where it is not written in the file as it reads
  std::vector<Key> keys{};  // of a map, each once; its values are `items`
  std::vector<Node> items{};  // of a list or a map

  const Node* find(std::string_view key) const;
  const Place& key_place(std::string_view key) const;  // of a key that is there
};

/// The tree of a YAML text, which must be one document without anchors and tags, up to 32 levels deep, with up to 100 000
/// values. Throws Error with line and column.
Node parse_yaml(std::string_view text, const std::string& file);

/// Puts the value of "constraints.path.x=0.1" (its part behind the =, as YAML) in its place in the tree. Items of lists
/// go by their name (or joint) or their number; a key with dots stands in backquotes unless the map has it.
void put_override(Node& root, const std::string& override_text);

}  // namespace trammel::scenario
