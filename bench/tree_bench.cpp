#include <benchmark/benchmark.h>

#include "tree_tasks.h"

namespace trammel::bench {
namespace {

template <class Task, RobotDescription (*robot)()>
void run(benchmark::State& state) {
  Task task(robot());
  const std::vector<State> states = seeded_states(task.model, 64);
  std::size_t i = 0;
  for (auto _ : state) task(states[i++ % states.size()]);
}

BENCHMARK(run<ForwardDynamics, test::arm7>)->Name("arm7/forward");
BENCHMARK(run<InverseDynamics, test::arm7>)->Name("arm7/inverse");
BENCHMARK(run<MassMatrix, test::arm7>)->Name("arm7/mass");
BENCHMARK(run<ForwardDynamics, test::tree36>)->Name("tree36/forward");
BENCHMARK(run<InverseDynamics, test::tree36>)->Name("tree36/inverse");
BENCHMARK(run<MassMatrix, test::tree36>)->Name("tree36/mass");

}  // namespace
}  // namespace trammel::bench
