#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel {

/// A force of several states side by side, one to a SIMD lane. (Its header is not installed.)
struct ForceInLanes;

/// Something that acts on the robot besides gravity, the joints' own springs and friction, and the constraints. Users
/// derive their own; forces.h has the common ones.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds its generalised forces to tau, in the order of v; N·m or N.
  virtual void add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const = 0;

  /// The same in lanes; null for forces that know doubles alone, which are asked state by state.
  virtual const ForceInLanes* in_lanes() const { return nullptr; }

  /// Adds the wrenches that it puts on bodies, [n; f] about their origins, along the world's axes, by the index of the body. Whatever else
  /// it does acts between a body and its parent, along the freedoms of their joint, and loads no bearing; by default all of it does.
  virtual void add_wrenches(const Movement<double>&, std::span<Vec6<>>) const {}

  /// The velocity on which it acts, where it acts on but one; else -1.
  virtual int only_velocity() const { return -1; }

  /// J. Zero for a force without a potential: its work is what its power adds up to.
  virtual double potential_energy(const Placement<double>&) const { return 0; }
};

/// Base of a force that is one template: `template <class Scalar> void add(const Model&, const Movement<Scalar>&, VecX<Scalar>& tau)
/// const`. For forces of this library: they are compiled for every scalar in forces.cpp.
template <class Kind>
class TemplatedForce : public Force {
 public:
  void add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const final;
  const ForceInLanes* in_lanes() const final;
};

}  // namespace trammel
