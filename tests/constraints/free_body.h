#pragma once

#include "support/random_robot.h"

namespace trammel::test {

inline constexpr double gravity = 9.81;  // m/s²

/// One free body, its frame at the mass centre: q = (p, quaternion), v = (ṗ, ω in the body).
inline RobotDescription free_body(double mass, const Vec3<>& inertia) {
  RobotDescription robot;
  robot.name = "free body";
  Link link;
  link.name = "body";
  link.mass = mass;
  link.inertia = {inertia[0], inertia[1], inertia[2]};
  robot.links.push_back(link);
  Joint joint;
  joint.name = "free";
  joint.type = JointType::floating;
  joint.parent = "world";
  joint.child = "body";
  robot.joints.push_back(joint);
  return robot;
}

inline VecX<> free_coordinates(const Vec3<>& p, const Mat3<>& R) {
  VecX<> q(7);
  q << p, quaternion_from_rotation(R);
  return q;
}

/// From the velocity of the origin and the angular velocity, both in the world.
inline VecX<> free_velocities(const Mat3<>& R, const Vec3<>& v, const Vec3<>& w) {
  VecX<> out(6);
  out << v, R.transpose() * w;
  return out;
}

}  // namespace trammel::test
