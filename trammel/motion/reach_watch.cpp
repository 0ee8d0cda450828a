#include "trammel/motion/reach_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/base/fold.h"

namespace trammel {

ReachWatch::ReachWatch(const Problem& problem) {
  const int rows = problem.asked().rows - problem.held().rows, motors = static_cast<int>(problem.motors().size());
  if (rows == 0 || rows > motors) return;
  rows_ = rows;
  H_.resize(rows, motors);
  H_before_ = H_;
  largest_ = VecX<>::Zero(rows);
  scratch_.resize(rows, rows);
  u_before_.resize(motors);
  unbounded_.resize(motors);
}

// Of scratch_, by Gaussian elimination with row pivoting.
double ReachWatch::determinant() {
  MatX<>& A = scratch_;
  double out = 1;
  const auto n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = 0;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) {
      A.row(k).swap(A.row(k + pivot));
      out = -out;
    }
    out *= A(k, k);
    if (out == 0) return 0;
    for (Eigen::Index i = k + 1; i < n; ++i) A.row(i) -= A(i, k) / A(k, k) * A.row(k);
  }
  return out;
}

void ReachWatch::watch(const Data& data) {
  just_lost_.reset();
  if (rows_ == 0 || data.motors->torques.status == TorqueStatus::no_motion) return;
  H_ = data.motors->H;
  const bool square = H_.rows() == H_.cols();
  for (Eigen::Index k = 0; square && k < H_.rows(); ++k)
    if (largest_[k] = std::max(largest_[k], H_.row(k).norm()); largest_[k] > 0) H_.row(k) /= largest_[k];
  if (square)
    scratch_ = H_;
  else
    scratch_.noalias() = H_ * H_.transpose();
  double det = determinant();
  if (!square) det = std::sqrt(std::max(0.0, det));
  if (det == 0) return;
  const VecX<>& u = data.motors->torques.u;
  if (det_ != 0) {
    // turned round, not just by a little more than a right angle within a long step
    if (!square) scratch_.noalias() = H_ * H_before_.transpose();
    const bool round = square ? det * det_ < 0 : determinant() < -0.9 * det * std::abs(det_);
    if (!square) det = std::copysign(det, round ? -det_ : det_);
    if (round) note(data.at.t, det_, det, u);
  }
  det_ = det;
  t_ = data.at.t;
  H_before_ = H_;
  u_before_ = u;
}

void ReachWatch::note(double t, double before, double now, const VecX<>& u) {
  const double part = before / (before - now), at = t_ + (t - t_) * part;
  times_.push_back(at);
  for (std::size_t j = 0; j < unbounded_.size(); ++j) {
    const auto k = static_cast<Eigen::Index>(j);
    const double first = u_before_[k] * before, last = u[k] * now, there = first + (last - first) * part;
    if (!(std::abs(there) > 0.2 * std::max(std::abs(first), std::abs(last)))) continue;
    just_lost_ = at;
    if (!unbounded_[j]) unbounded_[j] = at;
  }
}

std::string ReachWatch::text(const Problem& problem) const {
  if (times_.empty()) return {};
  std::vector<std::string> motors, led;
  for (const VariableInfo& motor : problem.motors()) motors.push_back(fmt::format("'{}'", motor.name));
  for (const NamedConstraint& constraint : problem.system().constraints)
    if (constraint.layer == Layer::control) led.push_back(fmt::format("'{}'", constraint.name));
  const bool grow = std::ranges::any_of(unbounded_, [](const auto& t) { return t.has_value(); });
  return fmt::format("{} lose hold of {} near {}: the motion passes a singular place there, {}",
                     fmt::join(motors, ", "), fmt::join(led, ", "), folded_moments(times_),
                     grow ? "near which torques grow without bound" : "where torques are not determined");
}

}  // namespace trammel
