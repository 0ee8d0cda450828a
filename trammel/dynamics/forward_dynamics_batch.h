#pragma once

#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/math/lanes.h"

namespace trammel {

/// The room for many states at once: one set per worker thread.
struct TreeBatchWorkspace {
  explicit TreeBatchWorkspace(const Model& model, int workers = 1);

  struct Room {
    explicit Room(const Model& model);
    TreeWorkspace<Lanes> lanes;
    VecX<Lanes> q, v, tau, vdot;
    TreeWorkspace<> single;  // for groups in which some state has no answer
    VecX<> one_q, one_v, one_tau, one_vdot;
  };
  std::vector<Room> rooms;
};

/// v̇ of many states of one tree (forward_dynamics.h): column i of q, v and τ is state i, column i of v̇ its answer. As many as
/// there are lanes go through the algorithm side by side. singular[i] is −1, or the velocity whose column makes M singular; such
/// a state is given NaN, and those beside it go alone.
void forward_dynamics_batch(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau,
                            TreeBatchWorkspace& work, MatX<>& vdot, std::vector<int>& singular);

}  // namespace trammel
