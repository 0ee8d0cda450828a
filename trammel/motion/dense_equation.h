#pragma once

#include "trammel/motion/equation.h"
#include "trammel/system/matrix_system.h"

namespace trammel {

/// The equation of motion of a system by its matrices, for the formulations that want them: M by composite bodies, Q by
/// Newton and Euler, A from the wrenches of the rows. The rows stand in the order of the system's constraints, physical
/// ones first; they are not weighted. Forces that constraints do by friction are left out.
Equation dense_equation(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                        const Baumgarte& baumgarte = {});

/// A and b (and which rows are physical) alone; M and Q are left empty.
Equation dense_constraints(const System& system, const Movement<double>& now, const Baumgarte& baumgarte = {});

/// Of a system that is given by its matrices.
Equation dense_equation(const MatrixSystem& system, const VecX<>& q, const VecX<>& v, double t = 0,
                        const Baumgarte& baumgarte = {});

}  // namespace trammel
