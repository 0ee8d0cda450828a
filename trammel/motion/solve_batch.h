#pragma once

#include "trammel/dynamics/forward_dynamics_batch.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

/// The room for many states of a system at once: one set per worker thread.
struct MotionBatchWorkspace {
  explicit MotionBatchWorkspace(const System& system, int workers = 1);

  struct Room {
    explicit Room(const System& system);
    MotionWorkspace work;
    Motion out;
    VecX<> q, v;
  };
  std::vector<Room> rooms;
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

/// solve_motion for column i of q and v, all at the time t. States of a tree on which nothing but its joints and gravity acts go
/// through side by side in lanes; where there are constraints or forces, each goes by itself, on the thread of its worker.
void solve_batch(const System& system, const MatX<>& q, const MatX<>& v, double t, const MotionOptions& options,
                 MotionBatchWorkspace& work, MotionBatch& out);

}  // namespace trammel
