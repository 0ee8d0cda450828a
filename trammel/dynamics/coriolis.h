#pragma once

#include "trammel/dynamics/kinematics.h"

namespace trammel {

/// The Coriolis matrix C(q, v), nv × nv, in Christoffel form: C v are the velocity terms of the bias forces, and Ṁ − 2C is
/// skew. With J_i the spatial Jacobian of body i about the world's origin, V = J_i v, and I its inertia there,
///
///   C = Σ J_iᵀ (I J̇_i + B J_i),     B = ½ (V ×* I − I V × + (· ×* I V))
///
/// where B is the body's own Coriolis matrix: B V = V ×* I V and B + Bᵀ = İ. (Echeandia and Wensing, J. Comput. Nonlinear
/// Dyn. 16, 2021, show that this B gives Christoffel's C.) For joints with quaternions, whose v are not rates of
/// coordinates, C is the same expression and keeps both properties. O(bodies · nv²): for analysis and for control laws
/// that need C itself; the bias forces are cheaper by themselves.
MatX<> coriolis_matrix(const Model& model, const VecX<>& v, const Kinematics<>& kin);

}  // namespace trammel
