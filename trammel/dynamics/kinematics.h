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
/// Instantiated for double, Jet and Lanes.
template <class Scalar>
void kinematics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, Kinematics<Scalar>& out);

/// The velocity part alone, for positions that are already those of q. Instantiated for Jet.
template <class Scalar>
void velocities(const Model& model, const VecX<Scalar>& v, Kinematics<Scalar>& out);

/// One body of it; its parent has been moved.
template <class Scalar>
[[gnu::always_inline]] inline void move_body(const Body& body, int i, const VecX<Scalar>& v, Kinematics<Scalar>& out) {
  using V3 = Packed<Scalar>;
  using Twist = Spatial<V3>;
  const bool root = body.parent == world;
  const Twist parent = root ? Twist::zero() : Twist::of(out.motion[body.parent].V);
  const Twist abias = root ? Twist::zero() : Twist::of(out.motion[body.parent].abias);
  const Vec6<Scalar>* S = out.S.data() + body.v;
  const auto relative = [&](int part) {  // of S v
    V3 sum = V3::at(S[0].data() + part) * v[body.v];
    for (int k = 1; k < body.nv; ++k) sum = sum + V3::at(S[k].data() + part) * v[body.v + k];
    return sum;
  };

  const V3 r = out.bodies[i].r, w = parent.angular, wdot = abias.angular;
  const V3 w_rel = relative(0), wr = cross(w, r);
  V3 turning = wdot + cross(w, w_rel), linear = parent.linear + wr, twice = wr;
  if (body.nv > 1) turning = turning + joint_bias<Scalar>(body.type, S, v.data() + body.v);
  if (!body.turning) {
    const V3 v_rel = relative(3);
    linear = linear + v_rel, twice = twice + v_rel + v_rel;
  }
  Twist{w + w_rel, linear}.store(out.motion[i].V);
  Twist{turning, abias.linear + cross(wdot, r) + cross(w, twice)}.store(out.motion[i].abias);
}

}  // namespace trammel
