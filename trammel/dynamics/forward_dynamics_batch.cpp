#include "trammel/dynamics/forward_dynamics_batch.h"

#include <limits>

#include "trammel/base/parallel_for.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/math/lane_columns.h"

namespace trammel {

struct TreeBatchWorkspace::PerThread {
  explicit PerThread(const Model& model);
  TreeWorkspace<Lanes> lanes;
  VecX<Lanes> q, v, tau, vdot;
  TreeWorkspace<> single;  // for lanes in which some state is singular
  VecX<> one_q, one_v, one_tau, one_vdot;
};

namespace {

void solve_group(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau, int first, int count,
                 TreeBatchWorkspace::PerThread& mine, MatX<>& vdot, std::vector<int>& singular) {
  gather(q, first, count, mine.q);
  gather(v, first, count, mine.v);
  gather(tau, first, count, mine.tau);
  if (forward_dynamics<Lanes>(model, mine.q, mine.v, mine.tau, mine.lanes, mine.vdot) < 0) {
    for (int lane = 0; lane < count; ++lane) {
      scatter(mine.vdot, lane, vdot, first + lane);
      singular[first + lane] = -1;
    }
    return;
  }
  for (int i = first; i < first + count; ++i) {
    mine.one_q = q.col(i), mine.one_v = v.col(i), mine.one_tau = tau.col(i);
    singular[i] = forward_dynamics<double>(model, mine.one_q, mine.one_v, mine.one_tau, mine.single, mine.one_vdot);
    if (singular[i] >= 0) mine.one_vdot.setConstant(std::numeric_limits<double>::quiet_NaN());
    vdot.col(i) = mine.one_vdot;
  }
}

}  // namespace

TreeBatchWorkspace::PerThread::PerThread(const Model& model)
    : lanes(model),
      q(model.nq()),
      v(model.nv()),
      tau(model.nv()),
      vdot(model.nv()),
      single(model),
      one_q(model.nq()),
      one_v(model.nv()),
      one_tau(model.nv()),
      one_vdot(model.nv()) {}

TreeBatchWorkspace::TreeBatchWorkspace(const Model& model, int workers) {
  threads.emplace();
  for (int i = 0; i < workers; ++i) threads->emplace_back(model);
}

void forward_dynamics_batch(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau,
                            TreeBatchWorkspace& work, MatX<>& vdot, std::vector<int>& singular) {
  const int count = static_cast<int>(q.cols());
  vdot.resize(model.nv(), count);
  singular.resize(count);
  parallel_for(count, static_cast<int>(work.threads->size()), lane_count, [&](int worker, int begin, int end) {
    for (int first = begin; first < end; first += lane_count)
      solve_group(model, q, v, tau, first, std::min(lane_count, end - first), (*work.threads)[worker], vdot, singular);
  });
}

}  // namespace trammel
