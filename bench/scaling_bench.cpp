#include <algorithm>
#include <cstdio>
#include <ctime>

#include "motion_tasks.h"
#include "support/closed_mechanisms.h"

/// How the time of one evaluation of the equation of motion grows: N five-bars side by side, and a chain of N rods whose tip
/// is held. The least of many rounds is printed: other work on the machine can only add to it.
namespace trammel::bench {
namespace {

// Seconds of this program's own time for one evaluation.
double time_motion(System system) {
  ConstrainedMotion task(std::move(system));
  const std::vector<State> states = seeded_states(task.model, 16);
  const int evaluations = std::max(2, 20000 / task.model.nv());
  double least = 1e9;
  for (int round = 0; round < 15; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < evaluations; ++i) task(states[i % states.size()]);
    const std::clock_t end = std::clock();
    least = std::min(least, static_cast<double>(end - begin) / CLOCKS_PER_SEC / evaluations);
  }
  return least;
}

void many_loops() {
  std::printf("five-bars side by side\n      N   us each\n");
  for (int n = 1; n <= 64; n *= 2) std::printf("  %5d   %7.3f\n", n, 1e6 * time_motion(test::five_bars(n)) / n);
}

void long_chains() {
  std::printf("chain with its tip held\n      N        us   over N/4\n");
  double quarter[2] = {};  // of the last two lengths
  for (int n = 2; n <= 512; n *= 2) {
    const double seconds = time_motion(pinned_chain(n));
    if (n >= 8)
      std::printf("  %5d   %7.2f   %8.2f\n", n, 1e6 * seconds, seconds / quarter[0]);
    else
      std::printf("  %5d   %7.2f\n", n, 1e6 * seconds);
    quarter[0] = quarter[1];
    quarter[1] = seconds;
  }
}

}  // namespace
}  // namespace trammel::bench

int main() {
  trammel::bench::many_loops();
  trammel::bench::long_chains();
  return 0;
}
