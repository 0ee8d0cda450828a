#include "trammel/constraints/aligned.h"

#include <cmath>

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

std::array<DirectionProduct, 2> products_across(const BodyDirection& f, const BodyDirection& m) {
  const Mat3<> across = frame_with_z(f.d_B);
  return {{{{f.body, across.col(0)}, m}, {{f.body, across.col(1)}, m}}};
}

Vec3<> turn_from(const Vec3<>& a, const Vec3<>& b) {
  const Vec3<> normal = cross(a, b);
  const double sine = normal.norm(), angle = std::atan2(sine, a.dot(b));
  if (sine > 1e-12 * a.norm() * b.norm()) return normal * (angle / sine);
  return frame_with_z(a).col(0) * angle;
}

Vec3<> turn_between(const std::array<DirectionProduct, 2>& across, const Positions<>& where) {
  const Vec3<> f = cross(across[0].x.direction(where), across[1].x.direction(where));
  return turn_from(f, across[0].y.direction(where));
}

Aligned::Aligned(const BodyDirection& f, const BodyDirection& m, double length)
    : products_(products_across(checked_direction(f, "the first of two aligned directions"),
                                checked_direction(m, "the second of two aligned directions"))),
      length_(checked_positive(length, "length in m/rad of two aligned directions")),
      touched_{f.body, m.body} {}

template <class Scalar>
void Aligned::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  for (int k = 0; k < 2; ++k) fill_product_row(products_[k], now.kin, 0, k, touched_, out);
}

template class PositionConstraint<Aligned>;
TRAMMEL_COMPILE_ROWS(Aligned);

}  // namespace trammel
