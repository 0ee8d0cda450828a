#pragma once

#include "trammel/constraints/coincident.h"

namespace trammel {

/// Keeps point P on a plane that is fixed in a body C or in the world, through point O with normal n: one row at
/// position level,
///
///   φ = n · (p_P − p_O)          m
///
/// the row of Coincident along n alone (its rates and b stand there): the force n at P and −n, at the same place, on C.
/// λ is the normal force, and λ > 0 pushes P along n. Held from both sides: where contact could be lost, λ < 0 says so.
/// The row has no singular case.
class PointOnPlane final : public Coincident {
 public:
  /// O and n in C's frame; throws Error unless n has a direction.
  PointOnPlane(const BodyPoint& P, const BodyPoint& O, const Vec3<>& n_C);
};

}  // namespace trammel
