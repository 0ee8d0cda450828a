#include "trammel/sweep/sweep_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/core.h>

#include "trammel/sweep/whole_file.h"

namespace trammel::sweep {
namespace {

namespace fs = std::filesystem;

constexpr int width = 20;

// Of journals that nobody holds.
template <class Work>
void for_each_abandoned(const fs::path& folder, const Work& work) {
  std::error_code error;
  std::vector<fs::path> journals;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("running-")) journals.push_back(entry.path());
  for (const fs::path& path : journals) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) work(path, file);
    close(file);
  }
}

}  // namespace

SweepJournal::SweepJournal(const fs::path& folder, int thread)
    : path_(folder / fmt::format("running-{}-{}", process_name(), thread)),
      file_(open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (file_ >= 0) flock(file_, LOCK_EX | LOCK_NB);
}

SweepJournal::~SweepJournal() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

// A disk that is full loses the note, not the sweep: the part that cannot be written is told.
void SweepJournal::note(long number) const {
  if (file_ < 0) return;
  const std::string line = fmt::format("{:{}}\n", number, width - 1);
  [[maybe_unused]] const auto written = pwrite(file_, line.data(), line.size(), 0);
}

std::vector<long> abandoned_cases(const fs::path& folder) {
  std::vector<long> out;
  for_each_abandoned(folder, [&](const fs::path&, int file) {
    std::array<char, width + 1> line{};
    if (pread(file, line.data(), width, 0) == width) out.push_back(std::atol(line.data()));
  });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void forget_abandoned(const fs::path& folder) {
  for_each_abandoned(folder, [](const fs::path& path, int) { unlink(path.c_str()); });
}

}  // namespace trammel::sweep
