#pragma once

#include "trammel/math/packed_triple.h"
#include "trammel/math/spatial.h"

namespace trammel {

/// A pose in the registers of a kernel.
template <class Scalar>
struct PackedPose {
  using V3 = Packed<Scalar>;
  Columns<V3> R;
  V3 p;

  [[gnu::always_inline]] static PackedPose of(const Pose<Scalar>& X) { return {Columns<V3>::of(X.R), X.p}; }
  [[gnu::always_inline]] static PackedPose identity() { return {Columns<V3>::diagonal(Scalar(1.0)), V3::zero()}; }
  [[gnu::always_inline]] void store(Pose<Scalar>& X) const { R.store(X.R), p.store(X.p.data()); }
};

}  // namespace trammel
