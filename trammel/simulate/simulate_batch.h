#pragma once

#include <span>

#include "trammel/simulate/simulate.h"

namespace trammel {

/// Runs of one system from many starts, in parallel on as many threads as there are workers. Each is what simulate gives for its
/// start; the functions of the options are called from all threads.
[[nodiscard]] std::vector<Simulation> simulate_batch(const System& system, std::span<const State> starts,
                                                     const SimulateOptions& options, int workers = 1);

}  // namespace trammel
