#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/sweep/sweep_plan.h"

namespace trammel::sweep {

/// The entries of a line of CSV, quotes taken off.
std::vector<std::string> csv_entries(std::string_view line);

/// What sweep.json tells of a table, gathered row by row in memory that does not grow with them.
class SweepStatistics {
 public:
  struct Extreme {
    double value;
    long number;
  };
  /// Rows that are no "finished" ones, by status and by reasons that differ in numbers and quoted names alone.
  struct Failure {
    std::string status, reason;  // of the first
    long count = 0;
    std::vector<long> cases{};  // the first ones
  };
  struct OfMeasure {
    long count = 0;  // of numbers
    double sum = 0;
    std::vector<Extreme> lowest{}, highest{};
  };

  explicit SweepStatistics(const SweepPlan& plan) : plan_(&plan), measures_(plan.measures.size()) {}

  void add(std::string_view row);

  long rows() const { return rows_; }
  const std::map<std::string, long>& counts() const { return counts_; }
  const std::vector<Failure>& failures() const { return failures_; }
  const std::vector<OfMeasure>& measures() const { return measures_; }
  /// The cases whose recordings are kept, the most extreme first; of equal ones the first.
  std::vector<Extreme> kept() const;

 private:
  void add_failure(long number, const std::string& status, const std::string& reason);
  std::size_t listed(std::size_t measure) const;

  const SweepPlan* plan_;
  long rows_ = 0;
  std::map<std::string, long> counts_;
  std::vector<Failure> failures_;
  std::map<std::string, std::size_t> failure_of_;
  std::vector<OfMeasure> measures_;
};

}  // namespace trammel::sweep
