#include "trammel/motion/joint_damping.h"

#include <cmath>

#include "trammel/math/eps.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

JointDrag joint_drag(const Coordinate& joint, double v) {
  JointDrag out{-joint.damping * v, joint.damping};
  if (joint.friction > 0) {
    const double size = std::hypot(v, joint.friction_speed), part = joint.friction_speed / size;
    out.force -= joint.friction * v / size;
    out.slope += joint.friction * part * part / size;
  }
  return out;
}

JointDamping::JointDamping(const Problem& problem) : model_(problem.is_tree() ? &problem.system().model : nullptr) {
  const int nv = problem.nv();
  for (int i = 0; model_ && i < nv; ++i)
    if (const Coordinate& joint = model_->coordinates()[i]; joint.damping > 0 || joint.friction > 0)
      damped_.push_back(i);
  from_ = u_ = force_ = slope_ = taken_ = next_ = next_p_ = tangent_.inertia = tangent_.force = VecX<>::Zero(nv);
  fastest_ = VecX<>::Ones(nv);
}

void JointDamping::begin(const VecX<>& from, double gamma, const VecX<>& guess) {
  from_ = from;
  gamma_ = gamma;
  u_ = guess;
  steps_ = 0;
  see_drags();
}

void JointDamping::see_drags() {
  for (const int i : damped_) {
    const JointDrag drag = joint_drag(model_->coordinates()[i], u_[i]);
    force_[i] = drag.force;
    slope_[i] = drag.slope;
    tangent_.inertia[i] = gamma_ * drag.slope;
    tangent_.force[i] = drag.slope * (u_[i] - from_[i]);
  }
}

void JointDamping::go_on(const VecX<>& vdot) {
  next_ = from_ + gamma_ * vdot;
  for (const int i : damped_) next_p_[i] = force_[i] - slope_[i] * (next_[i] - u_[i]);
  way_before_ = way_;
  way_ = (next_ - u_).cwiseAbs().maxCoeff();
  // the first guess need not be among the motions that rows allow
  const double part = steps_ == 0 ? 1 : part_of_step();
  ++steps_;
  if (part == 1) {
    u_ = next_;
    taken_ = next_p_;
  } else {
    u_ += part * (next_ - u_);
    taken_ += part * (next_p_ - taken_);
  }
  see_drags();
}

// The derivative of the convex function over γ at a part of the way from u to the next one.
double JointDamping::rise(double part) const {
  double out = 0;
  for (const int i : damped_) {
    const double way = next_[i] - u_[i];
    out += way * (taken_[i] + part * (next_p_[i] - taken_[i]) -
                  joint_drag(model_->coordinates()[i], u_[i] + part * way).force);
  }
  return out;
}

// Where it has fallen to a tenth. 1, the whole step, where the function does not rise there, or where tangents are good enough to 1 % of what
// damps: what Q changes meanwhile may then be more.
double JointDamping::part_of_step() const {
  const double before = rise(0), enough = 0.1 * std::abs(before);
  if (!(before < 0) || !(rise(1) > enough) || !(largest_error(next_, next_p_) > 0.01)) return 1;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high), slope = rise(middle);
    if (std::abs(slope) <= enough) return middle;
    (slope < 0 ? low : high) = middle;
  }
  return low;
}

// By how much g at v differs from that of tangents, over all that damps a joint; without what rounding of velocities makes of it.
double JointDamping::largest_error(const VecX<>& v, const VecX<>& by_tangents) const {
  double largest = 0;
  for (const int i : damped_) {
    const Coordinate& joint = model_->coordinates()[i];
    const JointDrag drag = joint_drag(joint, v[i]);
    const double rounding = drag.slope * 8 * eps * (std::abs(from_[i]) + std::abs(v[i]));
    const double error = std::abs(drag.force - by_tangents[i]) - rounding;
    if (error > 0) largest = std::max(largest, error / (joint.friction + joint.damping * std::abs(v[i])));
  }
  return largest;
}

bool JointDamping::has_settled() const {
  if (largest_error(u_, taken_) > 1e-11) return false;
  // what is left of a way that shrinks by a factor in each step
  const double size = u_.cwiseAbs().maxCoeff() + from_.cwiseAbs().maxCoeff();
  if (way_ <= 1e-14 * size) return true;
  const double factor = way_ / way_before_;
  return steps_ > 1 && factor < 0.5 && way_ * factor <= 1e-12 * size;
}

double JointDamping::least_rate(const VecX<>& v, const Data& data) const {
  double largest = 0;
  for (const int i : damped_) {
    const double per_inertia = data.tree.factor.inverse_root_D[i];
    largest = std::max(largest, joint_drag(model_->coordinates()[i], v[i]).slope * per_inertia * per_inertia);
  }
  return largest;
}

double JointDamping::fastest_rate(const VecX<>& v, Data& data) {
  double rate = 0;
  RowSolution& rows = data.asked;
  for (int step = 0; step < 2; ++step) {
    // P D x
    data.tau.setZero();
    for (const int i : damped_) data.tau[i] = joint_drag(model_->coordinates()[i], v[i]).slope * fastest_[i];
    const double size = fastest_.dot(data.tau);
    for (Vec6<>& wrench : data.tree.vectors) wrench.setZero();
    apply_L_inverse<double>(*model_, data.tree.kin, data.tree.factor, data.tau, data.tree.vectors, rows.h);
    rows.r.setZero();
    data.qr->solve(rows.r, rows.h, rows.y);
    data.z = rows.h + rows.y;
    apply_L_inverse_transpose<double>(*model_, data.tree.kin, data.tree.factor, data.z, data.tree.vectors, next_);
    rate = size > 0 ? next_.dot(data.tau) / size : 0;
    const double largest = next_.cwiseAbs().maxCoeff();
    if (largest > 0)
      fastest_ = next_ / largest;
    else
      fastest_.setOnes();
  }
  return rate;
}

}  // namespace trammel
