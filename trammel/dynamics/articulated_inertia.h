#pragma once

#include "trammel/dynamics/world_inertias.h"

namespace trammel {

/// A symmetric 6×6 inertia about some origin: what a body with free joints behind it shows.
///
///   [ J   Gᵀ ]      J: 3×3, symmetric, takes ω̇ to the moment
///   [ G   M  ]      M: 3×3, symmetric, takes v̇ to the force; G takes ω̇ to the force
template <class Scalar>
struct ArticulatedInertia {
  using V3 = Packed<Scalar>;
  Columns<V3> J, G, M;

  [[gnu::always_inline]] void set(const WorldInertia<Scalar>& rigid) {
    J.x = rigid.about_origin.x, J.y = rigid.about_origin.y, J.z = rigid.about_origin.z;
    G = skew_columns(rigid.moment * -1.0);
    M = Columns<V3>::diagonal(rigid.mass);
  }

  [[gnu::always_inline]] Spatial<V3> operator*(const Spatial<V3>& V) const {
    const V3 Gt_v{dot(G.x, V.linear), dot(G.y, V.linear), dot(G.z, V.linear)};
    return {J * V.angular + Gt_v, G * V.angular + M * V.linear};
  }
  /// Of a motion that only turns, with ω at w.
  [[gnu::always_inline]] Spatial<V3> times_turn(const Scalar* w) const { return {J.times(w), G.times(w)}; }

  /// Takes U Uᵀ/D away.
  [[gnu::always_inline]] void eliminate(const Spatial<V3>& U, const Scalar& inverse_D) {
    const Spatial<V3> W = U * inverse_D;
    J = J.minus_product(U.angular, W.angular);
    G = G.minus_product(U.linear, W.angular);
    M = M.minus_product(U.linear, W.linear);
  }

  /// Adds another one, whose origin lies at r from this one's. With N = M [r]ᵀ (of the other),
  ///
  ///   M += M,   G += G + N,   J += J + [r] G + ([r] G)ᵀ + [r] N
  ///
  /// and as [r] N is symmetric, the last three terms are Y + Yᵀ with Yᵀ = (G + N/2)ᵀ [r]ᵀ.
  [[gnu::always_inline]] void add_moved(const ArticulatedInertia& o, const Vec3<Scalar>& r) {
    const Columns<V3> N = o.M.times_skew_transposed(r), G_o = o.G + N;
    const Columns<V3> P{o.G.x + N.x * 0.5, o.G.y + N.y * 0.5, o.G.z + N.z * 0.5};
    const Columns<V3> Yt = transpose(P).times_skew_transposed(r);
    J = J + o.J + (Yt + transpose(Yt));
    G = G + G_o;
    M = M + o.M;
  }
};

}  // namespace trammel
