#pragma once

#include <optional>
#include <span>

#include "trammel/model/model.h"

namespace trammel {

/// The velocity that an idle one (Model::idle_velocities) follows by its mimic, and the mimics of what it follows, until one that moves mass:
/// v = multiplier·v[velocity].
struct Leader {
  int velocity;
  double multiplier;
};
/// None where no mimic leads it, or only to another that moves no mass.
std::optional<Leader> leader_of(const Model& model, int idle);

/// Rotor inertias that make the mass matrix regular where joints move no mass. An idle velocity k of `held`, whose mimics hold, borrows ρ from
/// what it follows, v_k = m v_s:
///
///   M_kk + ρ,   M_ss − m²ρ          vᵀM v, and with it the motion, stays the same; the mimic's force changes by ρ v̇_k
///
/// with ρ a millionth of M_ss. Any other is lent a millionth of the largest inertia that a joint of its kind moves: by that it stays where it
/// is, unless something drives it. What has a rotor inertia is not idle. Zero for all other velocities.
VecX<> lent_inertia(const Model& model, std::span<const char> held);

}  // namespace trammel
