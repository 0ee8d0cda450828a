#include "trammel/constraints/weld.h"

#include "trammel/constraints/checks.h"

namespace trammel {

Weld::Weld(const Frame& F, const Frame& M, double length)
    : origins_(BodyPoint(F), BodyPoint(M), F.body, F.X_BF.R),
      length_(checked_positive(length, "length in m/rad of a weld")),
      touched_{F.body, M.body} {
  for (int i = 0; i < 3; ++i) axes_[i] = {{F.body, F.X_BF.R.col((i + 2) % 3)}, {M.body, M.X_BF.R.col((i + 1) % 3)}};
}

void Weld::evaluate(const Movement<double>& now, Rows& out) const {
  origins_.evaluate(now, out);  // the first three rows
  for (int i = 0; i < 3; ++i) axes_[i].write(now.kin, 0, 3 + i, touched_, out);
}

template class PositionConstraint<Weld>;

}  // namespace trammel
