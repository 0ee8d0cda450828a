#include "trammel/constraints/hinge_closure.h"

#include "trammel/constraints/checks.h"

namespace trammel {

HingeClosure::HingeClosure(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R),
      axes_(products_across({F.body, F.X_BF.R.col(2)}, {M.body, M.X_BF.R.col(2)})),
      length_(checked_positive(length, "length in m/rad of a hinge")),
      touched_{F.body, M.body} {}

void HingeClosure::evaluate(const Movement<double>& now, Rows& out) const {
  origins_.evaluate(now, out);  // the first three rows
  for (int k = 0; k < 2; ++k) axes_[k].write(now.kin, 0, 3 + k, touched_, out);
}

template class PositionConstraint<HingeClosure>;

}  // namespace trammel
