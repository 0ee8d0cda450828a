#include "trammel/report/output_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/report/write_whole.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& path, const std::string& why) {
  return Error({path.string()}, fmt::format("a folder that cannot be written to ({})", why),
               "one that can be, with room on its disk");
}

// A file is made in it and taken away again: without a name where the file system has such files, so that nothing can be left. An empty
// answer is success.
std::string why_not_writable(const fs::path& path) {
  const int unnamed = open(path.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed >= 0) {
    const bool written = write(unnamed, "can this be written?\n", 21) == 21;
    const std::string why = written ? "" : std::strerror(errno);
    close(unnamed);
    return why;
  }
  const fs::path probe = path / ".trammel-probe";
  std::string why = write_whole(probe, "can this be written?\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
  return why;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, double needed) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw cannot_write(path_, error.message());
  const std::string why = why_not_writable(path_);
  if (!why.empty()) throw cannot_write(path_, why);
  const fs::space_info space = fs::space(path_, error);
  if (!error && static_cast<double>(space.available) < needed)
    throw cannot_write(path_, fmt::format("the disk has {:.3g} MB left and the results may take {:.3g} MB",
                                          static_cast<double>(space.available) / 1e6, needed / 1e6));
}

void OutputFolder::write(std::string_view name, std::string_view content) const {
  const fs::path place = path_ / name, beside = path_ / fmt::format(".{}.part", name);
  const std::string why = write_whole(beside, content);
  std::error_code error;
  if (why.empty()) {
    fs::rename(beside, place, error);
    if (!error) return;
  }
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw std::runtime_error(fmt::format("{}: cannot write: {}", place.string(), why.empty() ? error.message() : why));
}

}  // namespace trammel
