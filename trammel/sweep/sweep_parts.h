#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trammel/sweep/sweep.h"

namespace trammel::sweep {

/// Cases from `begin` up to, and without, `end`.
struct CaseRange {
  long begin = 0, end = 0;
  bool operator==(const CaseRange&) const = default;
};

/// The parts of a table while it grows, in OUT/parts (docs/sweeps.md has the format): rows of the cases of a range, whole files that are put
/// there in one step.
class SweepParts {
 public:
  /// The folder must be there; the folder `parts` need not.
  explicit SweepParts(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  /// What they belong to; "" where there are none.
  std::string identity() const;
  /// Makes the folder for parts of this identity.
  void begin(const std::string& identity) const;
  void remove() const;

  /// Throws std::runtime_error where it cannot be written whole: then nothing of it is there.
  void write(const Sweep& sweep, const std::vector<CaseResult>& results) const;

  /// Ranges of the parts that are there, whole ones alone, in order.
  std::vector<CaseRange> ranges() const;
  /// Those of `wanted` that no part has.
  std::vector<CaseRange> missing(CaseRange wanted) const;

  std::filesystem::path table_of(const CaseRange& range) const;
  std::filesystem::path kept_of(const CaseRange& range) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace trammel::sweep
