#include "trammel/expression/resolve.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/base/names.h"

namespace trammel::expression {
namespace {

constexpr std::array<std::string_view, 6> components{"x", "y", "z", "vx", "vy", "vz"};

// The first `count` parts with dots between them.
std::string joined(const Token& name, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text.append(k == 0 ? "" : ".").append(name.parts[k].text);
  return text;
}
std::string joined(const Token& name) { return joined(name, name.parts.size()); }

const Vocabulary::Joint* find_joint(const Vocabulary& vocabulary, std::string_view name) {
  const auto found = std::ranges::find(vocabulary.joints, name, &Vocabulary::Joint::name);
  return found == vocabulary.joints.end() ? nullptr : &*found;
}

// One and several.
using Noun = std::pair<const char*, const char*>;
constexpr Noun coordinates{"coordinate", "coordinates"}, velocities{"velocity", "velocities"};

// The index if it is within the joint's `count` coordinates or velocities; a joint with one needs none.
int checked_index(const Source& source, const Token& token, std::optional<Index> index, const std::string& name,
                  int count, const Noun& what) {
  const std::string joint = fmt::format("joint '{}' with {} {}", name, count, count == 1 ? what.first : what.second);
  const std::string range = count == 1 ? "[0] or no index" : fmt::format("an index from [0] to [{}]", count - 1);
  if (count == 0) source.refuse(token.at, fmt::format("joint '{}', which cannot move", name), "joints that move");
  if (index && index->value >= count) source.refuse(index->at, fmt::format("[{}] of {}", index->value, joint), range);
  if (!index && count > 1) source.refuse(token.at, joint, range + " behind it");
  return index ? index->value : 0;
}

bool is_input(const Vocabulary& vocabulary, std::string_view name) {
  return std::ranges::find(vocabulary.inputs, name) != vocabulary.inputs.end();
}

std::vector<std::string> joint_names(const Vocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const Vocabulary::Joint& joint : vocabulary.joints) names.push_back(joint.name);
  return names;
}

// joint-1 reads as "joint minus 1".
void refuse_missing_backquotes(const Source& source, const Token& token, std::span<const std::string> known) {
  const std::string_view here = std::string_view(source.text()).substr(token.at);
  for (const std::string& name : known)
    if (name.size() > token.text.size() && here.starts_with(name))
      source.refuse(token.at, fmt::format("the name {} without backquotes", shown(name)), fmt::format("`{}`", name));
}

[[noreturn]] void refuse_unknown(const Source& source, const Token& token, const Vocabulary& vocabulary) {
  const std::string name = joined(token), front = joined(token, token.parts.size() - 1);
  if (find_function(name) != nullptr)
    source.refuse(token.at, fmt::format("{} without '('", shown(name)), fmt::format("{}(…)", name));
  if (is_unit(name))
    source.refuse(token.at, fmt::format("the unit {} without a number", shown(name)),
                  "units behind a number, as in 20 mm, and SI units everywhere else");

  std::vector<std::string> known = joint_names(vocabulary);
  for (const auto& [constant, value] : vocabulary.constants) known.push_back(constant);
  if (!vocabulary.is_path) known.insert(known.end(), vocabulary.inputs.begin(), vocabulary.inputs.end());
  known.insert(known.end(), vocabulary.frames.begin(), vocabulary.frames.end());
  refuse_missing_backquotes(source, token, known);
  if (!front.empty() && std::ranges::find(components, token.parts.back().text) != components.end())
    source.refuse(token.at, fmt::format("frame {}", shown(front)), allowed_names(front, vocabulary.frames));
  if (vocabulary.time) known.emplace_back("t");
  known.emplace_back("pi");
  source.refuse(token.at, fmt::format("the name {}", shown(name)), allowed_names(name, known));
}

Leaf frame_leaf(const Source& source, const Token& token, const std::string& frame) {
  const std::string_view component = token.parts.back().text;
  const auto found = std::ranges::find(components, component);
  const int index = static_cast<int>(found - components.begin());
  if (found == components.end())
    source.refuse(token.at, fmt::format("{} of frame '{}'", shown(component), frame),
                  fmt::format("one of {}", fmt::join(components, ", ")));
  return {index < 3 ? LeafKind::frame_position : LeafKind::frame_velocity, frame, index % 3};
}

// pi, t and start, which need no vocabulary.
std::optional<std::variant<double, Leaf>> own_word(const Source& source, const Token& token,
                                                   const Vocabulary& vocabulary) {
  if (token.text == "pi") return std::numbers::pi;
  if (token.text == "t" && vocabulary.time) return Leaf{LeafKind::time, ""};
  if (token.text == "t")
    source.refuse(token.at, "'t'", "numbers and constants, since this value does not change in time");
  if (token.text == "start" && vocabulary.bare_start) return Leaf{LeafKind::bare_start, ""};
  if (token.text == "start") source.refuse(token.at, "start alone", "start(…) with an expression in it");
  return {};
}

}  // namespace

