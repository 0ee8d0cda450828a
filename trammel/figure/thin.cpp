#include "trammel/figure/thin.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel {

std::vector<int> drawn_points(const VecX<>& y, int pieces) {
  const int n = static_cast<int>(y.size());
  std::vector<int> out;
  if (n <= 3 * pieces) {
    for (int i = 0; i < n; ++i) out.push_back(i);
    return out;
  }
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = static_cast<int>(static_cast<long>(n) * piece / pieces);
    const int end = static_cast<int>(static_cast<long>(n) * (piece + 1) / pieces);
    int low = begin, high = begin, gap = begin;
    for (int i = begin; i < end; ++i) {
      if (y[i] < y[low] || std::isnan(y[low])) low = i;
      if (y[i] > y[high] || std::isnan(y[high])) high = i;
      if (std::isnan(y[i])) gap = i;
    }
    std::array<int, 4> picked{begin, low, high, gap};
    std::ranges::sort(picked);
    for (const int i : picked)
      if (out.empty() || i > out.back()) out.push_back(i);
  }
  if (out.back() < n - 1) out.push_back(n - 1);
  return out;
}

}  // namespace trammel
