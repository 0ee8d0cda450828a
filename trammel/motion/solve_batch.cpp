#include "trammel/motion/solve_batch.h"

#include <limits>

#include "trammel/base/share_out.h"

namespace trammel {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool is_free_tree(const System& system) { return system.constraints.empty() && system.forces.empty(); }

void solve_free_trees(const Model& model, const MatX<>& q, const MatX<>& v, MotionBatchWorkspace& work,
                      MotionBatch& out) {
  work.no_forces.setZero(model.nv(), q.cols());
  forward_dynamics_batch(model, q, v, work.no_forces, work.free_tree, out.vdot, work.singular);
  for (int i = 0; i < static_cast<int>(q.cols()); ++i) {
    const bool finite =
        q.col(i).allFinite() && v.col(i).allFinite() && (work.singular[i] >= 0 || out.vdot.col(i).allFinite());
    out.status[i] = !finite ? Status::not_a_number : work.singular[i] >= 0 ? Status::singular : Status::regular;
    out.rank[i] = 0;
    out.Qc.col(i).setZero();
  }
}

}  // namespace

MotionBatchWorkspace::Room::Room(const System& system)
    : work(system), out(system.model.nv(), work.rows), q(system.model.nq()), v(system.model.nv()) {}

MotionBatchWorkspace::MotionBatchWorkspace(const System& system, int workers) : free_tree(system.model, workers) {
  for (int i = 0; i < workers; ++i) rooms.emplace_back(system);
}

void solve_batch(const System& system, const MatX<>& q, const MatX<>& v, double t, const MotionOptions& options,
                 MotionBatchWorkspace& work, MotionBatch& out) {
  const int count = static_cast<int>(q.cols());
  out.vdot.resize(system.model.nv(), count);
  out.Qc.resize(system.model.nv(), count);
  out.rank.resize(count);
  out.status.resize(count);
  if (is_free_tree(system)) return solve_free_trees(system.model, q, v, work, out);
  share_out(count, static_cast<int>(work.rooms.size()), 1, [&](int worker, int begin, int end) {
    MotionBatchWorkspace::Room& room = work.rooms[worker];
    for (int i = begin; i < end; ++i) {
      room.q = q.col(i), room.v = v.col(i);
      solve_motion(system, room.q, room.v, t, options, room.work, room.out);
      if (!has_motion(room.out.status)) room.out.vdot.setConstant(none), room.out.Qc.setConstant(none);
      out.vdot.col(i) = room.out.vdot;
      out.Qc.col(i) = room.out.Qc;
      out.rank[i] = room.out.rank;
      out.status[i] = room.out.status;
    }
  });
}

}  // namespace trammel
