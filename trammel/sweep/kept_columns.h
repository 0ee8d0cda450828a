#pragma once

#include <functional>

#include "trammel/sweep/sweep_parts.h"
#include "trammel/sweep/sweep_plan.h"

namespace trammel::sweep {

/// Writes kept.npy: the kept columns of all rows of the table, float64 of the shape (rows, columns, times), as NumPy reads it
/// (numpy.load). Not a number where a run was over.
void write_kept(const SweepPlan& plan, const SweepParts& parts, const std::filesystem::path& path);

/// Writes bands.csv: at each time of each kept column how many cases have a number there, and of these least, percentiles, greatest, mean.
void write_bands(const SweepPlan& plan, const std::filesystem::path& kept, const std::filesystem::path& path);

/// Calls work(number, line) for every row of the parts in the order of cases, each once.
void for_each_row(const SweepParts& parts, const std::function<void(long number, const std::string& line)>& work);

}  // namespace trammel::sweep
