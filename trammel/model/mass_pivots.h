#pragma once

#include <optional>

#include "trammel/model/model.h"

namespace trammel {

/// Whether the mass matrix is positive definite at q, by the pivots of the articulated-body recursion (M = L D Lᵀ, leaves first):
///
///   U = I_A S,   D = S·U + rotor,   I_A ← I_A − U Uᵀ/D,   then  I_A(parent) += I_A, moved to the parent's origin.
///
/// M is positive definite where every D > 0. Returns the first body whose joint has another, or none. Velocities that move no mass at
/// all are passed over. For models yet to be judged: what runs use is dynamics/articulated_factor.h.
std::optional<int> indefinite_joint(const Model& model, const VecX<>& q);

}  // namespace trammel
