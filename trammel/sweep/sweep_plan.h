#pragma once

#include <optional>

#include "trammel/sweep/measure.h"
#include "trammel/sweep/sweep.h"
#include "trammel/sweep/vary.h"

namespace trammel {

/// What a sweep file says, read and checked.
struct SweepPlan {
  struct Keep {
    int recordings = 0;
    int by = -1;  // a measure
    bool lowest = false;
    std::vector<std::string> columns{};
  };

  std::string name, file, text;
  std::filesystem::path scenario_file;
  std::vector<std::string> overrides;  // that it was read with
  Scenario base;                       // as it is read with these alone
  std::vector<sweep::Varied> varied{};
  long grid_points = 1, draws = 1;
  std::uint64_t seed = 0;
  std::vector<sweep::Measure> measures{};
  Keep keep{};
  int kept_times = 0;                  // common times k·record_every, k < kept_times
  std::optional<double> time_limit{};  // s, of a case, by the clock on the wall
  std::vector<SweepColumn> columns{};  // of the table

  long cases() const { return grid_points * draws; }
  /// Of varied key k in case i.
  sweep::Choice value(long i, std::size_t k) const;
};

}  // namespace trammel
