#pragma once

#include "trammel/math/vector.h"

namespace trammel::test {

/// A robot at one moment of a reference run, with the forces of its constraints.
struct ReferenceMoment {
  double t;
  VecX<> q, v, Qc;
};

}  // namespace trammel::test
