#pragma once

#include "trammel/dynamics/kinematics.h"
#include "trammel/model/place_joint.h"

namespace trammel {

/// One body of kinematics(); its parent has been moved.
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
