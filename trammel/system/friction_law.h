#pragma once

#include "trammel/constraints/bound_expression.h"
#include "trammel/system/working_force.h"

namespace trammel {

/// Friction by a law of one's own (working_force.h): F is an expression of |f|, |u|, the time and inputs, such as 0.1*normal + 0.02*speed.
class FrictionLaw final : public SlidingFriction {
 public:
  /// The expression's inputs are those of the system and, behind them, those that input_names() adds. Throws Error if it looks at the robot.
  FrictionLaw(const Constraint& law, BoundExpression force, const BodyPoint& contact, int other_body = world,
              double creep_speed = friction_speed);

  /// Those of the system, and `normal` and `speed`.
  static std::vector<std::string> input_names(std::vector<std::string> of_system);

 private:
  double size(const Movement<double>& now, double normal, double speed) const override;

  BoundExpression force_;
};

}  // namespace trammel
