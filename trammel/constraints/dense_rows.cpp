#include "trammel/constraints/dense_rows.h"

#include "trammel/dynamics/frame_motion.h"

namespace trammel {

void dense_rows(const Model& model, const Positions<>& where, const Constraint& constraint, const Rows& rows,
                Eigen::Ref<MatX<>> A) {
  const int m = constraint.rows();
  A.setZero();
  for (std::size_t s = 0; s < constraint.bodies().size(); ++s)
    for (int k = 0; k < m; ++k)
      add_generalised_force(model, where, constraint.bodies()[s], rows.wrench(static_cast<int>(s), k),
                            A.row(k).transpose());
  for (std::size_t j = 0; j < constraint.velocities().size(); ++j)
    A.col(constraint.velocities()[j]) += rows.coefficients.col(static_cast<int>(j));
}

}  // namespace trammel
