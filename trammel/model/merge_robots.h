#pragma once

#include "trammel/model/description.h"

namespace trammel {

/// How a robot's root link stands in the world.
enum class Base { fixed, planar, floating };

/// One robot of several. With a name, it stands with a dot before every name of the robot: "left.q1".
struct Robot {
  RobotDescription description;
  std::string name;  // prefix; empty for none
  Base base = Base::fixed;
  Pose<> at;  // of the root link in the world (where its base joint has its zero)
};

/// Adds a robot to a description of many: its names with the prefix, and a joint that carries its root on "world", called
/// "base" (with the prefix) or, where it is fixed, "world to ROOT". A robot without a name whose joints hang on "world" stands
/// there already. `place` is where the robot was asked for. Throws Error where the robot's own description is wrong.
void add_robot(const Robot& robot, const Place& place, RobotDescription& out);

/// Whether a joint has "world" for its parent.
bool hangs_on_world(const RobotDescription& robot);
/// Joints may hang on "world" although no author gave such a link: gives the description one, without mass, if it has none.
void add_world_link(RobotDescription& robot);

}  // namespace trammel
