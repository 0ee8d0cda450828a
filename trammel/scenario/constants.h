#pragma once

#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// constants: {r: 50 mm, w: 2*r}: each may use those before it.
Constants read_constants(const std::optional<Value>& value);
/// Those of a scenario, by its root.
Constants read_constants(const Node& root);

/// Refuses what is no word of letters, digits and _: the `what` of a name, "constant".
void check_plain_word(const Node::Key& name, const char* what);

}  // namespace trammel::scenario
