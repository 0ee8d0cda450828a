#pragma once

#include <utility>

#include "trammel/math/vector.h"

namespace trammel {

/// A state: coordinates q and velocities v at time t.
struct State {
  State() = default;
  State(double time, VecX<> coordinates, VecX<> velocities)
      : t(time), q(std::move(coordinates)), v(std::move(velocities)) {}

  double t = 0;  // s
  VecX<> q, v;
};

}  // namespace trammel
