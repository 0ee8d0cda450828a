#pragma once

#include "trammel/math/sin_cos.h"
#include "trammel/math/vector.h"

namespace trammel {

/// A sine/cosine table: those of every entry of a vector, each in an array of its own, so that the kernels that place joints
/// compute none.
template <class Scalar>
struct SinCosTable {
  explicit SinCosTable(Eigen::Index size) : sin(size), cos(size) {}
  VecX<Scalar> sin, cos;

  /// The entries from the i-th on.
  SinCosAt<Scalar> at(Eigen::Index i) const { return {sin.data() + i, cos.data() + i}; }
};

}  // namespace trammel
