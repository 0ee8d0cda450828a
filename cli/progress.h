#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <string>

namespace trammel::cli {

/// A bar with the time that is left, on standard error where that is a terminal; nothing elsewhere. Gone when it ends.
class ProgressBar {
 public:
  explicit ProgressBar(double whole, bool wanted = true);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// With a text behind the percentage: "512 cases/s".
  void show(double part, const std::string& text = "");

 private:
  double whole_;
  bool on_;
  std::chrono::steady_clock::time_point start_, shown_;
};

/// Becomes true at Ctrl-C (SIGINT), at SIGTERM or when the terminal goes away (SIGHUP) while one of these lives; the second time the program
/// ends at once. A SIGHUP that is ignored (nohup) stays so.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  const std::atomic<bool>* flag() const;

 private:
  std::array<void (*)(int), 3> before_{};
};

}  // namespace trammel::cli
