#pragma once

#include <functional>
#include <map>

#include "trammel/sweep/sweep.h"

namespace trammel {

struct SweepOptions {
  int threads = 0;                                     // 0: as many as there are cores
  long begin = 0, end = -1;                            // the cases from begin on, without end; −1: all of them
  bool resume = false;                                 // goes on where an earlier run of the same sweep has left off
  const std::atomic<bool>* stop = nullptr;             // ends it, from any thread, when it becomes true
  std::function<void(long done, long of)> progress{};  // after every case, by one thread at a time; cases of this run
};

/// What there is in the folder of a sweep.
struct SweepOutcome {
  long done = 0;                         // rows of the table
  long cases = 0;                        // of the sweep
  std::map<std::string, long> counts{};  // of the rows, by their status

  bool is_complete() const { return done == cases; }
};

/// Runs the cases of a sweep that the folder has not yet, on threads, and leaves there what docs/sweeps.md says: table.csv, sweep.json
/// and what else the file asks for. Where it is stopped, or the process ends whatever way, what has been computed is kept for `resume`.
/// Throws Error where the folder is of no use, and std::runtime_error where the disk is full.
SweepOutcome run_sweep(const Sweep& sweep, const std::filesystem::path& folder, const SweepOptions& options = {});

/// The same in pieces, for engines that have workers of their own:
///
///   open_sweep(sweep, folder, resume);
///   for (auto [begin, end] : missing_cases(sweep, folder)) …run_cases(sweep, folder, begin', end')… on any machine that sees the folder
///   finish_sweep(sweep, folder);
///
/// Makes the folder ready. Throws Error where it cannot be written to, holds another sweep, or one that is not finished and not resumed.
void open_sweep(const Sweep& sweep, const std::filesystem::path& folder, bool resume);
/// Ranges of cases, each without its end, that the folder has no rows of.
std::vector<std::pair<long, long>> missing_cases(const Sweep& sweep, const std::filesystem::path& folder);
/// Runs the cases from `begin` on, without `end`, and puts their rows there in one step. Returns how many there are by status: fewer than
/// asked for where it was stopped. Throws Error where the folder's parts are of another sweep.
std::map<std::string, long> run_cases(const Sweep& sweep, const std::filesystem::path& folder, long begin, long end,
                                      const std::atomic<bool>* stop = nullptr);
/// The cases at which processes of this machine were that have died.
std::vector<long> abandoned_cases(const std::filesystem::path& folder);
/// The row of a case that ends whoever runs it: "crashed", and the reason.
void quarantine_case(const Sweep& sweep, const std::filesystem::path& folder, long i, const std::string& reason);
/// Merges what is there into table.csv and sweep.json. Where all cases are there it also runs those again whose recordings are kept, and
/// removes the parts.
SweepOutcome finish_sweep(const Sweep& sweep, const std::filesystem::path& folder,
                          const std::atomic<bool>* stop = nullptr);

}  // namespace trammel
