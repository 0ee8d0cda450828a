#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "trammel/simulate/step.h"

namespace trammel {

/// The last steps of a run by their starts, so that they can be taken again to look between their ends. Sized once.
/// What was held over a step goes with it: inputs, and the torques of motors that are sampled.
class RecentSteps {
 public:
  RecentSteps(const Manifold& manifold, int held, int count)
      : nq_(manifold.nq()), nv_(manifold.nv()), starts_(2 * nq_ + 3 * nv_ + held, count), t_(count), h_(count) {
    h_.setZero();
  }

  void forget() {
    h_.setZero();
    next_ = 0;
  }

  /// A step that was taken, and the whole turns beyond q (rad) that forces were asked with.
  void keep(const Step& step, const VecX<>& turns, const VecX<>& held) {
    t_[next_] = step.start.t;
    h_[next_] = step.h;
    double* out = starts_.data() + next_ * starts_.rows();
    for (const VecX<>* part :
         {&step.start.q, &turns, &step.start.v, &step.at_start.velocity, &step.at_start.vdot, &held})
      for (const double *x = part->data(), *const end = x + part->size(); x != end;) *out++ = *x++;
    next_ = next_ + 1 == h_.size() ? 0 : next_ + 1;
  }

  /// Where the last one ends and where it begins, s; not a number where there is none.
  std::array<double, 2> last() const {
    const Eigen::Index k = next_ == 0 ? h_.size() - 1 : next_ - 1;
    if (h_[k] == 0) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    return {t_[k] + h_[k], t_[k]};
  }
  /// Where the step begins or ends that is nearest to a moment, s.
  double nearest_end(double t) const {
    double out = t_[next_ == 0 ? h_.size() - 1 : next_ - 1];
    for (int k = 0; k < h_.size(); ++k)
      if (h_[k] != 0 && std::abs(t_[k] - t) < std::abs(out - t)) out = t_[k];
    return out;
  }

  /// The start, its slope and h of the step that a moment is in, into `out`, which is to be taken anew. False if it is not kept any more.
  bool restore(double t, Step& out, VecX<>& turns, VecX<>& held) const {
    const int count = static_cast<int>(h_.size());
    for (int i = 1; i <= count; ++i) {
      const int k = (next_ - i + count) % count;
      if (h_[k] == 0) return false;
      if (t_[k] > t) continue;
      out.start.t = t_[k];
      out.h = h_[k];
      const auto start = starts_.col(k);
      out.start.q = start.head(nq_);
      turns = start.segment(nq_, nq_);
      out.start.v = start.segment(2 * nq_, nv_);
      out.at_start.velocity = start.segment(2 * nq_ + nv_, nv_);
      out.at_start.vdot = start.segment(2 * nq_ + 2 * nv_, nv_);
      held = start.tail(held.size());
      return true;
    }
    return false;
  }

 private:
  int nq_, nv_;
  MatX<> starts_;  // a column each: q, turns, v, q̇ as a velocity, v̇, what was held
  VecX<> t_, h_;   // s
  int next_ = 0;   // the place of the oldest
};

}  // namespace trammel
