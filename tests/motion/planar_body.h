#pragma once

#include "trammel/model/build_model.h"

namespace trammel::test {

/// One body that moves in the world's xy plane: q = (x, y, angle) of its frame, v = q̇. J about the mass centre.
inline RobotDescription planar_body(double mass, double J, const Vec3<>& com = Vec3<>::Zero(), const Pose<>& at = {}) {
  RobotDescription robot;
  robot.name = "planar body";
  Link link;
  link.name = "body";
  link.mass = mass;
  link.com = com;
  link.inertia = {J, J, J};
  robot.links.push_back(link);
  Joint joint;
  joint.name = "plane";
  joint.type = JointType::planar;
  joint.parent = "world";
  joint.child = "body";
  joint.at = at;
  robot.joints.push_back(joint);
  return robot;
}

}  // namespace trammel::test
