#pragma once

#include <bitset>

#include "trammel/dynamics/branch.h"
#include "trammel/motion/lane_qr.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

/// The motion of as many states as there are lanes, side by side: solve_motion (tree_motion.h) with a state to each lane. The tree,
/// Y, its QR, and the forces and constraints of this library go in lanes; a user's own kinds, which know doubles alone, are asked lane
/// by lane. Sized once; nothing
/// allocates between one follow() and the next but what expressions take for the first evaluation of a thread.
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
  void impress_and_evaluate(double t, Data& scratch);
  void ask_lane(int lane, double t, Data& scratch);
  void stabilise(const Problem& problem);

  TreeWorkspace<Lanes> tree_;
  std::vector<RowsOf<Lanes>> blocks_;  // of the constraints of problem.asked()
  LaneQr qr_;
  VecX<Lanes> tau_, h_, r_, y_, z_;
  bool lane_by_lane_;     // whether some constraint or force knows doubles alone
  VecX<> q_one_, v_one_;  // a lane of q and v, for those
  PassedWrenches<Lanes> passed_;
};

}  // namespace trammel
