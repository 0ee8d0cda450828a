#pragma once

#include <limits>

#include "trammel/motion/data.h"

namespace trammel {

/// The motion of a system at (q, v, t) under its constraints, by the articulated factor of M:
///
///   Y = L⁻¹Aᵀ, a pass along the branches of each constraint;   h = L⁻¹Q
///   y = solve(b, h), layer by layer: Yᵀ(h + y) = b;   v̇ = L⁻ᵀ(h + y);   Qc = L y
///
/// M and A are never formed. One state goes through the stages of Data: kinematics, the factor of M, the rows and the QR of Y, then y, v̇
/// and Qc. Factors are kept, so that other right-hand sides at the same state (torques, projections, friction) cost a solve and no
/// factorisation.
///
/// Where constraints do work (working_force.h), C is added to Q and balanced with the multipliers that it depends on (working_balance.h).
///
/// Every row is held as if by itself, also those that motors are to track (torques.h has the motion under motors); `out` has the rows
/// of problem.asked().
void solve_motion(const VecX<>& q, const VecX<>& v, double t, Data& data, Motion& out);

/// Of a system, solved once.
[[nodiscard]] Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                  const MotionOptions& options = {});

/// Its stages, for callers that go on with the factors.

/// Position: the state, and where everything is at it.
void place(const VecX<>& q, const VecX<>& v, double t, Data& data);

/// Position, factor and rows: the factor of M, all rows, and the QR of Y at (q, v, t). False if M is singular.
[[nodiscard]] bool factorize_motion(const VecX<>& q, const VecX<>& v, double t, Data& data);

/// Position and rows of a set at another state; the factors stay those of the last one.
void evaluate_rows(const VecX<>& q, const VecX<>& v, double t, const RowSet& set, Data& data);
/// Rows where everything is placed.
void evaluate_rows(const RowSet& set, Data& data);
/// The same for a movement that is not the data's own.
void evaluate_rows(const Movement<double>& now, const RowSet& set, Data& data);

/// The QR of Y, from the factor of M and the rows as they were evaluated; with `h`, the factorisation also computes Qᵀh.
void factorize_rows(Data& data, const VecX<>* h = nullptr);

/// r of the rows: b − αφ̇ − βφ, weighted, with a constraint's own gains or else the problem's; φ is zero on rows at velocity level.
void stabilise(Data& data, RowSolution& rows);

/// The least y with Yᵀ(h + y) = r for the rows of the set.
LayeredSolution solve_rows(Data& data, RowSolution& rows);

/// h = L⁻¹(Q + C), with the torques `u` of the motors.
void impress_factorized(Data& data, RowSolution& rows, const VecX<>* u);

/// h + y, into data.z. Where constraints do work, C is balanced with the multipliers first. `u`: torques of the motors, which
/// act besides all other forces. Returns the verdict.
Status settle(LayeredSolution solution, Data& data, RowSolution& rows, const VecX<>* u = nullptr);

/// All stages up to there for every row that is asked for; input of the motors' torques (torques.h). No factors are left where M is singular.
Status balance_rows(const VecX<>& q, const VecX<>& v, double t, Data& data);
/// The same for a set at the placed state, from the factors.
Status balance_factorized(Data& data, RowSolution& rows, const VecX<>* u = nullptr);

/// v̇ = L⁻ᵀ(h + y), Qc = L y and the residuals, if they are asked for, from there.
void form_motion(Status status, Data& data, RowSolution& rows, Motion& out);

/// The motion at the placed state, from the factors.
void solve_factorized(Data& data, RowSolution& rows, Motion& out, const VecX<>* u = nullptr);

/// λ of every row, unweighted, for what data.qr was last asked to solve: into rows.lambda. Zero on rows that follow from others; force_stage.h
/// has the forces that are shown.
void row_multipliers(Data& data, RowSolution& rows);

/// The least step (in the metric of M) that changes the rows by `change`, unweighted: A step = change, layer by layer.
void least_step(const VecX<>& change, Data& data, RowSolution& rows, VecX<>& step);

/// The potential energy of the system's forces at the placed state, J.
double force_potential(const Data& data);

/// Bound of the rounding errors in the columns of Y: the ν of pivot_thresholds.h. Columns of rows that are identically zero, such as the
/// height of what moves in a tilted plane, consist of these errors alone. Each entry is a wrench of about one unit, projected on a joint
/// and divided by √D: some dozens of roundings, 50 ε/√D.
template <class Scalar>
Scalar rounding_of_rows(const ArticulatedFactor<Scalar>& factor) {
  using std::max;
  Scalar largest(0.0);
  for (const Scalar& inverse : factor.inverse_root_D) largest = max(largest, inverse);
  return largest * (50 * std::numeric_limits<double>::epsilon());
}

/// The same of a data. The moment of a row is at most the extent of the mechanism, so that of one below a millimetre the entries of joints that
/// turn are that much more exact.
double rounding_of_rows(const Data& data);

}  // namespace trammel
