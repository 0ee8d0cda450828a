#pragma once

#include "drive.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/model/build_model.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

/// A mechanism of the comparison as a trammel::System.
namespace peers {

inline Vector3 plain(const trammel::Vec3<>& a) { return {a.x(), a.y(), a.z()}; }
inline trammel::Vec3<> vector(const Vector3& a) { return {a[0], a[1], a[2]}; }

inline Pose plain(const trammel::Pose<>& X) {
  Pose out;
  for (int i = 0; i < 9; ++i) out.R[static_cast<std::size_t>(i)] = X.R(i / 3, i % 3);
  out.p = plain(X.p);
  return out;
}
inline trammel::Pose<> pose(const Pose& X) {
  trammel::Pose<> out;
  for (int i = 0; i < 9; ++i) out.R(i / 3, i % 3) = X.R[static_cast<std::size_t>(i)];
  out.p = vector(X.p);
  return out;
}

inline trammel::JointType type_of(JointKind kind) {
  switch (kind) {
    case JointKind::turning:
      return trammel::JointType::revolute;
    case JointKind::sliding:
      return trammel::JointType::prismatic;
    case JointKind::universal:
      return trammel::JointType::universal;
    default:
      return trammel::JointType::floating;
  }
}

inline trammel::Model trammel_model(const Mechanism& mechanism) {
  trammel::RobotDescription robot;
  robot.name = "mechanism";
  const auto name = [](int body) { return body < 0 ? std::string("world") : "b" + std::to_string(body); };
  for (int i = 0; i < static_cast<int>(mechanism.bodies.size()); ++i) {
    const Body& body = mechanism.bodies[static_cast<std::size_t>(i)];
    trammel::Link link;
    link.name = name(i);
    link.mass = body.mass;
    link.com = vector(body.com);
    const auto& I = body.inertia;
    link.inertia = {{I[0], I[1], I[2]}, {I[3], I[4], I[5]}};
    robot.links.push_back(link);
    trammel::Joint joint;
    joint.name = "j" + std::to_string(i);
    joint.type = type_of(body.joint);
    joint.parent = name(body.parent);
    joint.child = link.name;
    joint.at = pose(body.at);
    robot.joints.push_back(joint);
  }
  return build_model(robot, vector(mechanism.gravity));
}

inline trammel::System trammel_system(const Mechanism& mechanism) {
  using namespace trammel;
  System system(trammel_model(mechanism));
  for (const Closure& c : mechanism.closures) {
    const Frame A{"A", c.body_A, pose(c.A)}, B{"B", c.body_B, pose(c.B)};
    const std::string name = "closure " + std::to_string(system.constraints.size() + 1);
    switch (c.kind) {
      case ClosureKind::point:
        system.constrain(name, std::make_shared<Coincident>(BodyPoint(A), BodyPoint(B)));
        break;
      case ClosureKind::in_plane:
        system.constrain(name, std::make_shared<Coincident>(BodyPoint(A), BodyPoint(B), trammel::world,
                                                            Mat3<>::Identity().leftCols(2)));
        break;
      case ClosureKind::hinge:
        system.constrain(name, std::make_shared<HingeClosure>(A, B));
        break;
      case ClosureKind::pose:
        system.constrain(name, std::make_shared<Weld>(A, B));
    }
  }
  return system;
}

inline trammel::VecX<> column(const std::vector<double>& list) {
  return Eigen::Map<const trammel::VecX<>>(list.data(), static_cast<int>(list.size()));
}

/// The simulation of drive.h: RK4, every step projected onto the closures.
inline trammel::Simulation driven_run(const Mechanism& mechanism, std::function<void(const trammel::State&)> at_step) {
  trammel::System system = trammel_system(mechanism);
  const int driven = mechanism.driven;
  system.apply("motor", std::make_shared<trammel::FunctionForce>(
                            [driven](const trammel::Movement<double>& now, trammel::VecX<>& tau) {
                              tau[driven] += drive_torque(now.t);
                            }));
  trammel::SimulateOptions options;
  options.method = &trammel::rk4;
  options.step = drive_step;
  options.duration = drive_step * drive_steps;
  options.record_every = options.duration;
  options.at_step = std::move(at_step);
  const trammel::VecX<> q = column(mechanism.states[0].q);
  return simulate(system, {0, q, trammel::VecX<>::Zero(mechanism.nv)}, options);
}

}  // namespace peers
