#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel {

/// Something that acts on the robot besides gravity, the joints' own springs and friction, and the constraints. Users
/// derive their own; forces.h has the common ones.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds its generalised forces to tau, in the order of v; N·m or N.
  virtual void add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const = 0;

  /// J. Zero for a force without a potential: its work is what its power adds up to.
  virtual double potential_energy(const Placement<double>&) const { return 0; }
};

}  // namespace trammel
