#include "trammel/motion/solve_batch.h"

#include <limits>

#include "trammel/base/parallel_for.h"
#include "trammel/math/lane_columns.h"
#include "trammel/motion/lane_motion.h"

namespace trammel {

struct MotionBatchWorkspace::PerThread {
  explicit PerThread(const Problem& problem);
  Data data;
  Motion out, leader;
  VecX<> q, v;
  LaneMotion lanes;
};

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

// One state by itself.
void solve_one(const MatX<>& q, const MatX<>& v, int i, double t, MotionBatchWorkspace::PerThread& mine,
               MotionBatch& out) {
  mine.q = q.col(i), mine.v = v.col(i);
  solve_motion(mine.q, mine.v, t, mine.data, mine.out);
  if (!has_motion(mine.out.status)) mine.out.vdot.setConstant(none), mine.out.Qc.setConstant(none);
  out.vdot.col(i) = mine.out.vdot;
  out.Qc.col(i) = mine.out.Qc;
  out.rank[i] = mine.out.rank;
  out.status[i] = mine.out.status;
}

// Whether a state can be the leader of lanes: these neither iterate friction nor pivot.
bool leads(const Motion& motion, const RowSet& set) {
  return (motion.status == Status::regular || motion.status == Status::redundant) && !set.has_working_forces;
}

// States first … first + count − 1, one to a lane, with the leader's permutation. Returns the lanes that agree with it.
std::bitset<lane_count> solve_in_lanes(const MatX<>& q, const MatX<>& v, int first, int count, double t,
                                       MotionBatchWorkspace::PerThread& mine, MotionBatch& out) {
  gather(q, first, count, mine.lanes.q);
  gather(v, first, count, mine.lanes.v);
  const std::bitset<lane_count> right = mine.lanes.solve(t, mine.data);
  for (int lane = 0; lane < count; ++lane) {
    if (!right[lane]) continue;
    scatter(mine.lanes.vdot, lane, out.vdot, first + lane);
    scatter(mine.lanes.Qc, lane, out.Qc, first + lane);
    out.rank[first + lane] = mine.leader.rank;
    out.status[first + lane] = mine.leader.status;
  }
  return right;
}

}  // namespace

MotionBatchWorkspace::PerThread::PerThread(const Problem& problem)
    : data(problem),
      out(problem.system().model.nv(), problem.asked().rows),
      leader(out),
      q(problem.system().model.nq()),
      v(problem.system().model.nv()),
      lanes(problem) {}

MotionBatchWorkspace::MotionBatchWorkspace(const Problem& what, int workers)
    : problem(what), free_tree(what.system().model, workers) {
  threads.emplace();
  for (int i = 0; i < workers; ++i) threads->emplace_back(problem);
}

void solve_batch(const MatX<>& q, const MatX<>& v, double t, MotionBatchWorkspace& work, MotionBatch& out) {
  const System& system = work.problem.system();
  const int count = static_cast<int>(q.cols());
  out.vdot.resize(system.model.nv(), count);
  out.Qc.resize(system.model.nv(), count);
  out.rank.resize(count);
  out.status.resize(count);
  if (is_free_tree(system)) return solve_free_trees(system.model, q, v, work, out);
  parallel_for(count, static_cast<int>(work.threads->size()), lane_count, [&](int worker, int begin, int end) {
    if (begin == end) return;
    MotionBatchWorkspace::PerThread& mine = (*work.threads)[worker];
    mine.q = q.col(0), mine.v = v.col(0);
    solve_motion(mine.q, mine.v, t, mine.data, mine.leader);
    const bool followed = leads(mine.leader, work.problem.asked());
    if (followed) mine.lanes.follow(mine.data);
    for (int first = begin; first < end; first += lane_count) {
      const int lanes = std::min(lane_count, end - first);
      std::bitset<lane_count> right;
      if (followed) right = solve_in_lanes(q, v, first, lanes, t, mine, out);
      for (int lane = 0; lane < lanes; ++lane)
        if (!right[lane]) solve_one(q, v, first + lane, t, mine, out);
    }
  });
}

}  // namespace trammel
