#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trammel/constraints/constraint.h"

namespace trammel {

/// Physical constraints hold whatever happens; control constraints act inside the motions that those leave free.
enum class Layer { physical, control };

struct NamedConstraint {
  std::string name;
  std::shared_ptr<const Constraint> law;
  Layer layer = Layer::physical;
  double scale = 1;  // weighs its rows besides their own scale; matters only where rows contradict each other
};

/// Adds what acts on the robot besides gravity, its joints' own springs and friction, and the constraints: generalised forces
/// on top of those in tau, in the order of v.
using AppliedForce = std::function<void(const Movement<double>& now, VecX<>& tau)>;

/// A robot, what acts on it and what must hold.
struct System {
  explicit System(Model robot) : model(std::move(robot)) {}

  Model model;
  std::vector<AppliedForce> forces;
  std::vector<NamedConstraint> constraints;

  /// Adds a constraint; throws Error if the name is taken.
  void constrain(const std::string& name, std::shared_ptr<const Constraint> law, Layer layer = Layer::physical,
                 double scale = 1);
};

}  // namespace trammel
