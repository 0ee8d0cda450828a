#include "trammel/constraints/point_on_sphere.h"

#include "trammel/constraints/templated_rows.h"

namespace trammel {

template class PositionConstraint<PointOnSphere>;
TRAMMEL_COMPILE_ROWS(PointOnSphere);

}  // namespace trammel
