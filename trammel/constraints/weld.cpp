#include "trammel/constraints/weld.h"

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

Weld::Weld(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R),
      length_(checked_positive(length, "length in m/rad of a weld")),
      touched_{F.body, M.body} {
  for (int i = 0; i < 3; ++i) axes_[i] = {{F.body, F.X_BF.R.col((i + 2) % 3)}, {M.body, M.X_BF.R.col((i + 1) % 3)}};
}

template <class Scalar>
void Weld::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  origins_.fill_rows(now, out);  // the first three rows
  for (int i = 0; i < 3; ++i) fill_product_row(axes_[i], now.kin, 0, 3 + i, touched_, out);
}

template class PositionConstraint<Weld>;
TRAMMEL_COMPILE_ROWS(Weld);

}  // namespace trammel
