#include "trammel/simulate/motion_derivative.h"

namespace trammel {

bool MotionDerivative::go_on(VecX<>& velocity, VecX<>& vdot) {
  velocity = at_.v;
  if (drift_.kind == Drift::velocity) {
    change_ = -held_rate(data_);
    least_step(change_, data_, velocity);
    velocity += at_.v;
    if (drift_.forces_at_corrected) {
      corrected_.t = at_.t;
      corrected_.q = at_.q;
      corrected_.v = velocity;
      evaluate_rows(corrected_, data_);
    }
  }
  solve(data_);
  return conclude(vdot);
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  vdot = data_.motion.vdot;
  if (count_ < static_cast<int>(powers_.size())) powers_[count_++] = power(at_.v, data_);
  return has_motion(data_.motion.status);
}

}  // namespace trammel
