#pragma once

#include "trammel/constraints/direction_product.h"
#include "trammel/math/lanes.h"
#include "trammel/math/packed_triple.h"

namespace trammel {

/// How a point moves, all at once. In this header vectors are what kernels compute with (triple.h); it is not installed.
template <class Scalar>
struct PointMotion {
  using V3 = Packed<Scalar>;
  V3 arm, p, v, abias;  // as BodyPoint has them

  PointMotion(const BodyPoint& P, const Kinematics<Scalar>& kin)
      : arm(Scalar(P.p_BP[0]), Scalar(P.p_BP[1]), Scalar(P.p_BP[2])), p(arm), v(V3::zero()), abias(v) {
    if (P.body == world) return;
    const Pose<Scalar>& X_WB = kin.bodies[P.body].X_WB;
    const auto V = Spatial<V3>::of(kin.motion[P.body].V), A = Spatial<V3>::of(kin.motion[P.body].abias);
    const auto R = Columns<V3>::of(X_WB.R);
    arm = R.x * P.p_BP[0] + R.y * P.p_BP[1] + R.z * P.p_BP[2];
    p = V3(X_WB.p) + arm;
    const V3 wr = cross(V.angular, arm);
    v = V.linear + wr;
    abias = A.linear + cross(A.angular, arm) + cross(V.angular, wr);
  }
};

/// How a direction moves: e, ω × e, and ω̇ × e + ω × (ω × e) at v̇ = 0.
template <class Scalar>
struct DirectionMotion {
  using V3 = Packed<Scalar>;
  V3 e, rate, abias;

  DirectionMotion(const BodyDirection& d, const Kinematics<Scalar>& kin)
      : e(Scalar(d.d_B[0]), Scalar(d.d_B[1]), Scalar(d.d_B[2])), rate(V3::zero()), abias(rate) {
    if (d.body == world) return;
    const auto R = Columns<V3>::of(kin.bodies[d.body].X_WB.R);
    e = R.x * d.d_B[0] + R.y * d.d_B[1] + R.z * d.d_B[2];
    const V3 w = V3::at(kin.motion[d.body].V.data()), wdot = V3::at(kin.motion[d.body].abias.data());
    rate = cross(w, e);
    abias = cross(wdot, e) + cross(w, rate);
  }
};

/// Fills row k for φ = x · y − level (direction_product.h); x's body and y's are the two parts that are touched.
template <class Scalar>
void fill_product_row(const DirectionProduct& product, const Kinematics<Scalar>& kin, double level, int k,
                      const BodyList& touched, RowsOf<Scalar>& out) {
  const DirectionMotion<Scalar> x(product.x, kin), y(product.y, kin);
  out.phi[k] = dot(x.e, y.e) - level;
  out.rate[k] = dot(x.rate, y.e) + dot(x.e, y.rate);
  out.b[k] = -dot(x.abias, y.e) - dot(x.rate, y.rate) * 2.0 - dot(x.e, y.abias);
  Vec3<Scalar> moment;
  cross(y.e, x.e).store(moment.data());
  const Vec3<Scalar> no_force = Vec3<Scalar>::Zero();
  touched.put<Scalar>(0, k, spatial<Scalar>(-moment, no_force), out);
  touched.put<Scalar>(1, k, spatial<Scalar>(moment, no_force), out);
}

}  // namespace trammel
