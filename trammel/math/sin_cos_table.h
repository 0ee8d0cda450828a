#pragma once

#include <algorithm>
#include <type_traits>

#include "trammel/math/lanes.h"

namespace trammel {

/// A sine/cosine table: those of every entry of a vector, each in an array of its own, so that the kernels that place joints
/// compute none.
template <class Scalar>
struct SinCosTable {
  explicit SinCosTable(Eigen::Index size) : sin(size), cos(size) {}
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> sin, cos;

  /// The entries from the i-th on.
  SinCosAt<Scalar> at(Eigen::Index i) const { return {sin.data() + i, cos.data() + i}; }

  void set(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& angles) {
    const Eigen::Index n = angles.size();
    Eigen::Index i = 0;
    if constexpr (std::is_same_v<Scalar, double>) {
      // a register at a time, the last overlapping the one before it; four lanes at most: many robots have fewer than 8 joints
      constexpr int width = std::min(4, lane_count);
      for (; i < n && n >= width; i += width) {
        const Eigen::Index at = std::min<Eigen::Index>(i, n - width);
        const SinCos<LanesOf<width>> both = sin_cos(LanesOf<width>::at(angles.data() + at));
        both.sin.store(sin.data() + at), both.cos.store(cos.data() + at);
      }
    }
    for (; i < n; ++i) {
      const SinCos<Scalar> one = sin_cos(angles[i]);
      sin[i] = one.sin, cos[i] = one.cos;
    }
  }
};

}  // namespace trammel
