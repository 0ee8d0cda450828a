#include "trammel/simulate/singular_forces.h"

#include <algorithm>

namespace trammel {

SingularForces::SingularForces(const Problem& problem, RowStrength& strength)
    : strength_(strength),
      singular_(problem.is_tree() ? problem.system().constraints.size() : 0),
      constraints_(problem.is_tree() ? problem.held().constraints.size() : 0),
      velocities_(problem.nv()),
      joints_(problem.is_tree() ? problem.system().model.body_count() : 0) {}

void SingularForces::look(Data& data) {
  if (constraints_.empty() || factor_ == data.stamps.factor) return;
  factor_ = data.stamps.factor;
  any_ = strength_.mark_singular(data, singular_);
  if (!any_) return;
  const System& system = data.problem.system();
  for (std::vector<bool>* of : {&constraints_, &velocities_, &joints_}) std::fill(of->begin(), of->end(), false);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int constraint = data.problem.held().constraints[i];
    constraints_[i] = singular_[constraint];
    if (constraints_[i]) load(system.model, *system.constraints[constraint].law);
  }
}

// What the force of a constraint is part of.
void SingularForces::load(const Model& model, const Constraint& law) {
  for (const int velocity : law.velocities()) velocities_[velocity] = true;
  for (int body : law.bodies())
    for (; body != world; body = model.bodies()[body].parent) {
      const Body& here = model.bodies()[body];
      joints_[body] = true;
      for (int c = here.v; c < here.v + here.nv; ++c) velocities_[c] = true;
    }
}

}  // namespace trammel
