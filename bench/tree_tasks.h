#pragma once

#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"

namespace trammel::bench {

/// A state, and accelerations or forces to go with it.
struct State {
  VecX<> q, v, u;
};

/// Seeded states over the full range, so that no figure hangs on one angle.
inline std::vector<State> seeded_states(const Model& model, int count) {
  test::Random random(1);
  std::vector<State> states;
  for (int i = 0; i < count; ++i)
    states.push_back(
        {test::random_configuration(random, model), random.vector(model.nv(), 5), random.vector(model.nv(), 5)});
  return states;
}

/// What is measured of a tree: each owns its model and its room, and evaluates one state.
class ForwardDynamics {
 public:
  explicit ForwardDynamics(const RobotDescription& robot) : model(build_model(robot)), work_(model), out_(model.nv()) {}
  void operator()(const State& s) {
    if (forward_dynamics<double>(model, s.q, s.v, s.u, work_, out_) >= 0) std::abort();
  }
  Model model;

 private:
  TreeWorkspace<> work_;
  VecX<> out_;
};

class InverseDynamics {
 public:
  explicit InverseDynamics(const RobotDescription& robot)
      : model(build_model(robot)), work_(model), accelerations_(model.body_count()), out_(model.nv()) {}
  void operator()(const State& s) {
    kinematics<double>(model, s.q, s.v, work_.kin);
    world_inertias<double>(model, work_.kin, work_.inertias);
    newton_euler<double>(model, work_.kin, work_.inertias, s.u, accelerations_, work_.vectors, out_);
  }
  Model model;

 private:
  TreeWorkspace<> work_;
  BodyVectors<> accelerations_;
  VecX<> out_;
};

class MassMatrix {
 public:
  explicit MassMatrix(const RobotDescription& robot)
      : model(build_model(robot)), work_(model), carried_(model), M_(model.nv(), model.nv()) {}
  void operator()(const State& s) {
    positions<double>(model, s.q, work_.kin);
    world_inertias<double>(model, work_.kin, work_.inertias);
    mass_matrix<double>(model, work_.kin, work_.inertias, carried_, M_);
  }
  Model model;

 private:
  TreeWorkspace<> work_;
  WorldInertias<> carried_;
  MatX<> M_;
};

}  // namespace trammel::bench
