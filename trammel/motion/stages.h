#pragma once

#include "trammel/motion/data.h"

namespace trammel {

/// The stages of the equation of motion at one state after another, for runs and projections: by the tree, or by the matrices that
/// the problem is given by, whichever it is. With motors that track rows these give their torques first (torques.h), and the rows
/// meant here are those that are held.

/// Position, factor and rows at a state. False if the mass matrix is singular there.
[[nodiscard]] bool factorize(const State& at, Data& data);

/// Position and rows at another state; the factors stay.
void evaluate_rows(const State& at, Data& data);

/// Motors and motion at the placed state, from the factors: into data.motion.
void solve(Data& data);

/// All stages at a state. A singular mass matrix is reported by the status of data.motion.
void solve(double t, const VecX<>& q, const VecX<>& v, Data& data);
inline void solve(const State& at, Data& data) { solve(at.t, at.q, at.v, data); }

/// Of the rows that are held, as last evaluated: φ, and φ̇ or ψ.
inline auto held_phi(const Data& data) { return data.phi.head(data.held().set->rows); }
inline auto held_rate(const Data& data) { return data.rate.head(data.held().set->rows); }

/// λ of the rows that are held, for the motion that was just solved: the least where they are not unique (force_split.h).
Eigen::Ref<const VecX<>> held_multipliers(Data& data);

/// The reactions in the joints, for the motion that was just solved: what the guides of each put on its outer body, [n; f] about the
/// body's origin, along the world's axes, by the index of the body (reactions.h). None where the problem is given by its matrices.
std::span<const Vec6<>> joint_reactions(Data& data);

/// The least step in the metric of M that changes the rows by `change`: all of them, or those at position level alone.
void least_step(const VecX<>& change, Data& data, VecX<>& step);
void least_position_step(const VecX<>& change, Data& data, VecX<>& step);

/// What lengths are compared with at the placed state, m: the largest distance of a body's origin from that of the world, and
/// data.least_extent at least; 1 where the problem is given by its matrices.
double extent(const Data& data);

/// Of the motion that was just solved: the power, at the velocities v, of all forces that are not weight (W).
double power(const VecX<>& v, const Data& data);
/// At the placed state: kinetic energy at the velocities v, which a drift control may have corrected for the forces; that with the
/// potentials of weight and springs; the potential of springs alone (J).
double kinetic_energy(const VecX<>& v, const Data& data);
double energy(const VecX<>& v, const Data& data);
double spring_energy(const Data& data);

/// The parts of the energy at the placed state, for a balance of every step: those of the joints' springs, without those of forces.
struct EnergyParts {
  double kinetic = 0;    // J
  double potential = 0;  // J, of weight and of the joints' springs; none where the problem is given by its matrices
  double terms = 0;      // J, the sizes of all terms of both: what is rounded
};
EnergyParts energy_parts(const VecX<>& v, const Data& data);

/// Why there is no motion at the placed state, with the names of the constraints and forces that cause it.
std::string why_no_motion(const Data& data);
/// "path[1] (3e-09 of the strongest)": the row with the smallest pivot there; empty where none is below that part, or none is known.
std::string weakest_row(const Data& data, double below);

}  // namespace trammel
