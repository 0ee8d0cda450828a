#include "trammel/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace trammel {
namespace {

double order(double x) { return std::floor(std::log10(x)); }

// Significant digits in which numbers up to `most`, `step` apart, differ: from the order of the largest to that of the step.
int digits_for(double most, double step) {
  const double digits = order(most) - order(step) + 1;
  return digits > 4 ? static_cast<int>(std::min(digits, 17.0)) : 4;
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  const double rough = high / count - low / count, power = std::pow(10, order(rough));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) {
      step = nice * power;
      break;
    }
  const double size = std::max(std::abs(low), std::abs(high));
  const double spacing = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  if (!(step > spacing)) return {low, high};
  std::vector<double> out;
  const double first = std::ceil(low / step);
  for (int i = 0; i <= count && (first + i) * step <= high; ++i) out.push_back((first + i) * step);
  return out;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  double most = 0, step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    most = std::max(most, std::abs(ticks[i]));
    if (i > 0) step = std::min(step, ticks[i] - ticks[i - 1]);
  }
  const int digits = digits_for(most, step);
  std::vector<std::string> out;
  for (const double tick : ticks) out.push_back(fmt::format("{:.{}g}", tick == 0 ? 0.0 : tick, digits));
  return out;
}

}  // namespace trammel
