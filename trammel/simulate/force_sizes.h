#pragma once

#include "trammel/motion/data.h"

namespace trammel {

/// What a run measures of its forces at a state that was solved. Sizes, one after the other:
///
///   |Qc| at each velocity, |u| of each motor                          N·m or N: the direct ones, which the motion has already
///   |f|, |n|, |λ| of each constraint that is held                     N, N·m; rows without a unit
///   |f|, |n| of the reactions in some joints, given by their bodies   N, N·m, about the body's origin
///
/// f and n of a constraint are taken at its point of force (reactions.h); where it acts on joints alone, they are its λ, by unit.
class ForceSizes {
 public:
  ForceSizes(const Problem& problem, std::vector<int> joints);

  static constexpr int per_constraint = 3, per_joint = 2;
  int velocities() const { return velocities_; }
  int motors() const { return motors_; }
  int constraints() const { return constraints_; }
  int joints() const { return static_cast<int>(joints_.size()); }
  int direct() const { return velocities_ + motors_; }
  int of_constraint(int i) const { return direct() + per_constraint * i; }
  int of_joint(int j) const { return of_constraint(constraints_) + per_joint * j; }
  int count() const { return of_joint(joints()); }
  int body(int j) const { return joints_[j]; }
  /// Whether every size is zero at all times: nothing is held, driven or asked for.
  bool none() const { return none_; }

  void measure_direct(const Data& data, VecX<>& out) const;
  void measure(Data& data, VecX<>& out) const;

  /// Of each size, what is as large as a force of 1 N: 1 N, or for moments Problem::moment_length() times that.
  const VecX<>& unit() const { return unit_; }

 private:
  void measure_constraint(const Data& data, int i, const Eigen::Ref<const VecX<>>& lambda, double* out) const;

  int velocities_, motors_, constraints_;
  std::vector<int> joints_;
  bool none_;
  std::vector<bool> on_bodies_;  // of each constraint: whether it puts wrenches on bodies that move
  std::vector<int> of_row_;      // of each row: 0 where it is in metres, 1 in radians, else 2
  VecX<> unit_;
};

}  // namespace trammel
