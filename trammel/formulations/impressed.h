#pragma once

#include "trammel/motion/dense_equation.h"

namespace trammel {

/// A system at one moment, as far as it is common ground between formulations: where it stands and how it moves, its
/// rows A v̇ = b, and what is applied along its velocities. Neither M nor what motion and gravity do.
struct Impressed {
  Impressed(const System& system, const VecX<>& q, const VecX<>& v, double t, const Baumgarte& baumgarte);

  Kinematics<> kin;
  Equation rows;    // A and b
  VecX<> forces;    // of System::forces
  VecX<> springs;   // of the joints
  VecX<> friction;  // of the joints: dampers and Coulomb friction
};

}  // namespace trammel
