#pragma once

#include "trammel/math/lanes.h"
#include "trammel/math/sin_cos_table.h"

namespace trammel {

template <class Scalar>
void fill_sin_cos_table(const VecX<Scalar>& angles, SinCosTable<Scalar>& out) {
  const Eigen::Index n = angles.size();
  Eigen::Index i = 0;
  if constexpr (std::is_same_v<Scalar, double>) {
    // some at once, the last ones overlapping those before them; not eight, which many robots do not have
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
