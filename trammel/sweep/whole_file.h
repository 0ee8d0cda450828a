#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace trammel::sweep {

/// "HOST-PID": of this process among all that share a folder, on this machine and others.
std::string process_name();

/// A file that appears whole or not at all, however long it is: it grows under another name (.NAME.part-HOST-PID) and gets its own with
/// commit(). Throws std::runtime_error where it cannot be written.
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void refuse() const;

  std::filesystem::path path_, beside_;
  std::FILE* file_;
};

/// All of it at once.
void write_whole_file(const std::filesystem::path& path, std::string_view text);

}  // namespace trammel::sweep
