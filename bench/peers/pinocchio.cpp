#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/constraints.hpp>
#include <pinocchio/multibody.hpp>

#include "drive.h"
#include "floating.h"

/// Pinocchio behind the interface of serve.h. Its algorithms are templates and compiled here: nothing of its libraries is
/// linked, so that flags for this processor cannot meet prebuilt code of another alignment.
namespace peers {
namespace {

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using RigidModels = std::vector<pin::RigidConstraintModel>;
using RigidDatas = std::vector<pin::RigidConstraintData>;

pin::SE3 se3(const Pose& X) {
  return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(X.R.data()),
          Eigen::Map<const Eigen::Vector3d>(X.p.data())};
}

pin::JointIndex joint_of(int body) { return static_cast<pin::JointIndex>(body + 1); }

pin::JointModel joint_model(JointKind kind) {
  switch (kind) {
    case JointKind::turning:
      return pin::JointModelRZ();
    case JointKind::sliding:
      return pin::JointModelPZ();
    case JointKind::universal:
      return pin::JointModelUniversal(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX());
    default:
      return pin::JointModelFreeFlyer();
  }
}

pin::Model build(const Mechanism& mechanism) {
  pin::Model model;
  model.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(mechanism.gravity.data());
  for (const Body& body : mechanism.bodies) {
    const auto& I = body.inertia;
    Eigen::Matrix3d inertia;
    inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    const pin::JointIndex joint = model.addJoint(joint_of(body.parent), joint_model(body.joint), se3(body.at),
                                                 "j" + std::to_string(model.njoints));
    model.appendBodyToJoint(joint, pin::Inertia(body.mass, Eigen::Map<const Eigen::Vector3d>(body.com.data()), inertia),
                            pin::SE3::Identity());
  }
  return model;
}

Vector column(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}
std::vector<double> list(const Vector& x) { return {x.data(), x.data() + x.size()}; }

// Everything that the tasks on a mechanism need. Quaternions are x, y, z, w here.
struct Room {
  explicit Room(const Mechanism& m) : mechanism(m), model(build(m)), data(model), zero(Vector::Zero(model.nv)) {
    for (const State& s : m.states) {
      Vector q_native = column(s.q);
      for (const Body& body : m.bodies)
        if (body.joint == JointKind::floating)
          q_native.segment<4>(body.q + 3) << s.q[body.q + 4], s.q[body.q + 5], s.q[body.q + 6], s.q[body.q + 3];
      q.push_back(q_native);
      v.push_back(column(in_body(m, s, s.v)));
      force.push_back(column(in_body(m, s, s.u)));
      acceleration.push_back(column(accelerations_in_body(m, s, s.u)));
    }
    for (const Closure& c : as_points_and_poses(m.closures))
      rigid.emplace_back(c.kind == ClosureKind::pose ? pin::CONTACT_6D : pin::CONTACT_3D, model, joint_of(c.body_B),
                         se3(c.B), joint_of(c.body_A), se3(c.A), pin::LOCAL);
    for (const auto& model_of_row : rigid) rigid_data.emplace_back(model_of_row);
  }

  std::vector<double> accelerations(int i) const {
    return accelerations_out_of_body(mechanism, mechanism.states[i], list(data.ddq));
  }
  std::vector<double> forces(int i, const Vector& x) const {
    return out_of_body(mechanism, mechanism.states[i], list(x));
  }

