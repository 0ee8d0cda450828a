#pragma once

#include <bitset>

#include "trammel/motion/lane_qr.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

/// The motion of as many states as there are lanes, side by side: solve_motion (tree_motion.h) with a state to each lane. The tree,
/// Y and its QR go in lanes; forces and constraints, which may be a user's own, are asked lane by lane. Sized once; nothing
/// allocates between one follow() and the next.
class LaneMotion {
 public:
  explicit LaneMotion(const Problem& problem);

  /// Takes the order of the rows from a state that was solved with `leader`.
  void follow(const Data& leader);

  /// v̇ and Qc of the states in q and v. Returns the lanes in which they are right: those that have the leader's rank and verdict.
  /// `scratch` is of the same problem. Not for systems with forces of constraints that do work.
  [[nodiscard]] std::bitset<lane_count> solve(double t, Data& scratch);

  VecX<Lanes> q, v, vdot, Qc;

 private:
  void ask_lane(int lane, double t, Data& scratch);

  struct Block {
    RowMatrixOf<Lanes> wrenches;  // of a constraint's rows, as Rows has them
    MatX<Lanes> coefficients;
  };
  TreeWorkspace<Lanes> tree_;
  std::vector<Block> blocks_;  // of the constraints of problem.asked()
  LaneQr qr_;
  VecX<Lanes> tau_, h_, r_, y_, z_;
  VecX<> q_one_, v_one_;
  PassedWrenches<Lanes> passed_;
};

}  // namespace trammel
