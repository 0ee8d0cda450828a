#pragma once

#include <algorithm>
#include <cassert>

#include "trammel/math/vector.h"

namespace trammel {

/// to = from, of the same size: vectors are short, and Eigen's assignment is a call that may resize.
inline void copy(const VecX<>& from, VecX<>& to) {
  assert(from.size() == to.size());
  std::copy_n(from.data(), from.size(), to.data());
}

}  // namespace trammel
