#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace trammel {

/// Where results go. A file appears whole or not at all: it is written beside its place under another name, and moved there when
/// it is complete. Several that belong together go through a StagedFolder.
class OutputFolder {
 public:
  /// Makes the folder if it is not there. Throws Error if it cannot be made or written to, or if the disk has less room
  /// than `needed` bytes: before a run, not after it.
  explicit OutputFolder(std::filesystem::path path, double needed = 0);

  const std::filesystem::path& path() const { return path_; }

  /// Throws std::runtime_error if the file cannot be written whole: the disk has become full meanwhile. What stood there
  /// before is left as it was.
  void write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace trammel
