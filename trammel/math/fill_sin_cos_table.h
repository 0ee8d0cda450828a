#pragma once

#include <algorithm>
#include <type_traits>

#include "trammel/math/lanes.h"
#include "trammel/math/sin_cos_table.h"

namespace trammel {

/// The sines and cosines of all angles (rad), of doubles a register at a time. Not installed.
template <class Scalar>
void fill_sin_cos_table(const VecX<Scalar>& angles, SinCosTable<Scalar>& out) {
  const Eigen::Index n = angles.size();
  Eigen::Index i = 0;
  if constexpr (std::is_same_v<Scalar, double>) {
    // a register at a time, the last overlapping the one before it; four lanes at most: many robots have fewer than 8 joints
    constexpr int some = std::min(4, lane_count);
    for (; i < n && n >= some; i += some) {
      const Eigen::Index at = std::min<Eigen::Index>(i, n - some);
      const SinCos<LanesOf<some>> both = sin_cos(LanesOf<some>::at(angles.data() + at));
      both.sin.store(out.sin.data() + at), both.cos.store(out.cos.data() + at);
    }
  }
  for (; i < n; ++i) {
    const SinCos<Scalar> one = sin_cos(angles[i]);
    out.sin[i] = one.sin, out.cos[i] = one.cos;
  }
}

}  // namespace trammel
