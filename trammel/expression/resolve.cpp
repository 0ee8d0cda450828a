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

constexpr std::array<std::string_view, 9> components{"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
constexpr std::array<std::string_view, 3> angles{"roll", "pitch", "yaw"};
constexpr std::array<std::string_view, 3> axes{"x_axis", "y_axis", "z_axis"};

// Where the word stands in the list, or -1.
int index_in(std::span<const std::string_view> words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

std::string parts_of_a_frame() {
  return fmt::format("{}, {}, {}", fmt::join(components, ", "), fmt::join(angles, ", "), "x_axis.x … z_axis.z");
}

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

const std::shared_ptr<const Expression>* find_definition(const Vocabulary& vocabulary, std::string_view name) {
  if (vocabulary.definitions == nullptr) return nullptr;
  const auto found = vocabulary.definitions->all.find(name);
  return found == vocabulary.definitions->all.end() ? nullptr : &found->second;
}

bool is_frame(const Vocabulary& vocabulary, std::string_view name) {
  return std::ranges::find(vocabulary.frames, name) != vocabulary.frames.end();
}

// Whether the name ends as a direction does: tool.x_axis.z.
bool ends_with_axis(const Token& name) {
  const std::size_t count = name.parts.size();
  if (count < 3) return false;
  const int component = index_in(components, name.parts[count - 1].text);
  return component >= 0 && component < 3 && index_in(axes, name.parts[count - 2].text) >= 0;
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

  if (vocabulary.tables.contains(front) || vocabulary.tables.contains(name))
    source.refuse(token.at, fmt::format("{} without '('", shown(name)), "a column of the table at a place: path.x(t)");

  std::vector<std::string> known = joint_names(vocabulary);
  for (const auto& [constant, value] : vocabulary.constants) known.push_back(constant);
  if (!vocabulary.is_path) known.insert(known.end(), vocabulary.inputs.begin(), vocabulary.inputs.end());
  if (vocabulary.definitions != nullptr)
    for (const auto& [definition, meaning] : vocabulary.definitions->all) known.push_back(definition);
  known.insert(known.end(), vocabulary.frames.begin(), vocabulary.frames.end());
  refuse_missing_backquotes(source, token, known);
  const std::string_view last = token.parts.back().text;
  const std::string frame = ends_with_axis(token) ? joined(token, token.parts.size() - 2) : front;
  if (!frame.empty() && (index_in(components, last) >= 0 || index_in(angles, last) >= 0))
    source.refuse(token.at, fmt::format("frame {}", shown(frame)), allowed_names(frame, vocabulary.frames));
  if (vocabulary.time) known.emplace_back("t");
  known.emplace_back("pi");
  source.refuse(token.at, fmt::format("the name {}", shown(name)), allowed_names(name, known));
}

Meaning part_of_frame(const Source& source, const Token& token, const std::string& frame) {
  const std::string_view part = token.parts.back().text;
  if (const int angle = index_in(angles, part); angle >= 0) return FrameAngle{frame, angle};
  if (index_in(axes, part) >= 0)
    source.refuse(token.at, fmt::format("the direction {} of frame '{}' alone", shown(part), frame),
                  fmt::format("its components along the axes of the world: {0}.x, {0}.y, {0}.z", part));
  constexpr LeafKind kinds[] = {LeafKind::frame_position, LeafKind::frame_velocity, LeafKind::frame_angular_velocity};
  const int index = index_in(components, part);
  if (index < 0)
    source.refuse(token.at, fmt::format("{} of frame '{}'", shown(part), frame),
                  fmt::format("one of {}", parts_of_a_frame()));
  return Leaf{kinds[index / 3], frame, index % 3};
}

// A component of an axis: the frame's name is what stands before these two.
Leaf axis_of_frame(const Token& token, const std::string& frame) {
  const std::size_t count = token.parts.size();
  return {LeafKind::frame_axis, frame,
          3 * index_in(axes, token.parts[count - 2].text) + index_in(components, token.parts[count - 1].text)};
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

// tool.z_axis.vx
void refuse_part_of_axis(const Source& source, const Token& token, const Vocabulary& vocabulary) {
  const std::size_t count = token.parts.size();
  if (count < 3 || index_in(axes, token.parts[count - 2].text) < 0) return;
  const std::string frame = joined(token, count - 2);
  if (is_frame(vocabulary, frame))
    source.refuse(token.at,
                  fmt::format("{} of the direction '{}' of frame '{}'", shown(token.parts[count - 1].text),
                              token.parts[count - 2].text, frame),
                  "its components x, y, z");
}

// Whether a dotted name is that of a joint, a constant, a definition or an input, or of a part of a frame.
bool means_something(const Token& token, const Vocabulary& vocabulary) {
  const std::string name = joined(token), front = joined(token, token.parts.size() - 1);
  return find_joint(vocabulary, name) != nullptr || vocabulary.constants.contains(name) || is_input(vocabulary, name) ||
         find_definition(vocabulary, name) != nullptr || is_frame(vocabulary, front) || ends_with_axis(token);
}

std::vector<std::string> names_of_tables(const Vocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const auto& [name, table] : vocabulary.tables) names.push_back(name);
  return names;
}

}  // namespace

Meaning resolve(const Source& source, const Token& token, std::optional<Index> index, const Vocabulary& vocabulary) {
  const auto refuse_index = [&] {
    if (index)
      source.refuse(index->at, fmt::format("an index behind {}", shown(token.text)), "an index behind joints only");
  };
  if (const auto word = own_word(source, token, vocabulary)) {
    refuse_index();
    return std::visit([](const auto& meaning) -> Meaning { return meaning; }, *word);
  }
  // the whole is a joint, a constant, a definition or an input, or all but its last part is a frame, or all but its last two
  const std::string name = joined(token), front = joined(token, token.parts.size() - 1);
  const Vocabulary::Joint* joint = find_joint(vocabulary, name);
  const auto constant = vocabulary.constants.find(name);
  if (joint != nullptr && constant != vocabulary.constants.end())
    source.refuse(token.at, fmt::format("{}, a joint and a constant", shown(name)), "names that mean one thing");
  if (joint != nullptr)
    return Leaf{LeafKind::coordinate, name, checked_index(source, token, index, name, joint->coordinates, coordinates)};
  refuse_index();
  if (constant != vocabulary.constants.end()) return constant->second;
  if (const auto* const definition = find_definition(vocabulary, name)) return *definition;
  if (is_input(vocabulary, name)) {
    if (vocabulary.is_path)
      source.refuse(token.at, fmt::format("the input {} in a path", shown(name)),
                    "an expression without inputs; for those use an equation");
    return Leaf{LeafKind::input, name};
  }
  if (is_frame(vocabulary, front)) return part_of_frame(source, token, front);
  if (ends_with_axis(token))
    if (const std::string frame = joined(token, token.parts.size() - 2); is_frame(vocabulary, frame))
      return axis_of_frame(token, frame);
  if (is_frame(vocabulary, name))
    source.refuse(token.at, fmt::format("frame '{}' alone", name), fmt::format("its {}", parts_of_a_frame()));
  refuse_part_of_axis(source, token, vocabulary);
  refuse_unknown(source, token, vocabulary);
}

std::shared_ptr<const Curve> find_curve(const Source& source, const Token& token, const Vocabulary& vocabulary) {
  const std::string front = joined(token, token.parts.size() - 1), last(token.parts.back().text);
  const auto columns_of = [](const auto& table) {
    std::vector<std::string> names;
    for (const Table::Column& column : table->second.columns) names.push_back(column.name);
    return names;
  };
  const auto whole = vocabulary.tables.find(joined(token)), table = vocabulary.tables.find(front);
  if (whole != vocabulary.tables.end())
    source.refuse(token.at, fmt::format("the table '{}' without a column", whole->first),
                  fmt::format("{}.COLUMN(…) with {}", whole->first, allowed_names("", columns_of(whole))));
  if (table == vocabulary.tables.end()) {
    if (token.parts.size() > 1 && !means_something(token, vocabulary))
      source.refuse(token.at, fmt::format("the table {}", shown(front)),
                    allowed_names(front, names_of_tables(vocabulary)));
    return nullptr;
  }
  const auto column = std::ranges::find(table->second.columns, last, &Table::Column::name);
  if (column == table->second.columns.end())
    source.refuse(token.at, fmt::format("the column {} of the table '{}'", shown(last), front),
                  allowed_names(last, columns_of(table)));
  if (column->fault) throw Error(*column->fault);
  return column->curve;
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
         find_joint(vocabulary, name) != nullptr || vocabulary.constants.contains(name) || is_input(vocabulary, name) ||
         find_definition(vocabulary, name) != nullptr;
}

void refuse_function(const Source& source, const Token& token) {
  std::vector<std::string> known{"v", "start"};
  for (const Function& function : functions()) known.emplace_back(function.name);
  source.refuse(token.at, fmt::format("the function {}", shown(token.text)), allowed_names(token.text, known));
}

}  // namespace trammel::expression
