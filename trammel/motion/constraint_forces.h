#pragma once

#include "trammel/motion/data.h"

namespace trammel {

/// What the rows of constraint i of a set do with its multipliers `own`: on_body(b, F) for each of its bodies that moves, with the wrench
/// F = [n; f] = Wλ about the body's origin, along the world's axes; on_velocity(c, force) for each velocity on which it acts directly. The
/// rows are those of data.blocks.
template <class Own, class OnBody, class OnVelocity>
void for_each_force(const Data& data, const RowSet& set, std::size_t i, const Eigen::MatrixBase<Own>& own,
                    const OnBody& on_body, const OnVelocity& on_velocity) {
  const Constraint& law = *data.problem.system().constraints[set.constraints[i]].law;
  const std::span<const int> bodies = law.bodies(), velocities = law.velocities();
  const Rows& rows = data.blocks[i];
  for (std::size_t s = 0; s < bodies.size(); ++s)
    if (bodies[s] != world) on_body(bodies[s], Vec6<>(rows.wrenches_on(static_cast<int>(s)).lazyProduct(own)));
  for (std::size_t j = 0; j < velocities.size(); ++j) {
    double along = 0;  // a plain loop: few rows act on a velocity
    for (int k = 0; k < own.size(); ++k) along += rows.coefficients(k, static_cast<int>(j)) * own[k];
    on_velocity(velocities[j], along);
  }
}

}  // namespace trammel
