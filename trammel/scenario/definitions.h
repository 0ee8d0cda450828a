#pragma once

#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// Refuses, at its place, a name that something else has, or that is no plain word; `what` it is to be: "definition".
void check_new_name(const Node::Key& key, const char* what, const Scope& scope);

/// define: {error: tool.x - 0.3, pull: -20*error}: names for expressions, into the scope. Each may use those before it; one that
/// leads back to itself is refused with the way it takes.
void read_definitions(const Value& value, Scope& out);

/// Whether a text names one of these, as an expression does; what cannot be read as one names none.
bool names_any(const Node& text, std::span<const std::string> names);

}  // namespace trammel::scenario
