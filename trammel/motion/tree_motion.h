#pragma once

#include <limits>

#include "trammel/dynamics/branch.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/motion.h"

namespace trammel {

/// The room that the equation of motion of a system needs. Sized once; nothing allocates afterwards.
struct MotionWorkspace {
  explicit MotionWorkspace(const System& system);

  TreeWorkspace<> tree;
  std::vector<int> order;      // the constraints, physical ones first
  std::vector<int> first_row;  // where the rows of constraint `order[i]` begin
  int rows = 0, physical_rows = 0;
  bool has_working_forces = false;
  std::vector<Rows> blocks;      // of constraint order[i]
  std::vector<Branch> branches;  // the bodies that feel constraint order[i]; rows as its group in the QR has them
  std::vector<std::vector<int>> direct_rows;  // likewise, of the velocities on which it acts directly
  VecX<> weight;                              // by which each row is multiplied, to be a length
  VecX<> importance;                          // the scale that its user gave it
  VecX<> phi, rate, b;                        // of every row, unweighted; b as the constraints hold it
  VecX<> stabilising;                         // −αφ̇ − βφ of every row: what stabilisation adds to b
  VecX<> tau, h, r, y, z, column, lambda;
  BodyVectors<> carried;                                // scratch
  VecX<> working;                                       // C, the part of the constraints' force that does work
  VecX<> asked, asked_before, surplus, surplus_before;  // what C is asked to be, and how that differs from what it is
  PassedWrenches<> passed;                              // along a branch
  LayeredQr qr;                                         // of Y
};

/// The motion of a system at (q, v, t) under its constraints, by the articulated factor of M:
///
///   Y = L⁻¹Aᵀ, a pass along the branches of each constraint;   h = L⁻¹Q
///   y = solve(b, h), layer by layer: Yᵀ(h + y) = b;   v̇ = L⁻ᵀ(h + y);   Qc = L y
///
/// M and A are never formed. Where constraints do work (working_force.h), C stands beside Q, and is iterated with the
/// multipliers that it depends on, by secants: friction that reacts strongly on the force it comes from would not settle
/// otherwise.
void solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                  MotionWorkspace& work, Motion& out);

/// A Motion sized for the system, solved once.
[[nodiscard]] Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                  const MotionOptions& options = {});

/// Its three parts, for callers that go on with the factors.

/// The factor of M, the rows, and the QR of Y at (q, v, t). False if M is singular.
[[nodiscard]] bool factorize_motion(const System& system, const VecX<>& q, const VecX<>& v, double t,
                                    const RankTolerance& tolerance, MotionWorkspace& work);

/// The rows at another state; the factors stay those of the last one.
void evaluate_rows(const System& system, const VecX<>& q, const VecX<>& v, double t, MotionWorkspace& work);
/// The same where the kinematics are known.
void evaluate_rows(const System& system, const Movement<double>& now, MotionWorkspace& work);

/// work.r of the rows: b − αφ̇ − βφ, weighted, with a constraint's own gains or else the run's; φ is zero on rows at velocity
/// level.
void stabilise(const System& system, const Baumgarte& of_run, MotionWorkspace& work);

/// The motion, from the factors.
void solve_factorized(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                      MotionWorkspace& work, Motion& out);

/// λ of every row, unweighted, for what work.qr was last asked to solve: into work.lambda.
void row_multipliers(MotionWorkspace& work);

/// The least step (in the metric of M) that changes the rows by `change`, unweighted: A step = change, layer by layer.
void least_step(const System& system, const VecX<>& change, MotionWorkspace& work, VecX<>& step);

/// What rounding leaves in the columns of Y. Rows that hold by themselves, such as the height of what moves in a tilted plane,
/// have columns of nothing else. Each entry is a wrench of about one unit, projected on a joint and divided by √D: some dozens
/// of roundings.
template <class Scalar>
Scalar rounding_of_rows(const ArticulatedFactor<Scalar>& factor) {
  using std::max;
  Scalar largest(0.0);
  for (const Scalar& inverse : factor.inverse_root_D) largest = max(largest, inverse);
  return largest * (50 * std::numeric_limits<double>::epsilon());
}

}  // namespace trammel
