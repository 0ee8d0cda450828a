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

/// What a name token means: a number or a leaf. Refuses unknown names and shows the nearest known one.
std::variant<double, Leaf> resolve(const Source& source, const Token& name, std::optional<Index> index,
                                   const Vocabulary& vocabulary);

/// The leaf v(name[index]).
Leaf resolve_speed(const Source& source, const Token& name, std::optional<Index> index, const Vocabulary& vocabulary);

/// Whether the name, without backquotes, stands for a number or a leaf.
bool is_known(const Token& name, const Vocabulary& vocabulary);

[[noreturn]] void refuse_function(const Source& source, const Token& name);

}  // namespace trammel::expression
