#include "trammel/scenario/numbers.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>

#include "trammel/expression/expression.h"

namespace trammel::scenario {
namespace {

constexpr std::array<std::string_view, 10> sections{"constants", "inputs",      "gravity", "bodies",  "joints",
                                                    "frames",    "constraints", "forces",  "control", "actuators"};

// Keys whose values, or the items of whose lists, are numbers.
constexpr std::array<std::string_view, 23> keys{"gravity", "mass",   "com",           "inertia",  "xyz",   "rpy",
                                                "limits",  "rest",   "damping",       "friction", "pitch", "stiffness",
                                                "length",  "radius", "rotor_inertia", "scale",    "alpha", "beta",
                                                "limit",   "weight", "through",       "ratio",    "offset"};

std::optional<double> number_in(const std::string& text, const Constants& constants) {
  try {
    return parse_number(text, constants);
  } catch (const Error&) {
    return {};  // an expression of time or of the robot
  }
}

class Walk {
 public:
  explicit Walk(const Constants& constants) : constants_(constants) {}

  // `key`: of the innermost map around the node. `every`: whether all texts are numbers here.
  void visit(const Node& node, const std::string& name, std::string_view key, bool every) {
    if (node.kind == Node::Kind::text && (every || std::ranges::find(keys, key) != keys.end()))
      if (const std::optional<double> value = number_in(node.text, constants_)) out.push_back({name, way_, *value});
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const bool is_map = node.kind == Node::Kind::map;
      way_.push_back(i);
      visit(node.items[i], name + "." + (is_map ? node.keys[i].text : item_name(node.items[i], i)),
            is_map ? std::string_view(node.keys[i].text) : key, every);
      way_.pop_back();
    }
  }

  // The sections of the root.
  void visit(const Node& root) {
    for (std::size_t i = 0; i < root.keys.size(); ++i) {
      const std::string& section = root.keys[i].text;
      if (std::ranges::find(sections, section) == sections.end()) continue;
      way_ = {i};
      visit(root.items[i], section, section, section == "constants" || section == "inputs");
    }
  }

  std::vector<ScenarioNumber> out;

 private:
  // As --set names items of lists: by their name, an actuator's joint, or their number.
  static std::string item_name(const Node& item, std::size_t number) {
    for (const char* key : {"name", "joint"})
      if (const Node* name = item.find(key)) return name->text;
    return std::to_string(number);
  }

  const Constants& constants_;
  std::vector<std::size_t> way_;
};

}  // namespace

std::vector<ScenarioNumber> numbers_of(const Node& root, const Constants& constants) {
  Walk walk(constants);
  walk.visit(root);
  return std::move(walk.out);
}

void put_number(Node& root, const ScenarioNumber& where, double value) {
  Node* node = &root;
  for (const std::size_t i : where.way) node = &node->items[i];
  node->text = fmt::format("{}", value);  // the shortest text that reads back as the same number
}

}  // namespace trammel::scenario
