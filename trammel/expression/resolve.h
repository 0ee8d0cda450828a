#pragma once

#include <optional>
#include <variant>

#include "trammel/expression/lexer.h"
#include "trammel/expression/operations.h"
#include "trammel/expression/vocabulary.h"

namespace trammel::expression {

/// The [2] behind a name.
struct Index {
  std::size_t at;
  int value;
};

/// tool.roll, tool.pitch, tool.yaw: the angle `index` of a frame, as `rpy` has them.
struct FrameAngle {
  std::string frame;
  int index;
};

/// What a name means: a number, a leaf, an angle, which is made of leaves, or what a definition says.
using Meaning = std::variant<double, Leaf, FrameAngle, std::shared_ptr<const Expression>>;

/// What a name token means. Refuses unknown names and shows the nearest known one.
Meaning resolve(const Source& source, const Token& name, std::optional<Index> index, const Vocabulary& vocabulary);

/// The curve that `name` means in front of a "(": the column of a table; null if it names no table.
std::shared_ptr<const Curve> find_curve(const Source& source, const Token& name, const Vocabulary& vocabulary);

/// The leaf v(name[index]).
Leaf resolve_speed(const Source& source, const Token& name, std::optional<Index> index, const Vocabulary& vocabulary);

/// Whether the name, without backquotes, has a meaning.
bool is_known(const Token& name, const Vocabulary& vocabulary);

[[noreturn]] void refuse_function(const Source& source, const Token& name);

}  // namespace trammel::expression
