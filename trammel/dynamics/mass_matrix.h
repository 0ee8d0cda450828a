#pragma once

#include "trammel/dynamics/world_inertias.h"

namespace trammel {

/// The mass matrix M(q) by the composite-rigid-body algorithm: with I_i the inertia of all that joint i carries, the force that gives it unit
/// acceleration along S_i is F = I_i S_i, and M_ij = S_j · F for each column j of that joint and of those inward of it. The
/// rotor inertias are added to the diagonal. `carried` is scratch; M is nv × nv and written in full.
template <class Scalar>
void mass_matrix(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                 WorldInertias<Scalar>& carried, MatX<Scalar>& M);

MatX<> mass_matrix(const Model& model, const VecX<>& q);

}  // namespace trammel
