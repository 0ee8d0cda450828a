#pragma once

#include <string_view>

#include "trammel/motion/rank_tolerance.h"
#include "trammel/system/system.h"

namespace trammel {

/// The outcome of the equation of motion.
enum class Status {
  regular,           // every row independent of the others
  redundant,         // some rows follow from others, and agree with them
  nearly_redundant,  // some rows almost follow from others: their forces may be large, and are ill-conditioned
  contradictory,     // some rows cannot hold together: least squares, in the order of the layers
  unsettled,    // the iteration between friction and the forces it depends on did not converge: there may be no motion
  singular,     // the motion is not determined: M is singular and the constraints do not make up for it
  not_a_number  // the state, a force or a constraint is not a finite number
};
std::string_view name_of(Status status);

/// Whether there is a motion at all.
inline bool has_motion(Status status) { return status < Status::unsettled; }

class LayeredQr;
struct LayeredSolution;
/// The verdict on a factorisation and a right-hand side: of all rows, or of the physical ones alone.
Status verdict(const LayeredQr& qr, const LayeredSolution& solution, const RankTolerance& tolerance);
Status physical_verdict(const LayeredQr& qr, int physical_rows, const LayeredSolution& solution,
                        const RankTolerance& tolerance);

/// Options of the equation of motion.
struct MotionOptions {
  RankTolerance rank{};
  Baumgarte baumgarte{};  // of constraints that have none of their own

  bool operator==(const MotionOptions&) const = default;
};

/// The motion under constraints: M v̇ = Q + Qc, A v̇ = b. All formulations give this.
struct Motion {
  Motion(int nv, int rows) : vdot(nv), Qc(nv), residual(rows) {}

  VecX<> vdot;      // accelerations
  VecX<> Qc;        // the force of the constraints, generalised; what they do by friction included
  VecX<> residual;  // A v̇ − b of every row, b with its stabilising part; stale where Data::with_residuals leaves it out
  int rank = 0;
  Status status = Status::regular;
};

}  // namespace trammel
