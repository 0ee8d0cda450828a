#pragma once

#include <vector>

#include "trammel/model/positions.h"

namespace trammel {

/// How a body moves, about its origin, along the world's axes.
template <class Scalar = double>
struct BodyMotion {
  Vec6<Scalar> V;  // [ω; v], rad/s and m/s
  Vec6<Scalar>
      abias;  // [ω̇; v̇] at joint accelerations v̇ = 0, rad/s² and m/s²: J̇v, the acceleration of the origin as a point
};

/// Where every body stands and how it moves at (q, v). What needs only q asks for Positions, of which this is one.
template <class Scalar = double>
struct Kinematics : Positions<Scalar> {
  explicit Kinematics(const Model& model) : Positions<Scalar>(model), motion(model.body_count()) {}
  std::vector<BodyMotion<Scalar>> motion;
};

/// Outward from the world, with ω_rel, v_rel = S v the joint's own velocity and r the step from the parent's origin:
///
///   ω = ω_P + ω_rel                    v = v_P + ω_P × r + v_rel
///   ω̇ = ω̇_P + ω_P × ω_rel + Ṡv         v̇ = v̇_P + ω̇_P × r + ω_P × (ω_P × r + 2 v_rel)
///
/// Instantiated for double, Jet, and lanes of states.
template <class Scalar>
void kinematics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, Kinematics<Scalar>& out);

/// The velocity part alone, for positions that are already those of q. Instantiated for Jet.
template <class Scalar>
void velocities(const Model& model, const VecX<Scalar>& v, Kinematics<Scalar>& out);

}  // namespace trammel
