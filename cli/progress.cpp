#include "progress.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include <fmt/core.h>

namespace trammel::cli {
namespace {

std::atomic<bool> interrupted = false;

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

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
  if (on_) fmt::print(stderr, "\r{:79}\r", "");
}

void ProgressBar::show(double part, const std::string& text) {
  if (!on_ || !(whole_ > 0)) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const double done = part / whole_, seconds = std::chrono::duration<double>(now - start_).count();
  const int filled = static_cast<int>(30 * done);
  fmt::print(stderr, "\r[{:<30}] {:3.0f} %  {}{}{:.0f} s left ", std::string(filled, '#'), 100 * done, text,
             text.empty() ? "" : "  ", done > 0 ? seconds * (1 / done - 1) : 0);
  std::fflush(stderr);
}

StopOnInterrupt::StopOnInterrupt() {
  interrupted = false;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    before_[i] = std::signal(signals[i], &note_interrupt);
    // nohup wants it ignored
    if (signals[i] == SIGHUP && before_[i] == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  }
}

StopOnInterrupt::~StopOnInterrupt() {
  for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before_[i]);
}

const std::atomic<bool>* StopOnInterrupt::flag() const { return &interrupted; }

}  // namespace trammel::cli
