#pragma once

#include <cmath>

#include "trammel/simulate/step.h"

namespace trammel {

/// The last steps of a run by their starts, so that they can be taken again to look between their ends. Sized once.
class RecentSteps {
 public:
  RecentSteps(const Manifold& manifold, int count)
      : q_(manifold.nq(), count),
        turns_(manifold.nq(), count),
        slopes_(3 * manifold.nv(), count),
        t_(count),
        h_(count) {
    h_.setZero();
  }

  /// A step that was taken, and the whole turns beyond q (rad) that forces were asked with.
  void keep(const Step& step, const VecX<>& turns) {
    const auto nv = step.start.v.size();
    t_[next_] = step.start.t;
    h_[next_] = step.h;
    q_.col(next_) = step.start.q;
    turns_.col(next_) = turns;
    slopes_.col(next_).head(nv) = step.start.v;
    slopes_.col(next_).segment(nv, nv) = step.at_start.velocity;
    slopes_.col(next_).tail(nv) = step.at_start.vdot;
    next_ = next_ + 1 == h_.size() ? 0 : next_ + 1;
  }

  /// Where the step begins or ends that is nearest to a moment, s.
  double nearest_end(double t) const {
    double out = t_[next_ == 0 ? h_.size() - 1 : next_ - 1];
    for (int k = 0; k < h_.size(); ++k)
      if (h_[k] != 0 && std::abs(t_[k] - t) < std::abs(out - t)) out = t_[k];
    return out;
  }

  /// The start, its slope and h of the step that a moment is in, into `out`, which is to be taken anew. False if it is not kept any more.
  bool restore(double t, Step& out, VecX<>& turns) const {
    const int count = static_cast<int>(h_.size());
    for (int i = 1; i <= count; ++i) {
      const int k = (next_ - i + count) % count;
      if (h_[k] == 0) return false;
      if (t_[k] > t) continue;
      const auto nv = out.start.v.size();
      out.start.t = t_[k];
      out.h = h_[k];
      out.start.q = q_.col(k);
      turns = turns_.col(k);
      out.start.v = slopes_.col(k).head(nv);
      out.at_start.velocity = slopes_.col(k).segment(nv, nv);
      out.at_start.vdot = slopes_.col(k).tail(nv);
      return true;
    }
    return false;
  }

 private:
  MatX<> q_, turns_, slopes_;  // a column each; of slopes: v, q̇ as a velocity, v̇
  VecX<> t_, h_;               // s
  int next_ = 0;               // the place of the oldest
};

}  // namespace trammel
