#pragma once

#include "trammel/dynamics/world_inertia.h"

namespace trammel {

/// A symmetric 6×6 inertia about some origin: what a body with free joints behind it shows.
///
///   [ J   Gᵀ ]      J: 3×3, symmetric, takes ω̇ to the moment
///   [ G   M  ]      M: 3×3, symmetric, takes v̇ to the force; G takes ω̇ to the force
template <class Scalar>
struct ArticulatedInertia {
  using V3 = Packed<Scalar>;
  Symmetric<Scalar> J, M;
  Columns<V3> G;

  [[gnu::always_inline]] void set(const WorldInertia<Scalar>& rigid) {
    J = rigid.about_origin;
    G = skew_columns(rigid.moment * -1.0);
    M = Symmetric<Scalar>::diagonal(rigid.mass);
  }
  /// The sum of a body's own and another one. (Differences, since to take zero away is no operation.)
  [[gnu::always_inline]] void set(const WorldInertia<Scalar>& rigid, const ArticulatedInertia& other) {
    J = rigid.about_origin + other.J;
    G = other.G - skew_columns(rigid.moment);
    M = other.M - Symmetric<Scalar>::diagonal(-rigid.mass);
  }
  [[gnu::always_inline]] void add(const ArticulatedInertia& other) {
    J = J + other.J;
    G = G + other.G;
    M = M + other.M;
  }

  [[gnu::always_inline]] Spatial<V3> operator*(const Spatial<V3>& V) const {
    const Spatial<V3> slide = times_slide(V.linear);
    return {J * V.angular + slide.angular, G * V.angular + slide.linear};
  }
  /// Of a motion that only turns, with ω at w.
  [[gnu::always_inline]] Spatial<V3> times_turn(const Scalar* w) const { return {J.times(w), G.times(w)}; }
  /// Of one that only slides.
  [[gnu::always_inline]] Spatial<V3> times_slide(const V3& v) const {
    return {V3(dot(G.x, v), dot(G.y, v), dot(G.z, v)), M * v};
  }

  /// Takes U Uᵀ/D away.
  [[gnu::always_inline]] void eliminate(const Spatial<V3>& U, const Scalar& inverse_D) {
    const Spatial<V3> W = U * inverse_D;
    J = J.minus_product(U.angular, W.angular);
    G = G.minus_product(U.linear, W.angular);
    M = M.minus_product(U.linear, W.linear);
  }

  /// The same about an origin from which this one's lies at r. With N = M [r]ᵀ,
  ///
  ///   G′ = G + N,   J′ = J + [r] G + ([r] G)ᵀ + [r] N
  ///
  /// and as [r] N is symmetric, the last three terms are Y + Yᵀ with Yᵀ = (G + N/2)ᵀ [r]ᵀ.
  [[gnu::always_inline]] ArticulatedInertia from(const Vec3<Scalar>& r) const {
    const Columns<V3> N = M.times_skew_transposed(r);
    const Columns<V3> P{G.x + N.x * 0.5, G.y + N.y * 0.5, G.z + N.z * 0.5};
    const Columns<V3> Yt = transpose(P).times_skew_transposed(r);
    return {J + Symmetric<Scalar>::with_transpose(Yt), M, G + N};
  }
};

}  // namespace trammel
