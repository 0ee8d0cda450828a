#pragma once

#include "trammel/dynamics/world_inertias.h"

namespace trammel {

template <class Scalar>
struct ArticulatedInertia;  // articulated_inertia.h

/// The articulated-body recursion as a factor of the mass matrix: M = L Lᵀ, without forming M.
///
/// With I_A the inertia that a body shows while everything it carries is free to give way, one column S of its joint is
/// eliminated after the other, the last one first:
///
///   U = I_A S,   D = S·U + rotor,   I_A ← I_A − U Uᵀ/D,       then  I_A(parent) += I_A, moved to the parent's origin.
///
/// A joint with several columns needs no block algebra: to eliminate them in turn is the Cholesky factorisation of its
/// block. With Û = U/√D, each pass visits every column once and costs O(nv):
///
///   L⁻¹  inward   y = (τ − S·p)/√D,   p ← p + Û y       p: the force that a body needs from its joint
///   L    inward   τ = √D y + S·p,     p ← p + Û y
///   L⁻ᵀ  outward  v̇ = (y − Û·a)/√D,   a ← a + S v̇       a: the acceleration that a body gets from its joint
///
/// The first column of a joint is the last that is eliminated, and what it changes goes straight to the parent: I_A and p are
/// moved there before, so that this does not wait for D and y; and Û·a is taken there, before a has come out to the body.
///
/// Vectors τ, y and v̇ are in the order of v. Instantiated for double, Jet, and lanes of states.
template <class Scalar = double>
struct ArticulatedFactor {
  explicit ArticulatedFactor(const Model& model);
  ArticulatedFactor(const ArticulatedFactor&);
  ArticulatedFactor(ArticulatedFactor&&) noexcept;
  ArticulatedFactor& operator=(const ArticulatedFactor&);
  ArticulatedFactor& operator=(ArticulatedFactor&&) noexcept;
  ~ArticulatedFactor();

  std::vector<Vec6<Scalar>> U;  // Û of each column, along the world's axes, about the body's origin; of a joint's first
                                // column about the parent's (of no use on the world)
  std::vector<Scalar> root_D, inverse_root_D;       // √D and 1/√D of each column
  std::vector<ArticulatedInertia<Scalar>> inertia;  // I_A of each body, its own columns but the first eliminated
};

/// Returns the first column met (from the leaves) whose D is zero to rounding: M is singular and the factor of no use.
/// Returns −1 when all is well.
template <class Scalar>
[[nodiscard]] int factorize(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                            ArticulatedFactor<Scalar>& out);

/// The same of M with `added` on its diagonal, an entry to each velocity, kg·m² or kg.
[[nodiscard]] int factorize_with(const VecX<>& added, const Model& model, const Positions<>& where,
                                 const WorldInertias<>& inertias, ArticulatedFactor<>& out);

/// One spatial vector per body: scratch of the passes, and the forces that they start from.
template <class Scalar = double>
using BodyVectors = std::vector<Vec6<Scalar>>;

/// y = L⁻¹(τ − Jᵀp), where p holds for each body the force [n; f] about its origin that it needs besides (zero for none).
/// Overwrites p.
template <class Scalar>
void apply_L_inverse(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                     const VecX<Scalar>& tau, BodyVectors<Scalar>& p, VecX<Scalar>& y);

/// The factor, and y = L⁻¹(τ − Jᵀp) in the same pass.
template <class Scalar>
[[nodiscard]] int factorize_and_apply(const Model& model, const Positions<Scalar>& where,
                                      const WorldInertias<Scalar>& inertias, const VecX<Scalar>& tau,
                                      ArticulatedFactor<Scalar>& out, BodyVectors<Scalar>& p, VecX<Scalar>& y);

/// y = L⁻¹e of the unit force e on a velocity: zero but for the joint's own velocities and those of its ancestors, which alone are
/// visited.
void apply_L_inverse_to_unit(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                             int velocity, VecX<>& y);

/// v̇ = L⁻ᵀ y.
template <class Scalar>
void apply_L_inverse_transpose(const Model& model, const Positions<Scalar>& where,
                               const ArticulatedFactor<Scalar>& factor, const VecX<Scalar>& y, BodyVectors<Scalar>& a,
                               VecX<Scalar>& vdot);

/// τ = L y.
template <class Scalar>
void apply_L(const Model& model, const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
             const VecX<Scalar>& y, BodyVectors<Scalar>& p, VecX<Scalar>& tau);

/// τ = L y and v̇ = L⁻ᵀ z side by side: one goes inward, the other outward, and neither waits for the other.
void apply_L_and_inverse_transpose(const Model& model, const Positions<>& where, const ArticulatedFactor<>& factor,
                                   const VecX<>& y, BodyVectors<>& p, VecX<>& tau, const VecX<>& z, BodyVectors<>& a,
                                   VecX<>& vdot);

}  // namespace trammel
