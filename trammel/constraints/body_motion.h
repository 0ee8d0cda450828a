#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// How a point moves, all at once.
struct PointMotion {
  using V3 = Packed<double>;
  V3 arm, p, v, abias;  // as BodyPoint has them

  PointMotion(const BodyPoint& P, const Kinematics<>& kin) : arm(P.p_BP), p(arm), v(V3::zero()), abias(v) {
    if (P.body == world) return;
    const Pose<>& X_WB = kin.bodies[P.body].X_WB;
    const auto V = Spatial<V3>::of(kin.motion[P.body].V), A = Spatial<V3>::of(kin.motion[P.body].abias);
    arm = Columns<V3>::of(X_WB.R).times(P.p_BP.data());
    p = V3(X_WB.p) + arm;
    const V3 wr = cross(V.angular, arm);
    v = V.linear + wr;
    abias = A.linear + cross(A.angular, arm) + cross(V.angular, wr);
  }
};

/// How a direction moves: e, ω × e, and ω̇ × e + ω × (ω × e) at v̇ = 0.
struct DirectionMotion {
  Vec3<> e, rate, abias;

  DirectionMotion(const BodyDirection& d, const Kinematics<>& kin) : e(d.direction<double>(kin)) {
    if (d.body == world) {
      rate = abias = Vec3<>::Zero();
      return;
    }
    const Vec3<> w = angular_velocity(kin, d.body);
    rate = cross(w, e);
    abias = cross(angular_bias(kin, d.body), e) + cross(w, rate);
  }
};

}  // namespace trammel
