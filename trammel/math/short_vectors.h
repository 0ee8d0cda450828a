#pragma once

#include "trammel/math/vector.h"

/// Two numbers at a time, in arrays of any size. Eigen's own loops, for sizes that are known only at run time, spend more on
/// how to begin than on a dozen numbers.
namespace trammel::short_vectors {

using Pair = Eigen::Array<double, 2, 1>;
using ConstPairAt = Eigen::Map<const Pair, Eigen::Aligned16>;
using PairAt = Eigen::Map<Pair, Eigen::Aligned16>;

}  // namespace trammel::short_vectors
