#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// Σ force · velocity, W. A plain loop: vectors are short.
inline double power_of(const VecX<>& force, const VecX<>& v) {
  const double *f = force.data(), *speed = v.data();
  double out = 0;
  for (Eigen::Index i = 0, n = v.size(); i < n; ++i) out += f[i] * speed[i];
  return out;
}

}  // namespace trammel
