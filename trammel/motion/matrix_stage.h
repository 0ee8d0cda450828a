#pragma once

#include <optional>

#include "trammel/motion/dense_factor.h"
#include "trammel/system/matrix_system.h"

namespace trammel {

/// A problem that is given by its matrices, at one state.
struct MatrixStage {
  explicit MatrixStage(const MatrixSystem& system) : rows(system), M(system.size(), system.size()), Q(system.size()) {}

  MatrixRows rows;
  MatX<> M;
  VecX<> Q;
  std::optional<DenseFactor> factor;  // of M and the rows
};

}  // namespace trammel
