#include "trammel/constraints/point_on_plane.h"

#include "trammel/constraints/checks.h"

namespace trammel {

PointOnPlane::PointOnPlane(const BodyPoint& P, const BodyPoint& O, const Vec3<>& n_C)
    : Coincident(O, P, O.body, checked_direction(n_C, "the normal of a plane")) {}

}  // namespace trammel
