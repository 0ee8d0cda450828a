#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// A matrix row by row in memory: what meets the same operation in every column stands side by side.
template <class Scalar>
using RowMatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatX = RowMatrixOf<double>;

}  // namespace trammel
