#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

namespace trammel::test {

/// Counts the errors of a sweep by powers of ten, one line per name, and prints them when the sweep ends: a log then
/// shows not only the worst but how rare it is.
class Histogram {
 public:
  explicit Histogram(std::string what) : what_(std::move(what)) {}
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;
  ~Histogram() {
    std::printf("[histogram ] %s\n%20s", what_.c_str(), "below");
    for (int power = lowest; power <= highest; ++power) std::printf("   1e%+d", power);
    std::printf("   more  worst\n");
    for (const auto& [name, line] : lines_) {
      std::printf("%20s", name.c_str());
      for (const int count : line.counts) std::printf(" %6d", count);
      std::printf("  %.2e\n", line.worst);
    }
  }

  /// Not-a-number counts as more than everything.
  void see(const std::string& name, double error) {
    Line& line = lines_[name];
    int bin = 0;
    while (bin <= highest - lowest && !(error < std::pow(10.0, lowest + bin))) ++bin;
    ++line.counts[bin];
    if (!(error <= line.worst)) line.worst = error;
  }
  double worst(const std::string& name) const { return lines_.at(name).worst; }

 private:
  static constexpr int lowest = -3, highest = 4;
  struct Line {
    int counts[highest - lowest + 2] = {};
    double worst = 0;
  };
  std::string what_;
  std::map<std::string, Line> lines_;
};

}  // namespace trammel::test
