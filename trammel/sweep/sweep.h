#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trammel/scenario/scenario.h"

namespace trammel {

/// A column of the table of a sweep, in this order: the number of the case, the keys that vary, status, reason, the measures.
struct SweepColumn {
  enum class Kind { number_of_case, varied, status, reason, measure };

  Kind kind;
  std::string name;
  std::string unit;        // of a measure, where it is plain to see
  bool is_number = false;  // whether all its entries are numbers, or empty
};

/// What came of a case: a row of the table.
struct CaseResult {
  long number = 0;
  std::string status;            // "finished" and the other words of docs/sweeps.md
  std::string reason{};          // why it is not "finished"
  std::vector<double> measures;  // not a number where the run gave none
  std::vector<double>
      kept{};  // of each kept column, one after the other, at the common times; not a number beyond the end of the run

  /// Whether it is no result, as whoever wanted it has stopped it.
  bool is_stopped() const { return status == "stopped"; }
};

struct SweepPlan;

/// What a sweep file says (docs/sweeps.md): a scenario, what varies in it from case to case, what is measured. Immutable, shared between
/// threads.
///
/// Case i is a function of the file, the version and i alone. With G points of the grids and lists that are crossed, and D draws, there are
/// G·D cases: case i has the grid point i mod G, in which the last key that varies runs fastest, and whatever is drawn in it is drawn by a
/// generator that the seed, i and the name of the key count.
class Sweep {
 public:
  explicit Sweep(std::shared_ptr<const SweepPlan> plan) : plan_(std::move(plan)) {}

  const std::string& name() const;
  long case_count() const;
  const std::vector<SweepColumn>& columns() const;

  /// The values of the keys that vary, as YAML on one line; numbers in SI units.
  std::vector<std::string> values(long i) const;
  /// What makes the case of the scenario, as `--set` takes it: those that the sweep was read with, then "KEY=VALUE" of each varied key.
  std::vector<std::string> overrides(long i) const;
  /// `trammel run FILE --set …`, as a shell takes it.
  std::string command(long i) const;
  /// The same as read_scenario(file, overrides(i)), to the last bit. Throws Error where the case makes no sense.
  Scenario scenario(long i) const;

  const SweepPlan& plan() const { return *plan_; }  // what the library makes of the file

 private:
  std::shared_ptr<const SweepPlan> plan_;
};

/// Reads a sweep file. Its scenario is looked for beside it. `overrides` are of the scenario, in all cases. What is wrong throws Error with
/// file, line and column, as for scenarios.
Sweep read_sweep(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
/// From text: `file` stands in messages, the scenario is looked for in `folder`.
Sweep read_sweep_text(const std::string& text, const std::string& file, const std::filesystem::path& folder,
                      const std::vector<std::string>& overrides = {});

/// Runs one case. It is stopped when `stop` becomes true.
CaseResult run_case(const Sweep& sweep, long i, const std::atomic<bool>* stop = nullptr);

/// A line of table.csv, and its first line, without line breaks.
std::string row_of(const Sweep& sweep, const CaseResult& result);
std::string header_of(const Sweep& sweep);

}  // namespace trammel
