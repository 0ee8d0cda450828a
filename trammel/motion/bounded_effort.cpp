#include "trammel/motion/bounded_effort.h"

#include <cmath>

namespace trammel {

BoundedEffort::BoundedEffort(int variables, int rows)
    : fixed_(variables), Y_(variables, rows), rest_(rows), wanted_(variables), lambda_(rows), qr_(variables, rows) {}

// The least x of the free variables, with the fixed ones taken to the right-hand side: into wanted_.
void BoundedEffort::solve_free(const MatX<>& G, const VecX<>& r, const VecX<>& x) {
  rest_ = r;
  for (int j = 0; j < G.cols(); ++j) {
    if (fixed_[j]) {
      rest_ -= G.col(j) * x[j];
      Y_.row(j).setZero();
    } else {
      Y_.row(j) = G.col(j).transpose();
    }
  }
  qr_.factorize(Y_, static_cast<int>(G.rows()), {});
  qr_.solve(rest_, wanted_);
  qr_.multipliers(lambda_);
  for (int j = 0; j < G.cols(); ++j)
    if (fixed_[j]) wanted_[j] = x[j];
}

// Moves x on the line to wanted_ up to the first bound, and fixes that variable. Returns whether there was one.
bool BoundedEffort::move_to_bound(const VecX<>& lower, const VecX<>& upper, VecX<>& x) {
  double part = 1;
  int met = -1;
  for (int j = 0; j < x.size(); ++j) {
    if (fixed_[j]) continue;
    const double bound = wanted_[j] > upper[j] ? upper[j] : wanted_[j] < lower[j] ? lower[j] : wanted_[j];
    if (bound == wanted_[j]) continue;
    const double here = (bound - x[j]) / (wanted_[j] - x[j]);
    if (here < part || met < 0) {
      part = here;
      met = j;
    }
  }
  if (met < 0) {
    x = wanted_;
    return false;
  }
  x += part * (wanted_ - x);
  x[met] = wanted_[met] > upper[met] ? upper[met] : lower[met];
  fixed_[met] = true;
  return true;
}

// The fixed variable with the largest multiplier that points inwards, −1 if there is none: of |G x − r| where that is not zero,
// else of |x|.
int BoundedEffort::worth_releasing(const MatX<>& G, const VecX<>& r, const VecX<>& x, const VecX<>& upper) {
  rest_ = r;
  rest_.noalias() -= G * x;
  const bool misfit = rest_.norm() > 1e-9 * (r.norm() + G.norm() * x.norm());
  int out = -1;
  double most = 1e-9 * (1 + x.norm());
  for (int j = 0; j < x.size(); ++j) {
    if (!fixed_[j]) continue;
    const double outwards = misfit ? G.col(j).dot(rest_) : G.col(j).dot(lambda_) - x[j];
    const double inwards = x[j] == upper[j] ? -outwards : outwards;
    if (inwards > most) {
      most = inwards;
      out = j;
    }
  }
  return out;
}

void BoundedEffort::solve(const MatX<>& G, const VecX<>& r, const VecX<>& lower, const VecX<>& upper, VecX<>& x) {
  fixed_.assign(fixed_.size(), false);
  for (int j = 0; j < x.size(); ++j) x[j] = std::min(std::max(0.0, lower[j]), upper[j]);
  const int most = 10 + 4 * static_cast<int>(x.size());
  for (int i = 0; i < most; ++i) {
    solve_free(G, r, x);
    if (move_to_bound(lower, upper, x)) continue;
    const int released = worth_releasing(G, r, x, upper);
    if (released < 0) return;
    fixed_[released] = false;
  }
}

}  // namespace trammel
