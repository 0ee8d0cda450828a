#include "trammel/constraints/weld.h"

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"
#include "trammel/math/rotation.h"

namespace trammel {

std::array<DirectionProduct, 3> products_of_axes(const Frame& F, const Frame& M) {
  std::array<DirectionProduct, 3> out;
  for (int i = 0; i < 3; ++i) out[i] = {{F.body, F.X_BF.R.col((i + 2) % 3)}, {M.body, M.X_BF.R.col((i + 1) % 3)}};
  return out;
}

Vec3<> turn_between(const std::array<DirectionProduct, 3>& products, const Positions<>& where) {
  Mat3<> R_WF, R_WM;  // axis i of F stands in product i + 1, that of M in product i + 2
  for (int i = 0; i < 3; ++i) {
    R_WF.col(i) = products[(i + 1) % 3].x.direction(where);
    R_WM.col(i) = products[(i + 2) % 3].y.direction(where);
  }
  return log_so3(R_WM * R_WF.transpose());
}

Weld::Weld(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R),
      axes_(products_of_axes(F, M)),
      length_(checked_positive(length, "length in m/rad of a weld")),
      touched_{F.body, M.body} {}

template <class Scalar>
void Weld::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  origins_.fill_rows(now, out);  // the first three rows
  for (int i = 0; i < 3; ++i) fill_product_row(axes_[i], now.kin, 0, 3 + i, touched_, out);
}

template class PositionConstraint<Weld>;
TRAMMEL_COMPILE_ROWS(Weld);

}  // namespace trammel
