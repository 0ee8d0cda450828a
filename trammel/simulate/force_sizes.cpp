#include "trammel/simulate/force_sizes.h"

#include <algorithm>

#include "trammel/motion/reactions.h"
#include "trammel/motion/stages.h"

namespace trammel {

ForceSizes::ForceSizes(const Problem& problem, std::vector<int> joints)
    : velocities_(problem.nv()),
      motors_(static_cast<int>(problem.motors().size())),
      constraints_(problem.is_tree() ? static_cast<int>(problem.held().constraints.size()) : 0),
      joints_(std::move(joints)) {
  as_force_.setOnes(count());
  const double per_length = 1 / problem.moment_length();
  for (int i = 0; i < velocities_; ++i)
    if (problem.velocities()[i].unit == "rad/s") as_force_[i] = per_length;
  for (int j = 0; j < motors_; ++j)
    if (problem.motors()[j].unit == "N·m") as_force_[velocities_ + j] = per_length;
  for (int i = 0; i < constraints_; ++i) {
    const Constraint& law = *problem.system().constraints[problem.held().constraints[i]].law;
    on_bodies_.push_back(std::ranges::any_of(law.bodies(), [](int body) { return body != world; }));
    as_force_[of_constraint(i) + 1] = per_length;
  }
  for (int j = 0; j < this->joints(); ++j) as_force_[of_joint(j) + 1] = per_length;
}

void ForceSizes::measure_direct(const Data& data, Eigen::Ref<VecX<>> out) const {
  out.head(velocities_) = data.motion.Qc.cwiseAbs();
  if (motors_ > 0) out.segment(velocities_, motors_) = data.motors->torques.u.cwiseAbs();
}

void ForceSizes::measure_constraint(const Data& data, int i, const Eigen::Ref<const VecX<>>& lambda,
                                    double* out) const {
  if (on_bodies_[i]) {
    const WrenchAtPoint wrench = wrench_at_point(data, data.problem.held(), i, lambda);
    out[0] = wrench.force.norm();
    out[1] = wrench.moment.norm();
    out[2] = 0;
    return;
  }
  double square[per_constraint] = {0, 0, 0};
  const int first = data.problem.held().first_row[i];
  for (int row = first; row < first + data.blocks[i].phi.size(); ++row) {
    const std::string_view unit = data.problem.rows()[row].unit;
    square[unit == "m" ? 0 : unit == "rad" ? 1 : 2] += lambda[row] * lambda[row];
  }
  for (int k = 0; k < per_constraint; ++k) out[k] = std::sqrt(square[k]);
}

void ForceSizes::measure(Data& data, Eigen::Ref<VecX<>> out) const {
  measure_direct(data, out);
  if (constraints_ > 0) {
    const Eigen::Ref<const VecX<>> lambda = held_multipliers(data);
    for (int i = 0; i < constraints_; ++i) measure_constraint(data, i, lambda, out.data() + of_constraint(i));
  }
  if (joints() == 0) return;
  const std::span<const Vec6<>> reactions = joint_reactions(data);
  for (int j = 0; j < joints(); ++j) {
    out[of_joint(j)] = reactions[joints_[j]].tail<3>().norm();
    out[of_joint(j) + 1] = reactions[joints_[j]].head<3>().norm();
  }
}

}  // namespace trammel
