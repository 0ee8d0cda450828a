#include "peers/trammel_system.h"
#include "trammel/dynamics/forward_dynamics_batch.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/motion/tree_motion.h"

/// Trammel behind the interface of serve.h.
namespace peers {
namespace {

using trammel::VecX;

std::vector<double> list(const VecX<>& x) { return {x.begin(), x.end()}; }

// Everything that the tasks on a mechanism need; sized once.
struct Room {
  explicit Room(const Mechanism& m)
      : mechanism(m),
        data(trammel::compile(trammel_system(m))),
        model(data.problem.system().model),
        motion(model.nv(), data.problem.asked().rows),
        accelerations(model.body_count()),
        carried(model),
        M(model.nv(), model.nv()),
        out(model.nv()) {
    for (const State& s : m.states) {
      q.push_back(column(s.q));
      v.push_back(column(s.v));
      u.push_back(column(s.u));
    }
  }

  const Mechanism& mechanism;
  trammel::Data data;
  const trammel::Model& model;
  trammel::Motion motion;
  trammel::BodyVectors<> accelerations;
  trammel::WorldInertias<> carried;
  trammel::MatX<> M;
  VecX<> out;
  std::vector<VecX<>> q, v, u;
};

Method forward(const std::shared_ptr<Room>& r) {
  const auto run = [r](int i) {
    if (trammel::forward_dynamics<double>(r->model, r->q[i], r->v[i], r->u[i], r->data.tree, r->out) >= 0)
      throw std::runtime_error("singular mass matrix");
  };
  return {"forward_dynamics", run, [r](int) { return list(r->out); }};
}

Method inverse(const std::shared_ptr<Room>& r) {
  const auto run = [r](int i) {
    trammel::TreeWorkspace<>& tree = r->data.tree;
    trammel::kinematics<double>(r->model, r->q[i], r->v[i], tree.kin);
    trammel::world_inertias<double>(r->model, tree.kin, tree.inertias);
    trammel::newton_euler<double>(r->model, tree.kin, tree.inertias, r->u[i], r->accelerations, tree.vectors, r->out);
  };
  return {"newton_euler", run, [r](int) { return list(r->out); }};
}

Method mass(const std::shared_ptr<Room>& r) {
  const auto run = [r](int i) {
    trammel::TreeWorkspace<>& tree = r->data.tree;
    trammel::positions<double>(r->model, r->q[i], tree.kin);
    trammel::world_inertias<double>(r->model, tree.kin, tree.inertias);
    trammel::mass_matrix<double>(r->model, tree.kin, tree.inertias, r->carried, r->M);
  };
  return {"mass_matrix", run, [r](int i) { return list(r->M * r->u[i]); }};
}

Method constrained(const std::shared_ptr<Room>& r) {
  const auto run = [r](int i) { solve_motion(r->q[i], r->v[i], 0, r->data, r->motion); };
  return {"solve_motion", run, [r](int) { return list(r->motion.vdot); }};
}

Method ten_seconds(const std::shared_ptr<Room>& r) {
  const auto run = [r](int) { r->out = driven_run(r->mechanism, {}).end.q; };
  const auto opened = [r] {
    double worst = 0;
    const auto watch = [&](const trammel::State& s) { worst = std::max(worst, opening(r->mechanism, s.q.data())); };
    static_cast<void>(driven_run(r->mechanism, watch));
    return worst;
  };
  return {"simulate, projected", run, [r](int) { return list(r->out); }, opened};
}

// One call for all of them, on one thread.
Method batch(const std::shared_ptr<Room>& r) {
  struct Batch {
    explicit Batch(const Room& room) : work(room.model) {
      const int states = static_cast<int>(room.q.size());
      q.resize(room.model.nq(), batch_size);
      v.resize(room.model.nv(), batch_size);
      u.resize(room.model.nv(), batch_size);
      for (int k = 0; k < batch_size; ++k)
        q.col(k) = room.q[k % states], v.col(k) = room.v[k % states], u.col(k) = room.u[k % states];
    }
    trammel::TreeBatchWorkspace work;
    trammel::MatX<> q, v, u, vdot;
    std::vector<int> singular;
  };
  const auto all = std::make_shared<Batch>(*r);
  const auto run = [r, all](int) {
    forward_dynamics_batch(r->model, all->q, all->v, all->u, all->work, all->vdot, all->singular);
  };
  const auto result = [r, all](int) {
    const auto first = all->vdot.leftCols(static_cast<Eigen::Index>(r->q.size())).reshaped();
    return std::vector<double>(first.begin(), first.end());
  };
  return {"forward_dynamics_batch", run, result};
}

std::vector<Method> methods(const Mechanism& mechanism, const std::string& task) {
  const auto room = std::make_shared<Room>(mechanism);
  if (task == "forward") return {forward(room)};
  if (task == "batch") return {batch(room)};
  if (task == "inverse") return {inverse(room)};
  if (task == "mass") return {mass(room)};
  if (task == "constrained") return {constrained(room)};
  return {ten_seconds(room)};
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::serve(argc, argv, peers::methods); }
