#pragma once

#include "trammel/assembly/assemble.h"
#include "trammel/scenario/scope.h"

namespace trammel::scenario {

/// How the scenario wants its run to begin.
struct Beginning {
  State guess;
  bool assemble = true;
  AssemblyOptions options{};
  Place place{};  // of what says how to assemble
};

/// initial: {q: {q1: 30 deg, base: [0, 0, 1, 1, 0, 0, 0]}, v: {q1: -0.157}, assemble: {keep: [q1]}}. Joints that are not
/// named are at their zero and at rest. A kept joint keeps its place, and its speed where `v` gives one.
Beginning read_beginning(const std::optional<Value>& value, std::span<const DescribedStart* const> starts,
                         const Scope& scope);

}  // namespace trammel::scenario
