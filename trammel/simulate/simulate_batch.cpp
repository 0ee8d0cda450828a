#include "trammel/simulate/simulate_batch.h"

#include "trammel/base/parallel_for.h"

namespace trammel {

std::vector<Simulation> simulate_batch(const System& system, std::span<const State> starts,
                                       const SimulateOptions& options, int workers) {
  const Problem problem = compile(system, motion_options(options));
  std::vector<Simulation> out(starts.size());
  parallel_for(static_cast<int>(starts.size()), workers, 1, [&](int, int begin, int end) {
    for (int i = begin; i < end; ++i) out[i] = simulate(problem, starts[i], options);
  });
  return out;
}

}  // namespace trammel
