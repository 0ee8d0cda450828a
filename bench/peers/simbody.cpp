#include <Simbody.h>

#include <memory>

#include "drive.h"

/// Simbody behind the interface of serve.h: its operators for trees, realize(Acceleration) under closures. Joints slide along
/// x and turn about x, then y there, and a floating body's ω stands before its ṗ and along the axes of F.
namespace peers {
namespace {

using SimTK::Vec3;

std::size_t index(int i) { return static_cast<std::size_t>(i); }
Vec3 vec3(const Vector3& a) { return {a[0], a[1], a[2]}; }
SimTK::Transform transform(const Pose& X) {
  const auto& R = X.R;
  return {SimTK::Rotation(SimTK::Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), true), vec3(X.p)};
}

// A mechanism as a Simbody system.
struct Room {
  explicit Room(const Mechanism& m) : mechanism(m), matter(system), forces(system) {
    gravity = SimTK::Force::UniformGravity(forces, matter, vec3(m.gravity));
    for (const Body& body : m.bodies) add(body);
    for (const Closure& c : m.closures) close(c);
    discrete = SimTK::Force::DiscreteForces(forces, matter);
    state = system.realizeTopology();
    system.realizeModel(state);
    for (const State& s : m.states) {
      q.push_back(coordinates(s));
      v.push_back(velocities(s, s.v));
      u.push_back(velocities(s, s.u));
    }
    zero.resize(m.nv);
    zero = 0;
    out.resize(m.nv);
  }

  SimTK::MobilizedBody& mobilized(int body) { return matter.updMobilizedBody(SimTK::MobilizedBodyIndex(body + 1)); }

  void add(const Body& body) {
    const auto& I = body.inertia;
    const SimTK::Inertia about_com(I[0], I[1], I[2], I[3], I[4], I[5]);
    const Vec3 com = vec3(body.com);
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(body.mass, com, about_com.shiftFromMassCenter(-com, body.mass)));
    // Simbody's x, y, z along z, x, y of mechanism.h
    const Pose turned{{0, 1, 0, 0, 0, 1, 1, 0, 0}, {}};
    SimTK::MobilizedBody& parent = mobilized(body.parent);
    const SimTK::Transform F = transform(body.at), X = transform(turned);
    if (body.joint == JointKind::turning) SimTK::MobilizedBody::Pin(parent, F, rigid, SimTK::Transform());
    if (body.joint == JointKind::sliding) SimTK::MobilizedBody::Slider(parent, F * X, rigid, X);
    if (body.joint == JointKind::universal) SimTK::MobilizedBody::Universal(parent, F * X, rigid, X);
    if (body.joint == JointKind::floating) SimTK::MobilizedBody::Free(parent, F, rigid, SimTK::Transform());
  }

  void close(const Closure& c) {
    SimTK::MobilizedBody &A = mobilized(c.body_A), &B = mobilized(c.body_B);
    const SimTK::Transform F = transform(c.A), G = transform(c.B);
    if (c.kind == ClosureKind::pose) SimTK::Constraint::Weld(A, F, B, G);
    if (c.kind == ClosureKind::point || c.kind == ClosureKind::hinge) SimTK::Constraint::Ball(A, F.p(), B, G.p());
    // planar mechanisms move across z of their bodies
    if (c.kind == ClosureKind::in_plane) SimTK::Constraint::PointOnLine(A, SimTK::UnitVec3(0, 0, 1), F.p(), B, G.p());
    if (c.kind == ClosureKind::hinge)
      for (const SimTK::UnitVec3& across : {F.x(), F.y()})
        SimTK::Constraint::ConstantAngle(A, across, B, G.z(), SimTK::Pi / 2);
  }

  SimTK::Vector coordinates(const State& s) {
    SimTK::Vector x(state.getNQ());
    for (int i = 0; i < static_cast<int>(mechanism.bodies.size()); ++i) {
      const Body& body = mechanism.bodies[index(i)];
      const int at = mobilized(i).getFirstQIndex(state), n = coordinates_of(body.joint);
      const int first = body.joint == JointKind::floating ? 3 : 0;  // the quaternion stands before the place
      for (int k = 0; k < n; ++k) x[at + k] = s.q[index(body.q + (k + first) % n)];
    }
    return x;
  }

  SimTK::Vector velocities(const State& s, const std::vector<double>& of) {
    SimTK::Vector x(state.getNU());
    for (int i = 0; i < static_cast<int>(mechanism.bodies.size()); ++i) {
      const Body& body = mechanism.bodies[index(i)];
      const int at = mobilized(i).getFirstUIndex(state), n = velocities_of(body.joint);
      for (int k = 0; k < n; ++k) x[at + k] = of[index(body.v + k)];
      if (body.joint != JointKind::floating) continue;
      const Vector3 w = rotate(joint_pose(body.joint, s.q.data() + body.q), {x[at + 3], x[at + 4], x[at + 5]});
      for (int k = 0; k < 3; ++k) x[at + 3 + k] = x[at + k], x[at + k] = w[index(k)];
    }
    return x;
  }

