#pragma once

#include "trammel/math/sin_cos.h"
#include "trammel/math/spatial.h"
#include "trammel/math/triple.h"

namespace trammel {

/// A pose on its way through a kernel.
template <class Scalar>
struct PackedPose {
  using V3 = Packed<Scalar>;
  Columns<V3> R;
  V3 p;

  [[gnu::always_inline]] static PackedPose of(const Pose<Scalar>& X) { return {Columns<V3>::of(X.R), X.p}; }
  [[gnu::always_inline]] static PackedPose identity() { return {Columns<V3>::diagonal(Scalar(1.0)), V3::zero()}; }
  [[gnu::always_inline]] void store(Pose<Scalar>& X) const { R.store(X.R), p.store(X.p.data()); }
};

/// R Rz, given the sine and cosine of the angle: the frame R turned about its own z axis. Only two columns change.
template <class V>
[[gnu::always_inline]] inline Columns<V> turned_about_z(const Columns<V>& R, const SinCos<typename V::Scalar>& by) {
  const auto& [s, c] = by;
  return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
}

/// R Rx: the frame R turned about its own x axis.
template <class V>
[[gnu::always_inline]] inline Columns<V> turned_about_x(const Columns<V>& R, const SinCos<typename V::Scalar>& by) {
  const auto& [s, c] = by;
  return {R.x, R.y * c + R.z * s, R.z * c - R.y * s};
}

}  // namespace trammel
