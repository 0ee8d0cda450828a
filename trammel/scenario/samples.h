#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "trammel/base/error.h"

namespace trammel::scenario {

/// A file of samples: a line of names, then a line of numbers for each sample, with commas between them (RFC 4180). Empty lines, and those
/// that begin with #, are left out.
///
///   time, x, y
///   0.0, 0.05, 0.35
struct Samples {
  struct Column {
    std::string name;
    std::vector<double> values{};
    std::optional<Error> fault{};  // the first cell that is no finite number: of interest where the column is used
  };
  std::string file;
  std::vector<Column> columns;
  std::vector<int> lines;  // in the file, of each sample

  /// Of a sample, for complaints.
  Place place(std::size_t sample) const { return {file, lines[sample]}; }
};

/// Throws Error where the lines do not go together.
Samples parse_samples(std::string_view text, const std::string& file);

/// Files of samples, each read once, and kept; shared between threads.
class SampleFiles {
 public:
  explicit SampleFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::shared_ptr<const Samples> read(const std::string& file);

 private:
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Samples>> known_;
};

}  // namespace trammel::scenario