  std::vector<double> plain(int i, const SimTK::Vector& x) {
    const State& s = mechanism.states[index(i)];
    std::vector<double> list(index(mechanism.nv));
    for (int b = 0; b < static_cast<int>(mechanism.bodies.size()); ++b) {
      const Body& body = mechanism.bodies[index(b)];
      const int at = mobilized(b).getFirstUIndex(state), n = velocities_of(body.joint);
      for (int k = 0; k < n; ++k) list[index(body.v + k)] = x[at + k];
      if (body.joint != JointKind::floating) continue;
      const Vector3 w = rotate_back(joint_pose(body.joint, s.q.data() + body.q), {x[at], x[at + 1], x[at + 2]});
      for (int k = 0; k < 3; ++k) list[index(body.v + k)] = x[at + 3 + k], list[index(body.v + 3 + k)] = w[index(k)];
    }
    return list;
  }

  void place(int i, SimTK::Stage stage) {
    state.updQ() = q[index(i)];
    state.updU() = v[index(i)];
    system.realize(state, stage);
  }

  const SimTK::Vector_<SimTK::SpatialVec>& body_forces() const {
    return system.getRigidBodyForces(state, SimTK::Stage::Dynamics);
  }

  const Mechanism& mechanism;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::UniformGravity gravity;
  SimTK::Force::DiscreteForces discrete;
  SimTK::State state;
  std::vector<SimTK::Vector> q, v, u;
  SimTK::Vector zero, out;
  SimTK::Vector_<SimTK::SpatialVec> accelerations;
  SimTK::Matrix M;
};
using Shared = std::shared_ptr<Room>;

Method forward(const Shared& r) {
  const auto run = [r](int i) {
    r->place(i, SimTK::Stage::Dynamics);
    r->matter.calcAccelerationIgnoringConstraints(r->state, r->u[index(i)], r->body_forces(), r->out, r->accelerations);
  };
  return {"calcAccelerationIgnoringConstraints", run, [r](int i) { return r->plain(i, r->out); }};
}

Method inverse(const Shared& r) {
  const auto run = [r](int i) {
    r->place(i, SimTK::Stage::Dynamics);
    r->matter.calcResidualForceIgnoringConstraints(r->state, r->zero, r->body_forces(), r->u[index(i)], r->out);
  };
  return {"calcResidualForceIgnoringConstraints", run, [r](int i) { return r->plain(i, r->out); }};
}

Method mass(const Shared& r) {
  const auto run = [r](int i) {
    r->place(i, SimTK::Stage::Position);
    r->matter.calcM(r->state, r->M);
  };
  return {"calcM", run, [r](int i) { return r->plain(i, r->M * r->u[index(i)]); }};
}

Method constrained(const Shared& r) {
  return {"realize(Acceleration)", [r](int i) { r->place(i, SimTK::Stage::Acceleration); },
          [r](int i) { return r->plain(i, r->state.getUDot()); }};
}

Method ten_seconds(const Shared& r) {
  // every joint has one coordinate here
  const auto slots = std::make_shared<std::vector<int>>();
  for (int i = 0; i < r->mechanism.nv; ++i) slots->push_back(r->mobilized(i).getFirstUIndex(r->state));
  const auto a = std::make_shared<std::vector<double>>(index(r->mechanism.nv));
  const auto acceleration = [=](double torque, const std::vector<double>& now, const std::vector<double>& v) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      r->state.updQ()[(*slots)[i]] = now[i];
      r->state.updU()[(*slots)[i]] = v[i];
    }
    r->discrete.setOneMobilityForce(r->state, r->mobilized(r->mechanism.driven), SimTK::MobilizerUIndex(0), torque);
    r->system.realize(r->state, SimTK::Stage::Acceleration);
    for (std::size_t i = 0; i < a->size(); ++i) (*a)[i] = r->state.getUDot()[(*slots)[i]];
    return a->data();
  };
  return driven_by("RK4 on realize(Acceleration)", r->mechanism, acceleration);
}

std::vector<Method> methods(const Mechanism& mechanism, const std::string& task) {
  if (task == "batch") return {};
  const auto room = std::make_shared<Room>(mechanism);
  if (task == "forward") return {forward(room)};
  if (task == "inverse") return {inverse(room)};
  if (task == "mass") return {mass(room)};
  if (task == "constrained") return {constrained(room)};
  return {ten_seconds(room)};
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::serve(argc, argv, peers::methods); }
