#include "trammel/report/output_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>

#include "trammel/base/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Writes all of it and makes sure that it arrived. An empty answer is success; else the reason.
std::string write_whole(const fs::path& path, std::string_view content) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  if (!file) return std::strerror(errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fflush(file.get()) != 0) return std::strerror(errno);
  return std::fclose(file.release()) == 0 ? "" : std::strerror(errno);
}

Error cannot_write(const fs::path& path, const std::string& why) {
  return Error({path.string()}, fmt::format("a folder that cannot be written to ({})", why),
               "one that can be, with room on its disk");
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, double needed) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw cannot_write(path_, error.message());
  const fs::path probe = path_ / ".trammel-probe";
  const std::string why = write_whole(probe, "can this be written?\n");
  fs::remove(probe, error);
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

void OutputFolder::remove(std::string_view name) const {
  std::error_code ignored;
  fs::remove(path_ / name, ignored);
}

}  // namespace trammel
