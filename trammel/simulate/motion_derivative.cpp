#include "trammel/simulate/motion_derivative.h"

namespace trammel {

bool MotionDerivative::go_on(VecX<>& velocity, VecX<>& vdot) {
  velocity = at_.v;
  const State* forces_at = &at_;
  if (drift_.kind == Drift::velocity) {
    change_ = -mechanics_.rate();
    mechanics_.least_step(change_, velocity);
    velocity += at_.v;
    if (drift_.forces_at_corrected) {
      corrected_.t = at_.t;
      corrected_.q = at_.q;
      corrected_.v = velocity;
      mechanics_.evaluate_rows(corrected_);
      forces_at = &corrected_;
    }
  }
  mechanics_.solve(*forces_at, motion_);
  return conclude(vdot);
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  vdot = motion_.vdot;
  if (count_ < static_cast<int>(powers_.size())) powers_[count_++] = mechanics_.power(at_, motion_);
  return has_motion(motion_.status);
}

}  // namespace trammel
