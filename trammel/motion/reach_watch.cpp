#include "trammel/motion/reach_watch.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/base/fold.h"

namespace trammel {

ReachWatch::ReachWatch(const Problem& problem) {
  const int rows = problem.asked().rows - problem.held().rows, motors = static_cast<int>(problem.motors().size());
  if (rows > 0 && rows == motors) scratch_.resize(rows, rows);
}

// By Gaussian elimination with row pivoting, each row over its norm.
double ReachWatch::determinant(const MatX<>& H) {
  scratch_ = H;
  double out = 1;
  const auto n = scratch_.rows();
  for (Eigen::Index k = 0; k < n; ++k)
    if (const double norm = scratch_.row(k).norm(); norm > 0) scratch_.row(k) /= norm;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = 0;
    scratch_.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) {
      scratch_.row(k).swap(scratch_.row(k + pivot));
      out = -out;
    }
    out *= scratch_(k, k);
    if (out == 0) return 0;
    for (Eigen::Index i = k + 1; i < n; ++i) scratch_.row(i) -= scratch_(i, k) / scratch_(k, k) * scratch_.row(k);
  }
  return out;
}

void ReachWatch::watch(const Data& data) {
  if (scratch_.size() == 0 || data.motors->torques.status == TorqueStatus::no_motion) return;
  const double det = determinant(data.motors->H), t = data.at.t;
  if (det * det_ < 0) times_.push_back(t_ + (t - t_) * det_ / (det_ - det));
  if (det != 0) {
    det_ = det;
    t_ = t;
  }
}

std::string ReachWatch::text(const Problem& problem) const {
  if (times_.empty()) return {};
  std::vector<std::string> motors, led;
  for (const VariableInfo& motor : problem.motors()) motors.push_back(fmt::format("'{}'", motor.name));
  for (const NamedConstraint& constraint : problem.system().constraints)
    if (constraint.layer == Layer::control) led.push_back(fmt::format("'{}'", constraint.name));
  return fmt::format(
      "{} lose hold of {} near {}: the motion passes a singular place there, near which torques grow "
      "without bound",
      fmt::join(motors, ", "), fmt::join(led, ", "), folded_moments(times_));
}

}  // namespace trammel
