#include "progress.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/core.h>

namespace trammel::cli {
namespace {

std::atomic<bool> interrupted = false;

void note_interrupt(int signal) {
  if (interrupted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

ProgressBar::ProgressBar(double whole, bool wanted)
    : whole_(whole),
      on_(wanted && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      shown_(start_) {}

ProgressBar::~ProgressBar() {
  if (on_) fmt::print(stderr, "\r{:60}\r", "");
}

void ProgressBar::show(double part) {
  if (!on_ || !(whole_ > 0)) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const double done = part / whole_, seconds = std::chrono::duration<double>(now - start_).count();
  const int filled = static_cast<int>(30 * done);
  fmt::print(stderr, "\r[{:<30}] {:3.0f} %  {:.0f} s left ", std::string(filled, '#'), 100 * done,
             done > 0 ? seconds * (1 / done - 1) : 0);
  std::fflush(stderr);
}

StopOnInterrupt::StopOnInterrupt() {
  interrupted = false;
  std::signal(SIGINT, &note_interrupt);
  std::signal(SIGTERM, &note_interrupt);
}

StopOnInterrupt::~StopOnInterrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* StopOnInterrupt::flag() const { return &interrupted; }

}  // namespace trammel::cli
