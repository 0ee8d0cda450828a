#include "trammel/sweep/whole_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/core.h>

namespace trammel::sweep {
namespace fs = std::filesystem;

std::string process_name() {
  std::array<char, 65> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = 0;
  std::string out = fmt::format("{}-{}", host.data(), getpid());
  std::ranges::replace(out, '/', '-');
  return out;
}

WholeFile::WholeFile(fs::path path)
    : path_(std::move(path)),
      beside_(path_.parent_path() / fmt::format(".{}.part-{}", path_.filename().string(), process_name())),
      file_(std::fopen(beside_.c_str(), "wb")) {
  if (file_ == nullptr) refuse();
}

WholeFile::~WholeFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  fs::remove(beside_, ignored);
}

void WholeFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) refuse();
}

void WholeFile::commit() {
  if (std::fflush(file_) != 0) refuse();
  const int closed = std::fclose(file_);
  file_ = nullptr;
  std::error_code error;
  if (closed == 0) fs::rename(beside_, path_, error);
  if (closed == 0 && !error) return;
  const int reason = closed != 0 ? errno : error.value();
  fs::remove(beside_, error);
  errno = reason;
  refuse();
}

void WholeFile::refuse() const {
  throw std::runtime_error(fmt::format("{}: cannot write: {}", path_.string(), std::strerror(errno)));
}

void write_whole_file(const fs::path& path, std::string_view text) {
  WholeFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace trammel::sweep
