#include "trammel/simulate/simulate_batch.h"

#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "trammel/assembly/assemble.h"

namespace trammel {
namespace {

TEST(SimulateBatch, RunsEachStartAsSimulateDoes) {
  const test::Looped looped = test::five_bar();
  std::vector<State> starts;
  for (const double speed : {0.0, 0.5, -1.0, 2.0, 3.0}) {
    const Assembly assembly = assemble(looped.system, looped.q, VecX<>::Constant(looped.system.model.nv(), speed));
    starts.emplace_back(0, assembly.q, assembly.v);
  }
  SimulateOptions options;
  options.duration = 0.2;
  for (const int workers : {1, 3}) {
    const std::vector<Simulation> runs = simulate_batch(looped.system, starts, options, workers);
    ASSERT_EQ(runs.size(), starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const Simulation one = simulate(looped.system, starts[i], options);
      EXPECT_EQ(runs[i].end.q, one.end.q);
      EXPECT_EQ(runs[i].end.v, one.end.v);
      EXPECT_EQ(runs[i].steps, one.steps);
    }
  }
}

}  // namespace
}  // namespace trammel
