#pragma once

#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// Refuses, at its place, a name that something else has, or that is no plain word; `what` it is to be: "definition".
void check_new_name(const Node::Key& key, const char* what, const Scope& scope);

/// Refuses a constant, an input, a definition or a joint of a name that means something of its own here: "a controller", "dt", "the time between
/// samples".
void check_own_name(const std::string& name, const Place& place, const char* what, const char* meaning,
                    const Scope& scope);

/// define: {error: tool.x - 0.3, pull: -20*error}: names for expressions, into the scope. Each may use those before it; one that
/// leads back to itself is refused with the way it takes.
void read_definitions(const Value& value, Scope& out);

/// Whether a text has a name in it that is none of a number: no constant and no word of the language but t. What cannot be read names none.
bool names_other_than(const Node& text, const Constants& constants);

}  // namespace trammel::scenario
