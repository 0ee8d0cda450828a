// Each example of the documentation is read, and runs.
#include <fstream>

#include <gtest/gtest.h>

#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

// The examples of a file of the documentation.
std::vector<std::string> examples_in(const std::string& file) {
  std::ifstream stream(TRAMMEL_SOURCE_DIR "/docs/" + file);
  std::vector<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line == "```yaml") out.emplace_back();
    if (inside && line != "```") out.back() += line + "\n";
    inside = line == "```yaml" || (inside && line != "```");
  }
  return out;
}

void expect_examples_that_run(const std::string& file, std::size_t least) {
  const std::vector<std::string> examples = examples_in(file);
  EXPECT_GE(examples.size(), least);
  for (const std::string& example : examples) {
    SCOPED_TRACE(example);
    const Scenario scenario = read_scenario_text(example, file, TRAMMEL_SOURCE_DIR "/docs", {"simulate.duration=0.05"});
    EXPECT_TRUE(!scenario.assembly || scenario.assembly->closed());
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_TRUE(run.energy.is_good()) << run.energy.what;
    for (const Figure& plot : scenario.plots)
      for (const Figure::Curve& curve : plot.curves) EXPECT_NO_THROW((void)run.recording.column(curve.label));
  }
}

TEST(ScenarioDocumentation, HasExamplesThatRun) {
  expect_examples_that_run("scenario.md", 20);
  expect_examples_that_run("recipes.md", 9);
}

}  // namespace
}  // namespace trammel
