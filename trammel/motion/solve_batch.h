#pragma once

#include "trammel/dynamics/forward_dynamics_batch.h"
#include "trammel/motion/problem.h"

namespace trammel {

/// The room for many states of a problem at once: one set per worker thread.
struct MotionBatchWorkspace {
  explicit MotionBatchWorkspace(const Problem& what, int workers = 1);

  struct Room;
  Problem problem;
  Indirect<std::vector<Room>> rooms;
  TreeBatchWorkspace free_tree;
  MatX<> no_forces;
  std::vector<int> singular;
};

/// The motions of many states: column i belongs to state i.
struct MotionBatch {
  MatX<> vdot, Qc;  // NaN where there is no motion
  std::vector<int> rank;
  std::vector<Status> status;
};

/// solve_motion for column i of q and v, all at the time t, side by side in lanes and on the threads of the workers. Rows are
/// taken in the order of the first state's; a state of another rank or verdict goes by itself, and so do all where constraints do
/// work. What a state is given does not depend on the number of workers.
void solve_batch(const MatX<>& q, const MatX<>& v, double t, MotionBatchWorkspace& work, MotionBatch& out);

}  // namespace trammel
