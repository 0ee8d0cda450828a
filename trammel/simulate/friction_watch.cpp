#include "trammel/simulate/friction_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/motion/layered_qr.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/tree_motion.h"
#include "trammel/motion/working_balance.h"

namespace trammel {

FrictionWatch::FrictionWatch(const Problem& problem) {
  if (!problem.is_tree()) return;
  const System& system = problem.system();
  for (std::size_t i = 0; i < problem.asked().constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[problem.asked().constraints[i]];
    if (const auto* law = dynamic_cast<const SlidingFriction*>(constraint.working.get()))
      rubbing_.push_back({fmt::format("'{}'", constraint.name), "m/s", law, static_cast<int>(i), law->creep_speed()});
  }
  for (int i = 0; i < system.model.nv(); ++i)
    if (const Coordinate& c = system.model.coordinates()[i]; c.friction > 0)
      rubbing_.push_back({fmt::format("joint '{}'", system.model.velocity_name(i)),
                          system.model.turns(i) ? "rad/s" : "m/s", nullptr, i, c.friction_speed});
  if (!rubbing_.empty() || problem.asked().has_working_forces) anew_.emplace(problem);
}

void FrictionWatch::watch(const Data& data) {
  if (!anew_) return;
  if (!looked_for_another_ && std::max(data.asked.working_coupling, data.held().working_coupling) >= 1)
    find_other_motion(data);
  bool slow = false;
  for (Rubbing& r : rubbing_) {
    r.slip_before = r.slip;
    r.slip = r.law ? r.law->slip(data.movement()).norm() : std::abs(data.at.v[r.index]);
    // of those that were found, the speed is looked at now and then
    const bool due = !r.creeps_since || steps_ % 100 == 0;
    slow |= due && r.slip > 1e-3 * r.friction_speed && r.slip < 10 * r.friction_speed;
  }
  const double h = data.at.t - time_before_;
  time_before_ = data.at.t;
  if (steps_++ == 0 || !slow) return;
  solve_anew(data);
  if (has_motion(anew_->motion.status)) find_creeping(h);
}

void FrictionWatch::solve_anew(const Data& data) {
  anew_->inputs = data.inputs;
  anew_->turns = data.turns;
  solve(data.at, *anew_);
}

// As a generalised force, of the motion that was solved anew.
VecX<> FrictionWatch::friction_of(const Rubbing& r) {
  const Model& model = anew_->problem.system().model;
  VecX<> out = VecX<>::Zero(model.nv());
  if (r.law) {
    const RowSet& set = anew_->problem.asked();
    r.law->add_to(model, anew_->movement(), anew_->blocks[r.index],
                  anew_->asked.lambda.segment(set.first_row[r.index], anew_->blocks[r.index].phi.size()), out);
  } else {
    const Coordinate& c = model.coordinates()[r.index];
    const double v = anew_->at.v[r.index];
    out[r.index] = -c.friction * v / std::hypot(v, c.friction_speed);
  }
  return out;
}

void FrictionWatch::find_creeping(double h) {
  const Model& model = anew_->problem.system().model;
  RowSolution& rows = anew_->asked;
  std::vector<VecX<>> frictions;
  anew_->tau.setZero();
  for (const Rubbing& r : rubbing_) anew_->tau -= frictions.emplace_back(friction_of(r));

  // Δv̇, what the accelerations gain without friction, while the rows hold
  for (Vec6<>& wrench : anew_->tree.vectors) wrench.setZero();
  apply_L_inverse<double>(model, anew_->tree.kin, anew_->tree.factor, anew_->tau, anew_->tree.vectors, rows.h);
  rows.r.setZero();
  solve_rows(*anew_, rows);
  anew_->z = rows.h + rows.y;
  VecX<> gain(model.nv());
  apply_L_inverse_transpose<double>(model, anew_->tree.kin, anew_->tree.factor, anew_->z, anew_->tree.vectors, gain);

  for (std::size_t i = 0; i < rubbing_.size(); ++i) {
    Rubbing& r = rubbing_[i];
    if (!(r.slip > 1e-3 * r.friction_speed && r.slip < 10 * r.friction_speed)) continue;
    // the friction F along −û is −F Jᵀû: its power is −F u, and with Δv̇ for v −F Δa
    const double power = -frictions[i].dot(anew_->at.v), along_gain = -frictions[i].dot(gain);
    if (!(power > 0)) continue;
    const double more = along_gain * r.slip / power;
    if (!(more > 0) || std::abs(r.slip - r.slip_before) > 0.05 * h * more) continue;
    if (!r.creeps_since) r.creeps_since = anew_->at.t;
    r.creeping = std::max(r.creeping, r.slip);
  }
}

void FrictionWatch::find_other_motion(const Data& data) {
  looked_for_another_ = true;
  solve_anew(data);
  if (!has_motion(anew_->motion.status)) return;
  RowSolution& rows = anew_->held();
  const WorkingStage& stage = *anew_->working;
  const VecX<> taken = rows.lambda;
  if (!find_other_balance(*anew_, rows, anew_->motors ? &anew_->motors->torques.u : nullptr)) return;
  // the row whose multipliers differ the most
  int differs = 0;
  const auto apart = [&](int k) { return std::abs(stage.p[k] - taken[stage.rows[k]]); };
  for (int k = 1; k < stage.p.size(); ++k)
    if (apart(k) > apart(differs)) differs = k;
  const RowInfo& row = data.problem.rows()[stage.rows[differs]];
  several_ = fmt::format(
      "friction of '{}' leaves several motions from t = {:.4g} s on: its multiplier may be {:.4g} or {:.4g} N; the one "
      "is taken that continues "
      "the motion without friction",
      data.problem.system().constraints[row.constraint].name, data.at.t, taken[stage.rows[differs]], stage.p[differs]);
}

std::vector<std::string> FrictionWatch::warnings() const {
  std::vector<std::string> out;
  if (!several_.empty()) out.push_back(several_);
  for (const Rubbing& r : rubbing_)
    if (r.creeps_since)
      out.push_back(fmt::format(
          "{0} is held by its friction at t = {1:.4g} s, where dry friction sticks; smoothed, it creeps, at up to "
          "{2:.3g} {3}: in proportion to simulate.friction_speed, now {4:g}",
          r.name, *r.creeps_since, r.creeping, r.unit, r.friction_speed));
  return out;
}

}  // namespace trammel
