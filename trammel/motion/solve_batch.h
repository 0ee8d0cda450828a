#pragma once

#include "trammel/dynamics/forward_dynamics_batch.h"
#include "trammel/motion/problem.h"

namespace trammel {

/// Workspace for many states of a problem: one of each per thread.
struct MotionBatchWorkspace {
  explicit MotionBatchWorkspace(const Problem& what, int workers = 1);

  struct PerThread;
  Problem problem;
  Indirect<std::vector<PerThread>> threads;
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
/// work. What a state is given does not depend on the number of workers; it is
/// what solve_motion gives to rounding, not to the bit.
void solve_batch(const MatX<>& q, const MatX<>& v, double t, MotionBatchWorkspace& work, MotionBatch& out);

}  // namespace trammel
