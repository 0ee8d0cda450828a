#include <fmt/core.h>

#include "trammel/report/csv.h"
#include "trammel/sweep/kept_columns.h"
#include "trammel/sweep/run_sweep.h"
#include "trammel/sweep/sweep_identity.h"
#include "trammel/sweep/sweep_index.h"
#include "trammel/sweep/sweep_parts.h"
#include "trammel/sweep/whole_file.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using sweep::SweepParts;
using sweep::SweepStatistics;

SweepStatistics merge_table(const Sweep& sweep, const SweepParts& parts, const fs::path& path) {
  SweepStatistics statistics(sweep.plan());
  sweep::WholeFile table(path);
  table.write(header_of(sweep) + "\n");
  sweep::for_each_row(parts, [&](long, const std::string& line) {
    table.write(line + "\n");
    statistics.add(line);
  });
  table.commit();
  return statistics;
}

// Runs those cases again. False where it was stopped.
bool keep_recordings(const Sweep& sweep, const SweepStatistics& statistics, const fs::path& folder,
                     const std::atomic<bool>* stop) {
  fs::remove_all(folder / "recordings");
  for (const SweepStatistics::Extreme& one : statistics.kept()) {
    Scenario scenario = sweep.scenario(one.number);
    scenario.simulate.stop = stop;
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    if (run.status == RunStatus::stopped) return false;
    const fs::path place = folder / recording_folder(one.number);
    fs::create_directories(place);
    sweep::write_whole_file(place / "recording.csv", to_csv(run.recording));
  }
  return true;
}

}  // namespace

SweepOutcome finish_sweep(const Sweep& sweep, const fs::path& folder, const std::atomic<bool>* stop) {
  const SweepParts parts(folder / "parts");
  const SweepPlan& plan = sweep.plan();
  if (parts.identity().empty()) return finished_outcome(folder);
  const SweepStatistics statistics = merge_table(sweep, parts, folder / "table.csv");
  bool is_complete = statistics.rows() == plan.cases();
  if (is_complete) is_complete = keep_recordings(sweep, statistics, folder, stop);
  if (is_complete && !plan.keep.columns.empty()) {
    sweep::write_kept(plan, parts, folder / "kept.npy");
    sweep::write_bands(plan, folder / "kept.npy", folder / "bands.csv");
  }
  write_index(sweep, statistics, is_complete, folder);
  if (is_complete) parts.remove();
  return {statistics.rows(), plan.cases(), statistics.counts()};
}

}  // namespace trammel
