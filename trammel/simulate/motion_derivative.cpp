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

bool MotionDerivative::on_constraints(double t, const VecX<>& q, const VecX<>& v, VecX<>& vdot) {
  at_.t = t;
  at_.q = q;
  at_.v = v;
  data_.motion.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
  if (!factorize(at_, data_)) return false;
  data_.motion.status = Status::regular;  // a way onto the constraints may be missing
  // weak rows are left out from the first step on: at x from the posture, what is off by d would move by d²/x along the branch
  passage_.examine(data_);
  if (!stages_->onto_constraints(at_)) return false;
  solve(data_);
  return conclude(vdot);
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  using enum SingularPassage::Posture;
  undetermined_ = false;
  if (!has_motion(data_.motion.status)) return false;
  came_near_ |= passage_.is_near(data_);
  const SingularPassage::Posture posture = passage_.examine(data_);
  undetermined_ = posture == undetermined || (posture == passed && !passage_.interpolate(data_));
  if (undetermined_) return false;
  copy(data_.motion.vdot, vdot);
  meter_.note(data_);
  if (peaks_) peaks_->see_stage(data_);
  return true;
}

}  // namespace trammel
