#pragma once

#include <optional>

#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/motion/motors.h"
#include "trammel/motion/problem.h"

namespace trammel {

/// What was last solved for a row set: Yᵀ(h + y) = r.
struct RowSolution {
  RowSolution(const RowSet& rows, int all_rows, int nv);

  const RowSet* set;  // in the Problem
  VecX<> r;           // b − αφ̇ − βφ of every row, weighted; zero for rows that are not of the set
  VecX<> h, y;        // L⁻¹(Q + C), and what the rows add to it
  VecX<> lambda;      // of every row, unweighted: see row_multipliers
  VecX<> C;           // the part of the constraints' force that does work (working_force.h)
};

/// A problem at one state: what each stage of the equation of motion leaves for the next. One for each thread; sized once, nothing
/// allocates afterwards.
///
///   position   tree.kin                 where bodies are and how they move
///   factor     tree.inertias, .factor   M = L Lᵀ, one factor for all row sets
///   rows       blocks, phi, rate, b, qr of every row that is asked for; those that are held come first
///   motors     motors                   the torques under which the asked rows hold, where motors track them
///   motion     asked, held              y and λ of a row set
struct Data {
  explicit Data(Problem what);

  Problem problem;
  TreeWorkspace<> tree;
  std::vector<Rows> blocks;  // of the constraints of problem.asked()
  VecX<> phi, rate, b;       // of every row of problem.asked(), unweighted; b as the constraints hold it
  VecX<> stabilising;        // −αφ̇ − βφ of every row: what stabilisation adds to b
  VecX<> tau;                // Q + C but for gravity and velocity terms
  LayeredQr qr;              // of Y = L⁻¹Aᵀ; its first layer serves problem.held() where motors track the other
  RowSolution asked;         // every row holds as if by itself
  VecX<> turns;              // rad, whole turns of joints beyond q; forces are asked with them added

  // where motors track rows:
  std::optional<RowSolution> own_held;  // of the rows that hold meanwhile
  std::optional<MotorStage> motors;

  /// The rows of problem.held().
  RowSolution& held() { return own_held ? *own_held : asked; }
  const RowSolution& held() const { return own_held ? *own_held : asked; }

  // scratch
  VecX<> z, column, turned_q;
  BodyVectors<> carried;
  VecX<> C_asked, C_asked_before;  // what C is asked to be,
  VecX<> surplus, surplus_before;  // and how that differs from what it is
  PassedWrenches<> passed;         // along a branch
};

}  // namespace trammel
