#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// How a point moves, all at once.
struct PointMotion {
  Vec3<> arm, p, v, abias;  // as BodyPoint has them

  PointMotion(const BodyPoint& P, const Kinematics<>& kin) : arm(P.arm<double>(kin)), p(arm) {
    if (P.body == world) {
      v = abias = Vec3<>::Zero();
      return;
    }
    const BodyMotion<>& motion = kin.motion[P.body];
    const Vec3<> w = motion.V.head<3>(), wr = cross(w, arm);
    p += kin.bodies[P.body].X_WB.p;
    v = motion.V.tail<3>() + wr;
    abias = motion.abias.tail<3>() + cross<double>(motion.abias.head<3>(), arm) + cross(w, wr);
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
