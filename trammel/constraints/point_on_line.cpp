#include "trammel/constraints/point_on_line.h"

#include "trammel/constraints/checks.h"

namespace trammel {

PointOnLine::PointOnLine(const BodyPoint& P, const BodyPoint& O, const Vec3<>& a_C)
    : Coincident(O, P, O.body, frame_with_z(checked_direction(a_C, "the direction of a line")).leftCols(2)) {}

}  // namespace trammel
