#pragma once

#include "trammel/dynamics/world_inertias.h"
#include "trammel/math/packed_triple.h"

namespace trammel {

/// The inertia of one body (inertia.h) about its origin, along the world's axes.
template <class Scalar>
struct WorldInertia {
  using V3 = Packed<Scalar>;
  Scalar mass;                     // kg
  V3 moment;                       // h, kg·m
  Symmetric<Scalar> about_origin;  // I, kg·m²

  /// R I Rᵀ, of a body that stands at R.
  [[gnu::always_inline]] void set(const Inertia<>& body, const Mat3<Scalar>& stored) {
    const Columns<V3> R = Columns<V3>::of(stored);
    mass = body.mass;
    const Vec3<>& h = body.moment;
    const Symmetric3<>& I = body.about_origin;
    moment = R.x * h[0] + R.y * h[1] + R.z * h[2];
    const Columns<V3> RI{R.x * I.xx + R.y * I.xy + R.z * I.xz, R.x * I.xy + R.y * I.yy + R.z * I.yz,
                         R.x * I.xz + R.y * I.yz + R.z * I.zz};
    about_origin = Symmetric<Scalar>::times_transposed(RI, stored);
  }

  /// Momentum of the velocity V: [I ω + h × v; m v − h × ω].
  [[gnu::always_inline]] Spatial<V3> operator*(const Spatial<V3>& V) const {
    return {about_origin * V.angular + cross(moment, V.linear), V.linear * mass - cross(moment, V.angular)};
  }

  /// Adds another body, whose origin lies at r from this one's: with k = h + m r/2 (of the other),
  /// h += h + m r,   I += I + 2 (k·r) 1 − k rᵀ − r kᵀ.
  [[gnu::always_inline]] void add_moved(const WorldInertia& o, const V3& r) {
    const V3 k = o.moment + r * (o.mass * 0.5);
    const auto shift = Symmetric<Scalar>::diagonal(dot(k, r) * 2.0).minus_product(k, r).minus_product(r, k);
    about_origin = about_origin + (o.about_origin + shift);
    moment = moment + o.moment + r * o.mass;
    mass += o.mass;
  }
};

template <class Scalar>
inline void world_inertias(const Model& model, const Positions<Scalar>& where, WorldInertias<Scalar>& out) {
  for (int i = 0; i < model.body_count(); ++i)
    if (const Body& body = model.bodies()[i]; !body.massless) out.bodies[i].set(body.inertia, where.bodies[i].X_WB.R);
}

}  // namespace trammel
