#pragma once

#include "trammel/motion/equation.h"

namespace trammel {

/// All accelerations that some rows allow: v̇ = g + Z u̇ for any u̇. A Z = 0 and A g = b, in the least-squares sense if
/// the rows contradict each other.
struct Allowed {
  MatX<> Z;  // n × (n − rank), full column rank
  VecX<> g;
  int rank = 0;
};

/// The motion among them along which nothing is left over: ZᵀM Z u̇ = Zᵀ(Q − M g), Qc = M v̇ − Q.
Motion reduced_motion(const Equation& equation, const Allowed& allowed);

}  // namespace trammel
