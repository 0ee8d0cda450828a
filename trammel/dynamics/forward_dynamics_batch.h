#pragma once

#include "trammel/base/indirect.h"
#include "trammel/model/model.h"

namespace trammel {

/// Workspace for many states: one of each per thread.
struct TreeBatchWorkspace {
  explicit TreeBatchWorkspace(const Model& model, int workers = 1);

  struct PerThread;
  Indirect<std::vector<PerThread>> threads;
};

/// v̇ of many states of one tree (forward_dynamics.h): column i of q, v and τ is state i, column i of v̇ its answer. States are
/// solved one to a SIMD lane. singular[i] is −1, or the velocity whose column makes M singular; such
/// a state is given NaN, and the others of its lanes are solved one by one.
void forward_dynamics_batch(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau,
                            TreeBatchWorkspace& work, MatX<>& vdot, std::vector<int>& singular);

}  // namespace trammel
