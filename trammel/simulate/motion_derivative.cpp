#include "trammel/simulate/motion_derivative.h"

namespace trammel {

bool MotionDerivative::go_on(const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
  velocity = v;
  if (drift_.kind == Drift::velocity) {
    change_ = -held_rate(data_);
    least_step(change_, data_, velocity);
    velocity += v;
    if (drift_.forces_at_corrected) {
      at_ = data_.at;
      at_.v = velocity;
      evaluate_rows(at_, data_);
    }
  }
  solve(data_);
  return conclude(vdot);
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  vdot = data_.motion.vdot;
  if (!has_motion(data_.motion.status)) return false;
  meter_.note(data_);
  return true;
}

}  // namespace trammel
