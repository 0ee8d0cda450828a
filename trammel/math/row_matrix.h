#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// A row-major matrix: kernels apply one operation to neighbouring columns, which are contiguous in memory.
template <class Scalar>
using RowMatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatX = RowMatrixOf<double>;

}  // namespace trammel
