#pragma once

#include "trammel/constraints/coincident.h"

namespace trammel {

/// Keeps point P on a straight line that is fixed in a body C or in the world, through point O along a: a pin in a
/// slot, a bead on a wire. Two rows at position level, with u and w across a, fixed in C, (u, w, a) right-handed:
///
///   φ₁ = u · (p_P − p_O),   φ₂ = w · (p_P − p_O)          m
///
/// the rows of Coincident along u and w (their rates and b stand there): the forces u and w at P and the opposite ones,
/// at the same place, on C. λ > 0 pushes P along u or w. The rows have no singular case.
class PointOnLine final : public Coincident {
 public:
  /// O and a in C's frame; throws Error unless a has a direction.
  PointOnLine(const BodyPoint& P, const BodyPoint& O, const Vec3<>& a_C);
};

}  // namespace trammel
