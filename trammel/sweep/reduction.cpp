#include "trammel/sweep/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace trammel::sweep {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr NamedReduction table[] = {{"max", Reduction::max},           {"min", Reduction::min},
                                    {"mean", Reduction::mean},         {"rms", Reduction::rms},
                                    {"integral", Reduction::integral}, {"first", Reduction::first},
                                    {"last", Reduction::last},         {"argmax", Reduction::argmax},
                                    {"argmin", Reduction::argmin},     {"percentile", Reduction::percentile}};

// Where x is largest; −1 where nothing is a number.
int largest(std::span<const double> x, double sign) {
  int best = -1;
  for (int k = 0; k < static_cast<int>(x.size()); ++k)
    if (!std::isnan(x[k]) && (best < 0 || sign * x[k] > sign * x[best])) best = k;
  return best;
}

struct Integral {
  double value = 0, time = 0;
};
template <class Function>
Integral integral(std::span<const double> t, std::span<const double> x, const Function& f) {
  Integral out;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    if (std::isnan(x[k]) || std::isnan(x[k + 1])) continue;
    const double dt = t[k + 1] - t[k];
    out.value += 0.5 * dt * (f(x[k]) + f(x[k + 1]));
    out.time += dt;
  }
  return out;
}

template <class Function>
double mean(std::span<const double> t, std::span<const double> x, const Function& f) {
  if (x.size() == 1) return f(x[0]);
  const Integral all = integral(t, x, f);
  return all.value / all.time;
}

double percentile(double p, std::span<const double> x) {
  std::vector<double> sorted;
  for (const double one : x)
    if (!std::isnan(one)) sorted.push_back(one);
  if (sorted.empty()) return nan;
  std::ranges::sort(sorted);
  const double place = static_cast<double>(sorted.size() - 1) * p / 100;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::span<const NamedReduction> all_reductions() { return table; }

double reduced(Reduction reduction, double p, std::span<const double> t, std::span<const double> x) {
  if (x.empty()) return nan;
  const auto same = [](double u) { return u; };
  const auto square = [](double u) { return u * u; };
  const auto at = [&](std::span<const double> of, int k) { return k < 0 ? nan : of[k]; };
  switch (reduction) {
    case Reduction::max:
      return at(x, largest(x, 1));
    case Reduction::min:
      return at(x, largest(x, -1));
    case Reduction::mean:
      return mean(t, x, same);
    case Reduction::rms:
      return std::sqrt(mean(t, x, square));
    case Reduction::integral:
      return integral(t, x, same).value;
    case Reduction::first:
      return x.front();
    case Reduction::last:
      return x.back();
    case Reduction::argmax:
      return at(t, largest(x, 1));
    case Reduction::argmin:
      return at(t, largest(x, -1));
    default:
      return percentile(p, x);
  }
}

}  // namespace trammel::sweep
