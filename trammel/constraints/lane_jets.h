#pragma once

#include "trammel/constraints/bias_jets.h"
#include "trammel/math/lane_jet.h"

namespace trammel {

/// Bias jets (bias_jets.h) of several states side by side. Not installed.
template <>
struct JetOfScalar<Lanes> {
  using Type = LaneJet;
};

}  // namespace trammel
