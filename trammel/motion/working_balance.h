#pragma once

#include "trammel/motion/data.h"
#include "trammel/motion/layered_qr.h"

namespace trammel {

/// The force C of constraints that do work (working_force.h) depends on their multipliers p, and these on it:
///
///   p = p₀ + B C(p),      p₀: without that force;   B: what a force changes of the multipliers, a solve with the factors at hand.
///
/// Where friction changes its own multipliers by less than they are, κ = |B C(p₀)| / |p₀| < 1, the fixed-point iteration is
/// accelerated by secants (Anderson, depth one). Where it changes them more, or turns one round, or the determinant
/// of 1 − B ∂C/∂p has changed its sign, p may have several values, and a secant may end at any, or none
/// (Painlevé): a rod that is dragged over a rough floor may be pressed on it or pulled, one that is pushed jams. The value is taken that
/// continues the motion without friction,
///
///   p = p₀ + s B C(p),    s from 0 to 1,
///
/// by Newton's method with difference quotients, in steps of s that change |p| by less than a tenth. Where p grows without bound or turns back
/// before s = 1, nothing balances: rows.working_part is the s up to which something does.
struct WorkingStage {
  explicit WorkingStage(const Problem& problem);

  std::vector<int> rows;  // of problem.asked(), those of constraints that do work
  VecX<> p0, p, trial, given, residual, step;
  MatX<> slope;  // 1 − s B ∂C/∂p
};

/// From the solution without C: iterates, with the torques `u` of the motors acting besides. `solution` becomes that with C. Returns
/// whether C and the multipliers balance.
[[nodiscard]] bool balance_working_forces(LayeredSolution& solution, Data& data, RowSolution& rows, const VecX<>* u);

/// Other multipliers that balance as well, where the data were solved for a row set with strong coupling; into data.working->p, in the order of
/// its rows. False if none are found. What was solved is lost.
[[nodiscard]] bool find_other_balance(Data& data, RowSolution& rows, const VecX<>* u);

}  // namespace trammel
