#pragma once

#include "trammel/model/positions.h"

namespace trammel {

template <class Scalar>
struct WorldInertia;  // world_inertia.h

/// The inertia of every body about its origin, along the world's axes, at given positions. For double, Jet, and lanes of states.
template <class Scalar = double>
struct WorldInertias {
  explicit WorldInertias(const Model& model);
  WorldInertias(const WorldInertias&);
  WorldInertias(WorldInertias&&) noexcept;
  WorldInertias& operator=(const WorldInertias&);
  WorldInertias& operator=(WorldInertias&&) noexcept;
  ~WorldInertias();

  std::vector<WorldInertia<Scalar>> bodies;
};

template <class Scalar>
void world_inertias(const Model& model, const Positions<Scalar>& where, WorldInertias<Scalar>& out);

}  // namespace trammel
