#pragma once

#include <string>

#include "trammel/model/positions.h"

/// What robot_text and robot_json both tell.
namespace trammel::robot {

/// The frame that the robot's author gave to the link of a body.
const Pose<>& link_pose(const Model& model, int body);

/// The inertia of a body in its author's frame; the axis of its joint there.
Inertia<> link_inertia(const Model& model, int body);
Vec3<> link_axis(const Model& model, int body);

/// Where a frame stands in its author's frame of the link.
Pose<> pose_on_link(const Model& model, const Frame& frame);

/// "revolute", "continuous" …
std::string type_text(const Model& model, int body);

/// All moving bodies as one, every joint at zero: about the world's origin, along the world's axes.
Inertia<> whole_at_zero(const Model& model);

/// At a configuration.
struct AtConfiguration {
  AtConfiguration(const Model& model, const VecX<>& q);

  MatX<> M;
  VecX<> gravity_forces;    // N·m or N
  double potential_energy;  // J
  Vec3<> mass_centre;       // m
  Positions<> where;
};

}  // namespace trammel::robot
