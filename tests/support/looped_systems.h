#pragma once

#include <memory>

#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/tree_motion.h"
#include "trammel/system/forces.h"

namespace trammel::test {

// A few constraints across a robot.
void constrain_randomly(Random& random, System& system);

// A random tree with a few constraints across it.
System random_system(Random& random);

// The same with everything in it that can act: springs, dampers, friction and rotors in some joints, and forces that
// depend on where it stands and how it moves.
System random_busy_system(Random& random);

// The four-bar of the tests: all axes along z of a frame tilted by 30° about x, closed in space though it is planar.
// `off` turns the last joint out of the plane, as rounded angles in a file do; q is where the loop closes at off = 0.
System tilted_four_bar(VecX<>& q, double off = 0);

}  // namespace trammel::test
