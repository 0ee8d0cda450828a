#include "trammel/constraints/slide_closure.h"

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

SlideClosure::SlideClosure(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R.leftCols(2)),
      axes_(products_of_axes(F, M)),
      length_(checked_positive(length, "length in m/rad of a slide")),
      touched_{F.body, M.body} {}

template <class Scalar>
void SlideClosure::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  origins_.fill_rows(now, out);  // the first two rows
  for (int i = 0; i < 3; ++i) fill_product_row(axes_[i], now.kin, 0, 2 + i, touched_, out);
}

template class PositionConstraint<SlideClosure>;
TRAMMEL_COMPILE_ROWS(SlideClosure);

}  // namespace trammel
