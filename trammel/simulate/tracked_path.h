#pragma once

#include "trammel/motion/problem.h"
#include "trammel/simulate/projection.h"

namespace trammel {

/// The rows that motors track, at the start of a step. Motors lead by accelerations: where they give what is asked, and the step is any good,
/// these rows open by no more than their present rate says. A path that moves between the stages of a step is lost: from rest to rest, the
/// accelerations that it asks for may be zero at every stage.
class TrackedPath {
 public:
  /// The motion at the start of a step that was just solved.
  void note(const Data& data) {
    is_tracked_ = is_realised(data);
    if (!is_tracked_) return;
    open_ = largest(data, data.phi);
    opens_at_ = largest(data, data.rate);
  }
  /// Whether it was lost in a step of length h, which ended where the motion was just solved.
  bool is_lost(const Data& data, double h) const {
    return is_tracked_ && is_realised(data) && largest(data, data.phi) > open_ + h * opens_at_ + 1e-4 * extent(data);
  }

 private:
  static bool is_realised(const Data& data) {
    return data.motors && data.motors->torques.status == TorqueStatus::realised;
  }
  static double largest(const Data& data, const VecX<>& of_rows) {
    const RowSet& asked = data.problem.asked();
    const int tracked = asked.rows - data.problem.held().rows;
    return largest_error(of_rows.tail(tracked), asked.weight.tail(tracked));
  }

  bool is_tracked_ = false;
  double open_ = 0, opens_at_ = 0;  // m, m/s
};

}  // namespace trammel
