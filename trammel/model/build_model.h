#pragma once

#include <vector>

#include "trammel/model/merge_robots.h"
#include "trammel/model/model.h"

namespace trammel {

/// Checks the description and makes a model of it: links joined by fixed joints become one body, axes are turned to z, the
/// bodies are put in an order in which parents stand first. The root stands in the world.
/// Throws Error where the description is not a tree of physical bodies, or where a joint moves no mass at all.
Model build_model(const RobotDescription& description, const Vec3<>& gravity = {0, 0, -9.81});
/// The same of several robots (merge_robots.h).
Model build_model(const std::vector<Robot>& robots, const Vec3<>& gravity = {0, 0, -9.81});

}  // namespace trammel
