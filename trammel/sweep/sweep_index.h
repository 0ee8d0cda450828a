#pragma once

#include "trammel/sweep/run_sweep.h"
#include "trammel/sweep/sweep_statistics.h"

namespace trammel {

/// sweep.json: what the table of a sweep is, and what came of it (docs/sweeps.md has every key). Written last: a folder without it has no
/// whole result.
void write_index(const Sweep& sweep, const sweep::SweepStatistics& statistics, bool is_complete,
                 const std::filesystem::path& folder);
void remove_index(const std::filesystem::path& folder);

/// What a finished sweep in the folder was made from; "" where there is none.
std::string finished_identity(const std::filesystem::path& folder);
/// What its index tells.
SweepOutcome finished_outcome(const std::filesystem::path& folder);

/// "recordings/000017": where the recording of a case is kept.
std::string recording_folder(long number);

}  // namespace trammel
