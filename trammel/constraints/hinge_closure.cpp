#include "trammel/constraints/hinge_closure.h"

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

HingeClosure::HingeClosure(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R),
      axes_{{{{F.body, F.X_BF.R.col(0)}, {M.body, M.X_BF.R.col(2)}},
             {{F.body, F.X_BF.R.col(1)}, {M.body, M.X_BF.R.col(2)}}}},
      length_(checked_positive(length, "length in m/rad of a hinge")),
      touched_{F.body, M.body} {}

template <class Scalar>
void HingeClosure::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  origins_.fill_rows(now, out);  // the first three rows
  for (int k = 0; k < 2; ++k) fill_product_row(axes_[k], now.kin, 0, 3 + k, touched_, out);
}

template class PositionConstraint<HingeClosure>;
TRAMMEL_COMPILE_ROWS(HingeClosure);

}  // namespace trammel
