#pragma once

#include <vector>

#include "trammel/model/model.h"

namespace trammel {

/// How a robot's root link stands in the world.
enum class Base { fixed, planar, floating };

/// One robot of a model. With several, `name` stands before every name of the robot: "left.q1".
struct Robot {
  RobotDescription description;
  std::string name;  // prefix; empty for none
  Base base = Base::fixed;
  Pose<> at;  // of the root link in the world (where its base joint has its zero)
};

/// Checks the descriptions and makes one model of them: links joined by fixed joints become one body, axes are turned to
/// z, the bodies are put in an order in which parents stand first. A base that is not fixed is carried by a joint "base".
/// Throws Error where a description is not a tree of physical bodies, or where a joint moves no mass at all.
Model build_model(const std::vector<Robot>& robots, const Vec3<>& gravity = {0, 0, -9.81});
Model build_model(const RobotDescription& description, const Vec3<>& gravity = {0, 0, -9.81});

}  // namespace trammel
