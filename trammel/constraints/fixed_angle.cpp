#include "trammel/constraints/fixed_angle.h"

#include <numbers>

#include <fmt/core.h>

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

FixedAngle::FixedAngle(const BodyDirection& f, const BodyDirection& m, double angle, double length)
    : product_{checked_direction(f, "the first direction of an angle"),
               checked_direction(m, "the second direction of an angle")},
      cosine_(std::cos(angle)),
      length_(checked_positive(length, "length in m/rad of an angle")),
      touched_{f.body, m.body} {
  if (!(angle >= 1e-3 && angle <= std::numbers::pi - 1e-3))
    throw Error(fmt::format("angle {:g} rad between two directions", angle),
                "between 0 and pi; for parallel directions let them be aligned");
}

template <class Scalar>
void FixedAngle::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  fill_product_row(product_, now.kin, cosine_, 0, touched_, out);
}

template class PositionConstraint<FixedAngle>;
TRAMMEL_COMPILE_ROWS(FixedAngle);

}  // namespace trammel
