#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel::test {

/// The largest difference between the rows of a constraint in lanes and on doubles, over 1 + the size of the latter: at states
/// column by column in q and v, as many as there are lanes. Infinite where the kind is not compiled for lanes.
double difference_in_lanes(const Model& model, const Constraint& law, const MatX<>& q, const MatX<>& v, double t,
                           std::span<const double> inputs = {});

}  // namespace trammel::test
