#include "trammel/dynamics/forward_dynamics_batch.h"

#include <limits>

#include "trammel/base/parallel_for.h"
#include "trammel/math/lane_columns.h"

namespace trammel {
namespace {

void solve_group(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau, int first, int count,
                 TreeBatchWorkspace::Room& room, MatX<>& vdot, std::vector<int>& singular) {
  gather(q, first, count, room.q);
  gather(v, first, count, room.v);
  gather(tau, first, count, room.tau);
  if (forward_dynamics<Lanes>(model, room.q, room.v, room.tau, room.lanes, room.vdot) < 0) {
    for (int lane = 0; lane < count; ++lane) {
      scatter(room.vdot, lane, vdot, first + lane);
      singular[first + lane] = -1;
    }
    return;
  }
  for (int i = first; i < first + count; ++i) {
    room.one_q = q.col(i), room.one_v = v.col(i), room.one_tau = tau.col(i);
    singular[i] = forward_dynamics<double>(model, room.one_q, room.one_v, room.one_tau, room.single, room.one_vdot);
    if (singular[i] >= 0) room.one_vdot.setConstant(std::numeric_limits<double>::quiet_NaN());
    vdot.col(i) = room.one_vdot;
  }
}

}  // namespace

TreeBatchWorkspace::Room::Room(const Model& model)
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
  for (int i = 0; i < workers; ++i) rooms.emplace_back(model);
}

void forward_dynamics_batch(const Model& model, const MatX<>& q, const MatX<>& v, const MatX<>& tau,
                            TreeBatchWorkspace& work, MatX<>& vdot, std::vector<int>& singular) {
  const int count = static_cast<int>(q.cols());
  vdot.resize(model.nv(), count);
  singular.resize(count);
  parallel_for(count, static_cast<int>(work.rooms.size()), lane_count, [&](int worker, int begin, int end) {
    for (int first = begin; first < end; first += lane_count)
      solve_group(model, q, v, tau, first, std::min(lane_count, end - first), work.rooms[worker], vdot, singular);
  });
}

}  // namespace trammel
