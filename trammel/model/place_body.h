#pragma once

#include "trammel/model/place_joint.h"
#include "trammel/model/positions.h"

namespace trammel {

/// One body of positions(); its parent has been placed, and the sines and cosines of q are there.
template <class Scalar>
[[gnu::always_inline]] inline void place_body(const Body& body, int i, const VecX<Scalar>& q, Positions<Scalar>& out) {
  using V3 = Packed<Scalar>;
  const bool root = body.parent == world;
  const PackedPose<Scalar> X_WP =
      root ? PackedPose<Scalar>::identity() : PackedPose<Scalar>::of(out.bodies[body.parent].X_WB);
  // X_PF is made of plain numbers whatever the scalar
  const V3 &x = X_WP.R.x, &y = X_WP.R.y, &z = X_WP.R.z;
  const Mat3<>& R = body.X_PF.R;
  const Vec3<>& p = body.X_PF.p;
  const PackedPose<Scalar> X_WF{{x * R(0, 0) + y * R(1, 0) + z * R(2, 0), x * R(0, 1) + y * R(1, 1) + z * R(2, 1),
                                 x * R(0, 2) + y * R(1, 2) + z * R(2, 2)},
                                X_WP.p + (x * p[0] + y * p[1] + z * p[2])};
  const PackedPose<Scalar> X_WB =
      place_joint<Scalar>(body.type, body.pitch, q.data() + body.q, out.turns.at(body.q), X_WF, out.S.data() + body.v);
  X_WB.store(out.bodies[i].X_WB);
  (X_WB.p - X_WP.p).store(out.bodies[i].r.data());
}

}  // namespace trammel
