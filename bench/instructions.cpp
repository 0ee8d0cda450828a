#include <valgrind/callgrind.h>

#include <functional>
#include <iostream>
#include <map>

#include "motion_tasks.h"
#include "support/closed_mechanisms.h"

/// instructions TASK: evaluates one task at 100 seeded states while callgrind counts. tools/count-instructions runs it for
/// every task and prints the table.
namespace trammel::bench {
namespace {

template <class Task, class Measured>
void count(const Measured& measured) {
  Task task(measured);
  const std::vector<State> states = seeded_states(task.model, 100);
  task(states[0]);  // first calls resolve symbols
  CALLGRIND_TOGGLE_COLLECT;
  for (const State& state : states) task(state);
  CALLGRIND_TOGGLE_COLLECT;
}

const std::map<std::string, std::function<void()>> tasks{
    {"arm7-forward", [] { count<ForwardDynamics>(test::arm7()); }},
    {"arm7-inverse", [] { count<InverseDynamics>(test::arm7()); }},
    {"arm7-mass", [] { count<MassMatrix>(test::arm7()); }},
    {"five-bar-motion", [] { count<ConstrainedMotion>(test::five_bars(1)); }},
    {"five-bars-64-motion", [] { count<ConstrainedMotion>(test::five_bars(64)); }},
    {"held-arm7-motion", [] { count<ConstrainedMotion>(held_arm7()); }},
    {"parallel-motion", [] { count<ConstrainedMotion>(test::parallel_robot()); }},
    {"pinned-chain-128-motion", [] { count<ConstrainedMotion>(pinned_chain(128)); }},
    {"pinned-chain-512-motion", [] { count<ConstrainedMotion>(pinned_chain(512)); }},
    {"tree36-forward", [] { count<ForwardDynamics>(test::tree36()); }},
    {"tree36-inverse", [] { count<InverseDynamics>(test::tree36()); }},
    {"tree36-mass", [] { count<MassMatrix>(test::tree36()); }},
};

}  // namespace
}  // namespace trammel::bench

int main(int argc, char** argv) {
  using trammel::bench::tasks;
  if (argc == 1) {
    for (const auto& [name, run] : tasks) std::cout << name << '\n';
    return 0;
  }
  const auto task = tasks.find(argv[1]);
  if (argc != 2 || task == tasks.end()) {
    std::cerr << "usage: instructions TASK; without a task, lists them\n";
    return 1;
  }
  task->second();
  return 0;
}
