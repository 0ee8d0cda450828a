#pragma once

#include "trammel/model/model.h"

namespace trammel::test {

/// The textbook's route to the equations of motion, M(q) q̈ + C(q, q̇) q̇ + G(q) = τ, by the product of exponentials, after
/// Murray, Li and Sastry: a check on the recursive algorithms, with which it shares only the model. For trees of joints
/// with one coordinate.
///
/// With ξ_i the twist of joint i in the world at q = 0, E_i = e^{ξ̂_j q_j} … e^{ξ̂_i q_i} along the joints that carry body i,
/// M′_l the 6×6 inertia of body l in the world at q = 0, and A_ij = Ad(E_i⁻¹ E_j) where joint j carries body i, else 0:
///
///   M_ij = Σ_l ξ_iᵀ A_liᵀ M′_l A_lj ξ_j                                                        (eq. 27)
///   ∂M_ij/∂q_k = Σ_l ( [A_ki ξ_i, ξ_k]ᵀ A_lkᵀ M′_l A_lj ξ_j + ξ_iᵀ A_liᵀ M′_l A_lk [A_kj ξ_j, ξ_k] )
///   C_ij = ½ Σ_k (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_kj/∂q_i) q̇_k                                    (eq. 30)
///   G_i = ∂V/∂q_i,  V = −Σ_l m_l g·c_l                                                          (eq. 31)
///
/// (The paper prints eqs. 26 and 30 with slips; these are the corrected forms.) Rotor inertias stand on M's diagonal.
struct TextbookDynamics {
  MatX<> M, C;
  VecX<> G;
};

/// Throws Error if a joint has more than one coordinate. O(n⁴): small robots only.
TextbookDynamics textbook_dynamics(const Model& model, const VecX<>& q, const VecX<>& qdot);

}  // namespace trammel::test
