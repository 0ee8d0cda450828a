#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/motion/motors.h"
#include "trammel/motion/problem.h"
#include "trammel/motion/state.h"

namespace trammel {

struct ForceStage;
struct MatrixStage;
struct PositionStage;
struct WorkingStage;

/// What was last solved for a row set: Yᵀ(h + y) = r.
struct RowSolution {
  RowSolution(const RowSet& rows, int all_rows, int nv);

  const RowSet* set;            // in the Problem
  VecX<> r;                     // b − αφ̇ − βφ of every row, weighted; zero for rows that are not of the set
  VecX<> h, y;                  // L⁻¹(Q + C), and what the rows add to it
  VecX<> lambda;                // of every row, unweighted: see row_multipliers, split_forces
  VecX<> C;                     // the part of the constraints' force that does work (working_force.h)
  double working_coupling = 0;  // κ, by how much C changes the multipliers that it depends on (working_balance.h)
  double working_part = 1;      // the part of C up to which these balance
};

/// Which state each stage was last computed for. States are counted as they come; a stage of an earlier state is stale.
struct StageStamps {
  std::int64_t position = 0, factor = -1;
  std::int64_t held_rows = -1, rows = -1;  // the rows that are held, and all that are asked for
  std::int64_t solution = -1;              // of a row set:
  bool solved_held = false;                // data.held(), or data.asked
  std::int64_t motion = -1;                // data.motion
  std::int64_t multipliers = -1;           // λ of data.held(),
  std::int64_t reactions = -1;             // and the reactions in the joints
};

/// What makes an equation of motion one of v̇ at the end of an implicit step (joint_damping.h): γD, and D(u − w).
struct DampingTangent {
  VecX<> inertia, force;  // added to the diagonal of M, and to Q
};

/// A problem at one state: what each stage of the equation of motion leaves for the next. One for each thread; sized once, nothing
/// allocates afterwards (but where a problem is given by its matrices).
///
///   position   at, tree.kin             where bodies are and how they move
///   factor     tree.inertias, .factor   M = L Lᵀ, one factor for all row sets
///   rows       blocks, phi, rate, b, qr of every row that is asked for; those that are held come first
///   motors     motors                   the torques under which the asked rows hold, where motors track them
///   motion     asked, held, motion      y and λ of a row set; v̇ and Qc of the rows that are held
///   forces     held().lambda, forces    λ, the least where it is not unique; the reactions in the joints
///
/// Rows may be evaluated again at a state nearby while the factors stay (projections do); motion and forces are then stale until they
/// are solved anew. Asking for what is stale is a mistake of the caller's: an assertion.
struct Data {
  explicit Data(Problem what);

  Problem problem;
  State at;                  // the state that was last placed,
  VecX<> turned_q;           // and its q with the whole turns of joints, where forces ask for it
  StageStamps stamps;        // of the stages
  TreeWorkspace<> tree;      // of no bodies where the problem is given by its matrices
  std::vector<Rows> blocks;  // of the constraints of problem.asked()
  VecX<> phi, rate, b;       // of every row of problem.asked(), unweighted; b as the constraints hold it
  VecX<> stabilising;        // −αφ̇ − βφ of every row: what stabilisation adds to b
  VecX<> tau;                // Q + C but for gravity and velocity terms
  VecX<> force_powers;       // of each of the system's forces, W
  Indirect<LayeredQr> qr;    // of Y = L⁻¹Aᵀ; its first layer serves problem.held() where motors track the other
  RowSolution asked;         // every row holds as if by itself
  Motion motion;             // of the rows that are held, where a stage solved for it (stages.h)
  VecX<> turns;              // rad, whole turns of joints beyond q; forces are asked with them added
  VecX<> inputs;             // of the system, as they were last set
  bool with_residuals =
      true;  // whether motions of a tree have their residual; runs leave it out of their stages, where nobody reads it
  const DampingTangent* tangent = nullptr;  // where the motion is solved for an implicit stage
  double least_extent =
      0.1;  // m: what lengths are compared with at least (extent() of stages.h); a run knows its mechanism's own

  // where motors track rows:
  std::optional<RowSolution> own_held;  // of the rows that hold meanwhile
  std::optional<MotorStage> motors;

  Indirect<ForceStage> forces;        // where it is a tree
  Indirect<MatrixStage> matrices;     // where the problem is given by its matrices
  Indirect<WorkingStage> working;     // where constraints do work
  Indirect<PositionStage> positions;  // where some rows are at velocity level

  /// The rows of problem.held().
  RowSolution& held() { return own_held ? *own_held : asked; }
  const RowSolution& held() const { return own_held ? *own_held : asked; }

  /// Everything at the state that was last placed, as laws see it.
  Movement<double> movement() const { return {tree.kin, at.q, at.v, at.t, input_values()}; }
  /// The same as forces see it: with the whole turns of joints.
  Movement<double> turned_movement() const { return {tree.kin, turned_q, at.v, at.t, input_values()}; }

  /// The numbers of the problem, by name (Problem::with); inputs that are not among them go back to what the author gave. Everything is
  /// stale afterwards; where the changes are refused, by an Error, nothing has changed.
  void set(const Changes& changes);

  /// From now on; what was computed with the old value is stale.
  void set_input(int input, double value) {
    assert(input >= 0 && input < inputs.size());
    inputs[input] = value;
    stamps.held_rows = stamps.rows = stamps.solution = stamps.motion = stamps.multipliers = stamps.reactions = -1;
  }
  /// All of them, as a recording has them; nothing changes where it has none.
  void set_inputs(const VecX<>& values) {
    for (int i = 0; i < values.size(); ++i) set_input(i, values[i]);
  }
  std::span<const double> input_values() const { return {inputs.data(), static_cast<std::size_t>(inputs.size())}; }

  /// The factors of the rows; they may be those of a state nearby.
  const LayeredQr& factors() const;
  /// Whether these are those of the state that was last placed: the rows of a set, what was solved for them, data.motion.
  bool has_rows(const RowSet& set) const {
    return (set.rows == problem.asked().rows ? stamps.rows : stamps.held_rows) == stamps.position;
  }
  bool has_solution(const RowSolution& rows) const {
    return stamps.solution == stamps.position && stamps.solved_held == (&rows == &held());
  }
  bool has_motion() const { return stamps.motion == stamps.position; }

  // scratch
  VecX<> z, column;
  BodyVectors<> carried;
  VecX<> C_next, C_next_before;                                      // the next iterate of C,
  VecX<> residual_C, residual_C_before;                              // and how it differs from the last
  Eigen::Matrix<double, Eigen::Dynamic, 8, Eigen::RowMajor> passed;  // along a branch: PassedWrenches (branch.h)
};

}  // namespace trammel
