#pragma once

#include "trammel/motion/layered_qr.h"
#include "trammel/motion/problem.h"

namespace trammel {

/// The rows at position level by themselves, where others stand among them: projections of places need their factor.
struct PositionStage {
  explicit PositionStage(const Problem& problem);

  MatX<> Y;
  VecX<> change;
  LayeredQr qr;
};

}  // namespace trammel
