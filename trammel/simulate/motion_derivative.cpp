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

bool MotionDerivative::settle(double t, const VecX<>& q, const VecX<>& from, double gamma, VecX<>& v, Slope& slope) {
  constexpr int most = 40;
  damping_.begin(from, gamma, v);
  for (int i = 0; i < most; ++i) {
    data_.tangent = &damping_.tangent();
    const bool solved = (*this)(t, q, damping_.u(), slope.velocity, slope.vdot);
    data_.tangent = nullptr;
    if (!solved) return false;
    damping_.go_on(slope.vdot);
    if (!damping_.u().allFinite()) return false;
    if (!damping_.has_settled()) continue;
    v = damping_.u();
    return true;
  }
  return false;
}

bool MotionDerivative::conclude(VecX<>& vdot) {
  using enum SingularPassage::Posture;
  undetermined_ = false;
  if (!has_motion(data_.motion.status)) return false;
  if (data_.tangent) {  // pivots are those of another metric, and say nothing of the posture
    vdot = data_.motion.vdot;
    return true;
  }
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
