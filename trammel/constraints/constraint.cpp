#include "trammel/constraints/constraint.h"

#include "trammel/constraints/body_point.h"

namespace trammel {

BodyPoint Constraint::point_of_force(const Positions<>&) const {
  for (const int body : bodies())
    if (body != world) return {body, Vec3<>::Zero()};
  return {};
}

}  // namespace trammel
