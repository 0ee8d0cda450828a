#pragma once

#include "trammel/dynamics/kinematics.h"
#include "trammel/dynamics/world_inertias.h"

namespace trammel {

/// Quantities of the whole tree. Links that are fixed to the world count in none of them. Instantiated for double and Jet.

/// ½ Σ (m v² + ω·Iω) over the bodies, and ½ rotor v² over the joints; J.
template <class Scalar>
Scalar kinetic_energy(const Model& model, const VecX<Scalar>& v, const Kinematics<Scalar>& kin);

/// −Σ m g·c of the bodies' mass centres (zero at the world's origin), and ½ k (q − q₀)² of the joints' springs; J.
template <class Scalar>
Scalar potential_energy(const Model& model, const VecX<Scalar>& q, const Positions<Scalar>& where);

/// Kinetic energy and the potential of weight alone, J, from inertias along the world's axes that are at hand: the same, for less.
struct BodyEnergies {
  double kinetic = 0;  // as above
  double weight = 0;   // −Σ m g·c
  double terms = 0;    // Σ |m g·c|: what is rounded
};
BodyEnergies body_energies(const Model& model, const VecX<>& v, const Kinematics<>& kin,
                           const WorldInertias<>& at_hand);

/// The common mass centre, in the world; m. Of a model without mass: the origin.
template <class Scalar>
Vec3<Scalar> mass_centre(const Model& model, const Positions<Scalar>& where);

/// [angular momentum about the world's origin; linear momentum] of the bodies, in the world; N·m·s and N·s. Rotors are
/// left out: how they spin is not known.
template <class Scalar>
Vec6<Scalar> momentum(const Model& model, const Kinematics<Scalar>& kin);

}  // namespace trammel
