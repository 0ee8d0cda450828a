#include "trammel/motion/reactions.h"

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/motion/constraint_forces.h"

namespace trammel {

WrenchAtPoint wrench_at_point(const Data& data, const RowSet& set, int i, const Eigen::Ref<const VecX<>>& lambda) {
  const Constraint& law = *data.problem.system().constraints[set.constraints[i]].law;
  const Positions<>& where = data.tree.kin;
  const BodyPoint point = law.point_of_force(where);
  if (point.body == world) return {};
  WrenchAtPoint out{point.body, point.position<double>(where)};
  for (std::size_t s = 0; s < law.bodies().size(); ++s) {
    if (law.bodies()[s] != point.body) continue;
    const auto own = lambda.segment(set.first_row[i], data.blocks[i].phi.size());
    const Vec6<> F = data.blocks[i].wrenches_on(static_cast<int>(s)).lazyProduct(own);
    out.force = F.tail<3>();
    out.moment = F.head<3>() - cross<double>(point.arm<double>(where), out.force);
  }
  return out;
}

void pass_inward(const Model& model, const Positions<>& where, std::span<Vec6<>> wrenches) {
  for (int i = model.body_count() - 1; i >= 0; --i)
    if (const int parent = model.bodies()[i].parent; parent != world)
      wrenches[parent] += force_from<double>(wrenches[i], where.bodies[i].r);
}

Vec6<> along_guides(const Model& model, const Positions<>& where, int body, const Vec6<>& wrench) {
  const Body& joint = model.bodies()[body];
  Vec6<> out = wrench;
  for (int k = 0; k < joint.nv; ++k) {
    const Vec6<>& S = where.S[joint.v + k];
    const double along = S.dot(wrench);
    if (is_angular(joint.type, k))
      out.head<3>() -= along * S.head<3>();
    else
      out.tail<3>() -= along * S.tail<3>();
  }
  return out;
}

Reactions::Reactions(const Model& model)
    : inertias_(model),
      acceleration_(model.body_count()),
      external_(model.body_count()),
      reaction_(model.body_count()),
      tau_(model.nv()) {}

void Reactions::compute(const Data& data, const RowSet& set, const VecX<>& vdot,
                        const Eigen::Ref<const VecX<>>& lambda) {
  const System& system = data.problem.system();
  const Model& model = system.model;
  const Kinematics<>& kin = data.tree.kin;
  for (Vec6<>& wrench : external_) wrench.setZero();
  if (!system.forces.empty()) {
    const Movement<double> turned = data.turned_movement();
    for (const NamedForce& force : system.forces) force.law->add_wrenches(turned, external_);
  }
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    const Rows& rows = data.blocks[i];
    const auto own = lambda.segment(set.first_row[i], rows.phi.size());
    // what acts on velocities is between a body and its parent, along the freedoms of their joint
    for_each_force(
        data, set, i, own, [&](int body, const Vec6<>& F) { external_[body] += F; }, [](int, double) {});
    if (constraint.working) constraint.working->add_wrenches(data.movement(), rows, own, external_);
  }
  pass_inward(model, kin, external_);
  // the data's own inertias may be those of a state nearby
  const bool at_hand = data.stamps.factor == data.stamps.position;
  if (!at_hand) world_inertias<double>(model, kin, inertias_);
  newton_euler<double>(model, kin, at_hand ? data.tree.inertias : inertias_, vdot, acceleration_, reaction_, tau_);
  for (int i = 0; i < model.body_count(); ++i) reaction_[i] = along_guides(model, kin, i, reaction_[i] - external_[i]);
}

}  // namespace trammel
