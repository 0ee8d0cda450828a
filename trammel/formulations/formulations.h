#pragma once

#include "trammel/motion/equation.h"
#include "trammel/system/system.h"

namespace trammel {

/// The same motion by other mechanics: each starts from something different, and all must agree to round-off. They are
/// for checking and comparing, and take no care to be fast. udwadia_kalaba (motion/equation.h) is the one that runs use.
///
/// All take the rows in one layer. Rows that follow from others are no obstacle (`redundant`). Rows that contradict
/// each other are met in part, each formulation in its own way, and the status says `contradictory`; where the motion
/// is not determined it says `singular`, and the motion is not written. Friction of constraints (working_force.h) is
/// left out.

/// The formula as printed: Qc = M^{1/2} (A M^{−1/2})⁺ (b − A M⁻¹Q), roots by eigenvalues, pseudo-inverse by singular
/// values. One layer: the rows are stacked. Where M is singular, M^{−1/2} does not exist, and the status is `singular`.
[[nodiscard]] Motion literal(const Equation& equation, const RankTolerance& tolerance = {});

/// Lagrange's multipliers: [M −Aᵀ; A 0] [v̇; λ] = [Q; b]. Rows that depend on each other make it singular, and it says so.
[[nodiscard]] Motion multipliers(const Equation& equation);

/// Maggi: the rows are kept by construction. Z spans the motions that they allow, A Z = 0, ZᵀZ = 1 (QR of Aᵀ), and g is
/// the least acceleration that they ask for, A g = b:
///
///   v̇ = g + Z u̇,      ZᵀM Z u̇ = Zᵀ(Q − M g),      Qc = M v̇ − Q
///
/// M may be singular where ZᵀM Z is not.
[[nodiscard]] Motion maggi(const Equation& equation, const RankTolerance& tolerance = {});

/// Lagrange: everything from the energies T and V. In exponential coordinates x about the present configuration, q ⊕ x,
///
///   d/dt ∂T/∂ẋ − ∂T/∂x + ∂V/∂x = Q + Aᵀλ
///
/// where at x = 0 ẋ = v, ẍ = v̇ and forces along x are forces along v. λ of an independent set of the rows.
[[nodiscard]] Motion lagrange(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                              const MotionOptions& options = {});

/// Kane: forces on each body at its mass centre, by its partial velocities. Of the speeds, as many as there are rows
/// depend on the others (A's own columns, by pivoting); along each independent speed active and inertia forces balance.
[[nodiscard]] Motion kane(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                          const MotionOptions& options = {});

/// Absolute coordinates: each body by itself, Newton and Euler at its mass centre, each joint six rows beside the
/// system's own, and the joints' velocities as unknowns of their own, which carry rotors and joint forces:
///
///   [ M  −Cᵀ ] [ α, a of each body; v̇ ]   [ forces ]
///   [ C   0  ] [ multipliers          ] = [ d      ]
[[nodiscard]] Motion absolute(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                              const MotionOptions& options = {});

}  // namespace trammel
