#include "trammel/simulate/force_sizes.h"

#include <algorithm>
#include <cmath>

#include "trammel/motion/reactions.h"
#include "trammel/motion/stages.h"

namespace trammel {

ForceSizes::ForceSizes(const Problem& problem, std::vector<int> joints)
    : velocities_(problem.nv()),
      motors_(static_cast<int>(problem.motors().size())),
      constraints_(problem.is_tree() ? static_cast<int>(problem.held().constraints.size()) : 0),
      joints_(std::move(joints)),
      none_(problem.held().rows == 0 && motors_ == 0 && joints_.empty()) {
  unit_.setOnes(count());
  const double length = problem.moment_length();
  for (int i = 0; i < velocities_; ++i)
    if (problem.velocities()[i].unit == "rad/s") unit_[i] = length;
  for (int j = 0; j < motors_; ++j)
    if (problem.motors()[j].unit == "N·m") unit_[velocities_ + j] = length;
  for (int i = 0; i < constraints_; ++i) {
    const Constraint& law = *problem.system().constraints[problem.held().constraints[i]].law;
    on_bodies_.push_back(std::ranges::any_of(law.bodies(), [](int body) { return body != world; }));
    unit_[of_constraint(i) + 1] = length;
  }
  for (int j = 0; j < this->joints(); ++j) unit_[of_joint(j) + 1] = length;
  for (const RowInfo& row : problem.rows()) of_row_.push_back(row.unit == "m" ? 0 : row.unit == "rad" ? 1 : 2);
}

// Plain loops: vectors are short.
void ForceSizes::measure_direct(const Data& data, VecX<>& out) const {
  double* size = out.data();
  const double* Qc = data.motion.Qc.data();
  for (int i = 0; i < velocities_; ++i) *size++ = std::abs(Qc[i]);
  const double* u = motors_ > 0 ? data.motors->torques.u.data() : nullptr;
  for (int j = 0; j < motors_; ++j) *size++ = std::abs(u[j]);
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
  for (int row = first; row < first + data.blocks[i].phi.size(); ++row)
    square[of_row_[row]] += lambda[row] * lambda[row];
  for (int k = 0; k < per_constraint; ++k) out[k] = std::sqrt(square[k]);
}

void ForceSizes::measure(Data& data, VecX<>& out) const {
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
