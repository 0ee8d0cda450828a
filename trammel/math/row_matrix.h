#pragma once

#include "trammel/math/vector.h"

namespace trammel {

/// A matrix row by row in memory: what meets the same operation in every column stands side by side.
using RowMatX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace trammel
