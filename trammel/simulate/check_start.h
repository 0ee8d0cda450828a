#pragma once

#include "trammel/simulate/simulate.h"

namespace trammel {

/// What a run refuses before its first step. Each throws Error.

/// Options and start together, before anything is computed. The start as the problem takes it: quaternions of length one.
State checked_start(const Problem& problem, const State& start, const SimulateOptions& options);

/// Where a run projects and its start was just factorized: the constraints hold nearly enough for projections to converge.
void check_on_constraints(const Data& data);

/// Of a motion that was just solved: elastic rows and rows that slip have no common limit, where they share a force.
void check_compliances(Data& data);

}  // namespace trammel
