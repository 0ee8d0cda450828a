#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "support/closed_mechanisms.h"
#include "trammel/assembly/assemble.h"
#include "trammel/simulate/simulate.h"

/// What a step of RK4 costs under each drift control, over what it costs under none. Machines change their pace as they
/// please: the controls take turns, each round gives its own ratios, and their median and quartiles are printed.
namespace trammel::bench {
namespace {

constexpr int rounds = 31, steps = 500;
constexpr std::array controls{Drift::none, Drift::baumgarte, Drift::velocity, Drift::projection};
constexpr std::array names{"none", "Baumgarte", "velocity", "projection"};

// Seconds of this program's own time for a step.
double time_step(const System& system, const State& start, Drift drift) {
  SimulateOptions options;
  options.method = &rk4;
  options.step = 1e-3;
  options.duration = steps * options.step;
  options.record_every = options.duration;
  options.drift = {drift, {20, 100}};
  const std::clock_t begin = std::clock();
  const Simulation run = simulate(system, start, options);
  const std::clock_t end = std::clock();
  if (run.status != RunStatus::finished) std::abort();
  return static_cast<double>(end - begin) / CLOCKS_PER_SEC / steps;
}

void compare(const char* name, const test::Looped& looped, const VecX<>& v) {
  const Assembly assembly = assemble(looped.system, looped.q, v);
  const State start(0, assembly.q, assembly.v);
  std::array<std::array<double, rounds>, controls.size()> seconds{}, ratio{};
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < controls.size(); ++i) {
      const std::size_t turn = (i + static_cast<std::size_t>(round)) % controls.size();
      seconds[turn][round] = time_step(looped.system, start, controls[turn]);
    }
    for (std::size_t i = 0; i < controls.size(); ++i) ratio[i][round] = seconds[i][round] / seconds[0][round];
  }
  std::ranges::sort(seconds[0]);
  std::printf("%s: a step of RK4 takes %.1f us without drift control\n", name, 1e6 * seconds[0][rounds / 2]);
  for (std::size_t i = 1; i < controls.size(); ++i) {
    std::ranges::sort(ratio[i]);
    std::printf("  %-12s %5.3f times that (quartiles %.3f to %.3f)\n", names[i], ratio[i][rounds / 2],
                ratio[i][rounds / 4], ratio[i][3 * rounds / 4]);
  }
}

}  // namespace
}  // namespace trammel::bench

int main() {
  using namespace trammel;
  bench::compare("hinged four-bar", test::hinged_four_bar(), Vec3<>(2, 0, 0));
  bench::compare("3-RRR", test::three_rrr(), VecX<>::Constant(7, 0.5));
  return 0;
}
