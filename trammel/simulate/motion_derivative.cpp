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

bool MotionDerivative::at_projected(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) {
  at_.t = t;
  at_.q = q;
  at_.v = v;
  return stages_->onto_constraints(at_) && go_on(at_.v, velocity, vdot);
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  using enum SingularPassage::Posture;
  undetermined_ = false;
  if (!has_motion(data_.motion.status)) return false;
  const SingularPassage::Posture posture = passage_.examine(data_);
  undetermined_ = posture == undetermined || (posture == passed && !passage_.interpolate(data_));
  if (undetermined_) return false;
  copy(data_.motion.vdot, vdot);
  meter_.note(data_);
  return true;
}

}  // namespace trammel
