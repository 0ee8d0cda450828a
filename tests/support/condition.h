#pragma once

#include "trammel/motion/equation.h"

namespace trammel::test {

/// cond of A M^{−1/2} over its nonzero singular values, times that of M^{1/2}: what the answer can depend on, whatever
/// the formulation.
double condition(const Equation& e, int rank);

/// How far two motions are apart, over their size (or 1).
double difference(const Motion& a, const Motion& b);

}  // namespace trammel::test