  const Mechanism& mechanism;
  pin::Model model;
  pin::Data data;
  Vector zero;
  RigidModels rigid;
  RigidDatas rigid_data;
  std::vector<Vector> q, v, force, acceleration;
};
using Shared = std::shared_ptr<Room>;

Method forward(const Shared& r, pin::Convention convention, const std::string& name) {
  return {"aba, " + name, [=](int i) { pin::aba(r->model, r->data, r->q[i], r->v[i], r->force[i], convention); },
          [=](int i) { return r->accelerations(i); }};
}

Method inverse(const Shared& r) {
  return {"rnea", [=](int i) { pin::rnea(r->model, r->data, r->q[i], r->v[i], r->acceleration[i]); },
          [=](int i) { return r->forces(i, r->data.tau); }};
}

// Only the upper half of M is written.
Method mass(const Shared& r, pin::Convention convention, const std::string& name) {
  return {"crba, " + name, [=](int i) { pin::crba(r->model, r->data, r->q[i], convention); },
          [=](int i) { return r->forces(i, r->data.M.selfadjointView<Eigen::Upper>() * r->force[i]); }};
}

// Independent rows need no regularisation; the others, a proximal iteration.
struct Proximal {
  std::string name;
  double mu;
  int iterations;
};

Method constraint_dynamics(const Mechanism& mechanism, const Proximal& p) {
  const auto r = std::make_shared<Room>(mechanism);
  pin::initConstraintDynamics(r->model, r->data, r->rigid, r->rigid_data);
  const auto settings = std::make_shared<pin::ProximalSettings>(1e-12, p.mu, p.iterations);
  const auto run = [=](int i) {
    pin::constraintDynamics(r->model, r->data, r->q[i], r->v[i], r->zero, r->rigid, r->rigid_data, *settings);
  };
  return {"constraintDynamics" + p.name, run, [=](int i) { return r->accelerations(i); }};
}

Method loop_constrained(const Mechanism& mechanism, const Proximal& p) {
  const auto r = std::make_shared<Room>(mechanism);
  pin::computeJointMinimalOrdering(r->model, r->data, r->rigid);
  const auto settings = std::make_shared<pin::ProximalSettings>(1e-12, p.mu, p.iterations);
  const auto run = [=](int i) {
    pin::lcaba(r->model, r->data, r->q[i], r->v[i], r->zero, r->rigid, r->rigid_data, *settings);
  };
  return {"lcaba" + p.name, run, [=](int i) { return r->accelerations(i); }};
}

// The two that know no loops, on rows of one kind against the world.
template <class Anchor>
void add_open(const Mechanism& mechanism, std::vector<Method>& out) {
  const auto models = std::make_shared<std::vector<Anchor>>();
  const auto datas = std::make_shared<std::vector<typename Anchor::ConstraintData>>();
  const auto prepare = [&] {
    auto r = std::make_shared<Room>(mechanism);
    if (models->empty())
      for (const Closure& c : mechanism.closures) {
        models->emplace_back(r->model, joint_of(c.body_B), se3(c.B), joint_of(c.body_A), se3(c.A));
        datas->emplace_back(models->back());
      }
    pin::initPvSolver(r->model, r->data, *models);
    return r;
  };
  const auto settings = std::make_shared<pin::ProximalSettings>(1e-12, 0, 1);
  const auto augmented = std::make_shared<pin::ProximalSettings>(1e-12, 1e-8, 20);
  const Shared r = prepare(), s = prepare();
  out.push_back({"pv",
                 [=](int i) { pin::pv(r->model, r->data, r->q[i], r->v[i], r->zero, *models, *datas, *settings); },
                 [=](int i) { return r->accelerations(i); }});
  out.push_back(
      {"constrainedABA",
       [=](int i) { pin::constrainedABA(s->model, s->data, s->q[i], s->v[i], s->zero, *models, *datas, *augmented); },
       [=](int i) { return s->accelerations(i); }});
}

std::vector<Method> constrained(const Mechanism& mechanism) {
  std::vector<Method> out;
  // pin::Data has four tensors of nv³ numbers, 4.3 GB for 512 bodies: there is room for two of them, and the other two ways
  // are the faster ones by then
  if (mechanism.nv <= 256) {
    for (const Proximal& p : {Proximal{"", 0, 1}, Proximal{", mu 1e-10", 1e-10, 2}, Proximal{", mu 1e-8", 1e-8, 5}})
      out.push_back(constraint_dynamics(mechanism, p));
    for (const Proximal& p : {Proximal{", mu 1e-6", 1e-6, 20}, Proximal{", mu 1e-8", 1e-8, 20}})
      out.push_back(loop_constrained(mechanism, p));
  }
  bool pins = true, poses = true;
  for (const Closure& c : mechanism.closures) {
    pins = pins && c.body_A < 0 && c.kind == ClosureKind::point;
    poses = poses && c.body_A < 0 && c.kind == ClosureKind::pose;
  }
  if (pins) add_open<pin::PointAnchorConstraintModel>(mechanism, out);
  if (poses) add_open<pin::FrameAnchorConstraintModel>(mechanism, out);
  return out;
}

// Rows that are stabilised with the gains Kp, Kd, 1/s² and 1/s.
Method ten_seconds(const Mechanism& mechanism, const std::string& name, double Kp, double Kd) {
  const auto r = std::make_shared<Room>(mechanism);
  for (auto& row : r->rigid) row.baumgarte_corrector_parameters().Kp = Kp, row.baumgarte_corrector_parameters().Kd = Kd;
  pin::initConstraintDynamics(r->model, r->data, r->rigid, r->rigid_data);
  const auto settings = std::make_shared<pin::ProximalSettings>(1e-12, 1e-10, 2);
  const auto tau = std::make_shared<Vector>(r->zero);
  const auto acceleration = [=](double torque, const std::vector<double>& now, const std::vector<double>& v) {
    (*tau)[r->mechanism.driven] = torque;
    r->q[0] = Eigen::Map<const Vector>(now.data(), r->model.nq);
    r->v[0] = Eigen::Map<const Vector>(v.data(), r->model.nv);
    pin::constraintDynamics(r->model, r->data, r->q[0], r->v[0], *tau, r->rigid, r->rigid_data, *settings);
    return r->data.ddq.data();
  };
  return driven_by(name, r->mechanism, acceleration);
}

std::vector<Method> methods(const Mechanism& mechanism, const std::string& task) {
  if (task == "batch") return {};
  if (task == "constrained") return constrained(mechanism);
  const auto room = std::make_shared<Room>(mechanism);
  if (task == "forward")
    return {forward(room, pin::Convention::LOCAL, "local"), forward(room, pin::Convention::WORLD, "world")};
  if (task == "inverse") return {inverse(room)};
  if (task == "mass") return {mass(room, pin::Convention::LOCAL, "local"), mass(room, pin::Convention::WORLD, "world")};
  return {ten_seconds(mechanism, "RK4 on constraintDynamics", 0, 0),
          ten_seconds(mechanism, "RK4 on constraintDynamics, Baumgarte", 1e4, 200)};
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::serve(argc, argv, peers::methods); }
