#pragma once

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace trammel::test {

/// Keeps the worst error of a sweep and prints it when the sweep ends, so that a log shows how close a bound is.
class Worst {
 public:
  explicit Worst(std::string what) : what_(std::move(what)) {}
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;
  ~Worst() { std::printf("[   worst  ] %s: %.2e\n", what_.c_str(), value_); }

  /// Not-a-number is the worst of all.
  void see(double error) {
    if (!std::isnan(value_) && !(error <= value_)) value_ = error;
    seen_ = true;
  }
  /// Not a number where nothing was seen, so that no bound holds for it.
  double value() const { return seen_ ? value_ : std::numeric_limits<double>::quiet_NaN(); }

 private:
  std::string what_;
  double value_ = 0;
  bool seen_ = false;
};

}  // namespace trammel::test
