#include "trammel/report/write_whole.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace trammel {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::string write_whole(const std::filesystem::path& path, std::string_view content) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  if (!file) return std::strerror(errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fflush(file.get()) != 0) return std::strerror(errno);
  return std::fclose(file.release()) == 0 ? "" : std::strerror(errno);
}

}  // namespace trammel
