#pragma once

#include <filesystem>
#include <vector>

namespace trammel::sweep {

/// The case that a thread is at, in a file of its own among the parts (running-HOST-PID-THREAD), so that after a crash it is known. The kernel
/// keeps what is written to it whatever becomes of the process, and lets go of its lock.
class SweepJournal {
 public:
  SweepJournal(const std::filesystem::path& folder, int thread);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  void note(long number) const;

 private:
  std::filesystem::path path_;
  int file_;
};

/// The cases at which processes were that are no more. Their journals stay until forget_abandoned().
std::vector<long> abandoned_cases(const std::filesystem::path& folder);
void forget_abandoned(const std::filesystem::path& folder);

}  // namespace trammel::sweep
