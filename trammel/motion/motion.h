#pragma once

#include <string_view>

#include "trammel/motion/layered_qr.h"

namespace trammel {

/// What the equation of motion had to say.
enum class Status {
  regular,           // every row independent of the others
  redundant,         // some rows follow from others, and agree with them
  nearly_redundant,  // some rows almost follow from others: their forces may be large, and hang on the last digits
  contradictory,     // some rows cannot hold together: least squares, in the order of the layers
  singular           // the motion is not determined: M is singular and the constraints do not make up for it
};
std::string_view name_of(Status status);

/// The verdict on a factorisation and a right-hand side.
Status verdict(const LayeredQr& qr, const LayeredSolution& solution, const RankTolerance& tolerance);

/// The motion under constraints: M v̇ = Q + Qc, A v̇ = b. All formulations give this.
struct Motion {
  Motion(int nv, int rows) : vdot(nv), Qc(nv), residual(rows) {}

  VecX<> vdot;      // accelerations
  VecX<> Qc;        // the force of the constraints, generalised
  VecX<> residual;  // A v̇ − b of every row
  int rank = 0;
  Status status = Status::regular;
};

}  // namespace trammel
