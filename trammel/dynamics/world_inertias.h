#pragma once

#include "trammel/model/positions.h"

namespace trammel {

/// The inertia of every body about its origin, along the world's axes, at given positions.
template <class Scalar = double>
struct WorldInertias {
  explicit WorldInertias(const Model& model) : bodies(model.body_count()) {}
  std::vector<Inertia<Scalar>> bodies;
};

template <class Scalar>
inline void world_inertias(const Model& model, const Positions<Scalar>& where, WorldInertias<Scalar>& out) {
  for (int i = 0; i < model.body_count(); ++i)
    out.bodies[i] = model.bodies()[i].inertia.rotated(where.bodies[i].X_WB.R);
}

}  // namespace trammel