std::variant<double, Leaf> resolve(const Source& source, const Token& token, std::optional<Index> index,
                                   const Vocabulary& vocabulary) {
  const auto refuse_index = [&] {
    if (index)
      source.refuse(index->at, fmt::format("an index behind {}", shown(token.text)), "an index behind joints only");
  };
  if (const auto word = own_word(source, token, vocabulary)) {
    refuse_index();
    return *word;
  }
  // the whole is a joint, a constant or an input, or all but its last part is a frame
  const std::string name = joined(token), front = joined(token, token.parts.size() - 1);
  const Vocabulary::Joint* joint = find_joint(vocabulary, name);
  const auto constant = vocabulary.constants.find(name);
  if (joint != nullptr && constant != vocabulary.constants.end())
    source.refuse(token.at, fmt::format("{}, a joint and a constant", shown(name)), "names that mean one thing");
  if (joint != nullptr)
    return Leaf{LeafKind::coordinate, name, checked_index(source, token, index, name, joint->coordinates, coordinates)};
  refuse_index();
  if (constant != vocabulary.constants.end()) return constant->second;
  if (is_input(vocabulary, name)) {
    if (vocabulary.is_path)
      source.refuse(token.at, fmt::format("the input {} in a path", shown(name)),
                    "an expression without inputs; for those use an equation");
    return Leaf{LeafKind::input, name};
  }
  if (std::ranges::find(vocabulary.frames, front) != vocabulary.frames.end()) return frame_leaf(source, token, front);
  if (std::ranges::find(vocabulary.frames, name) != vocabulary.frames.end())
    source.refuse(token.at, fmt::format("frame '{}' alone", name), fmt::format("its {}", fmt::join(components, ", ")));
  refuse_unknown(source, token, vocabulary);
}

Leaf resolve_speed(const Source& source, const Token& token, std::optional<Index> index, const Vocabulary& vocabulary) {
  const std::string name = joined(token);
  const Vocabulary::Joint* joint = find_joint(vocabulary, name);
  if (joint == nullptr)
    source.refuse(token.at, fmt::format("joint {}", shown(name)), allowed_names(name, joint_names(vocabulary)));
  return {LeafKind::speed, name, checked_index(source, token, index, name, joint->velocities, velocities)};
}

bool is_known(const Token& token, const Vocabulary& vocabulary) {
  const std::string name = joined(token);
  return token.text == "pi" || token.text == "t" || token.parts.size() > 1 || token.parts[0].quoted ||
         find_joint(vocabulary, name) != nullptr || vocabulary.constants.contains(name) || is_input(vocabulary, name);
}

void refuse_function(const Source& source, const Token& token) {
  std::vector<std::string> known{"v", "start"};
  for (const Function& function : functions()) known.emplace_back(function.name);
  source.refuse(token.at, fmt::format("the function {}", shown(token.text)), allowed_names(token.text, known));
}

}  // namespace trammel::expression
