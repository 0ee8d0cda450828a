#include "trammel/motion/lane_motion.h"

#include <algorithm>

#include "trammel/constraints/templated_rows.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/motion/constraint_columns.h"
#include "trammel/system/templated_force.h"

namespace trammel {
namespace {

// Number by number: both have to lie in memory alike.
template <class From, class To>
concept LaidAlike = bool(From::IsRowMajor) == bool(To::IsRowMajor);

template <class From, class To>
  requires LaidAlike<From, To>
void take_lane(const From& from, int lane, To& to) {
  for (Eigen::Index i = 0; i < from.size(); ++i) to.data()[i] = from.data()[i][lane];
}

template <class From, class To>
  requires LaidAlike<From, To>
void put_lane(const From& from, int lane, To& to) {
  for (Eigen::Index i = 0; i < from.size(); ++i) to.data()[i].set(lane, from.data()[i]);
}

// Whether some constraint or force knows doubles alone.
bool asks_lane_by_lane(const Problem& problem) {
  const System& system = problem.system();
  return std::ranges::any_of(system.forces, [](const NamedForce& force) { return !force.law->in_lanes(); }) ||
         std::ranges::any_of(problem.asked().constraints,
                             [&](int i) { return !system.constraints[i].law->in_lanes(); });
}

// What a lane holds, as constraints and forces look at it.
void take_lane(const Kinematics<Lanes>& from, int lane, Kinematics<>& to) {
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    take_lane(from.bodies[i].X_WB.R, lane, to.bodies[i].X_WB.R);
    take_lane(from.bodies[i].X_WB.p, lane, to.bodies[i].X_WB.p);
    take_lane(from.bodies[i].r, lane, to.bodies[i].r);
    take_lane(from.motion[i].V, lane, to.motion[i].V);
    take_lane(from.motion[i].abias, lane, to.motion[i].abias);
  }
  for (std::size_t i = 0; i < from.S.size(); ++i) take_lane(from.S[i], lane, to.S[i]);
  take_lane(from.turns.sin, lane, to.turns.sin);
  take_lane(from.turns.cos, lane, to.turns.cos);
}

}  // namespace

LaneMotion::LaneMotion(const Problem& problem)
    : q(problem.system().model.nq()),
      v(problem.system().model.nv()),
      vdot(problem.system().model.nv()),
      Qc(problem.system().model.nv()),
      tree_(problem.system().model),
      tau_(problem.system().model.nv()),
      h_(problem.system().model.nv()),
      y_(problem.system().model.nv()),
      z_(problem.system().model.nv()),
      lane_by_lane_(asks_lane_by_lane(problem)),
      q_one_(problem.system().model.nq()),
      v_one_(problem.system().model.nv()) {
  for (const int i : problem.asked().constraints)
    blocks_.push_back(rows_for<Lanes>(*problem.system().constraints[i].law));
}

void LaneMotion::follow(const Data& leader) {
  qr_.follow(*leader.qr);
  r_.resize(leader.problem.asked().rows);
  passed_.resize(leader.passed.rows(), Eigen::NoChange);
}

// Forces and constraints that know doubles alone, asked for one lane.
void LaneMotion::ask_lane(int lane, double t, Data& scratch) {
  const System& system = scratch.problem.system();
  take_lane(tree_.kin, lane, scratch.tree.kin);
  take_lane(q, lane, q_one_);
  take_lane(v, lane, v_one_);
  take_lane(tau_, lane, scratch.tau);
  const Movement<double> now{scratch.tree.kin, q_one_, v_one_, t, scratch.input_values()};
  for (const NamedForce& force : system.forces)
    if (!force.law->in_lanes()) force.law->add_to(system.model, now, scratch.tau);
  put_lane(scratch.tau, lane, tau_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Constraint& law = *system.constraints[scratch.problem.asked().constraints[i]].law;
    if (law.in_lanes()) continue;
    Rows& one = scratch.blocks[i];
    RowsOf<Lanes>& all = blocks_[i];
    law.evaluate(now, one);
    put_lane(one.phi, lane, all.phi);
    put_lane(one.rate, lane, all.rate);
    put_lane(one.b, lane, all.b);
    put_lane(one.packed_wrenches(), lane, all.packed_wrenches());
    put_lane(one.coefficients, lane, all.coefficients);
  }
}

void LaneMotion::impress_and_evaluate(double t, Data& scratch) {
  const System& system = scratch.problem.system();
  const RowSet& set = scratch.problem.asked();
  const Movement<Lanes> now{tree_.kin, q, v, t, scratch.input_values()};
  passive_forces<Lanes>(system.model, q, v, tau_);
  for (const NamedForce& force : system.forces)
    if (const ForceInLanes* act = force.law->in_lanes()) act->add_to(*force.law, system.model, now, tau_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Constraint& law = *system.constraints[set.constraints[i]].law;
    if (const RowsInLanes* rows = law.in_lanes()) rows->evaluate(law, now, blocks_[i]);
  }
  for (int lane = 0; lane_by_lane_ && lane < lane_count; ++lane) ask_lane(lane, t, scratch);
}

// r = b − αφ̇ − βφ, weighted.
void LaneMotion::stabilise(const Problem& problem) {
  const RowSet& set = problem.asked();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowsOf<Lanes>& block = blocks_[i];
    const Baumgarte& gains = problem.baumgarte(set.constraints[i]);
    for (int k = 0, row = set.first_row[i]; k < block.phi.size(); ++k, ++row)
      r_[row] = (block.b[k] - block.rate[k] * gains.alpha - block.phi[k] * gains.beta) * set.weight[row];
  }
}

std::bitset<lane_count> LaneMotion::solve(double t, Data& scratch) {
  const Model& model = scratch.problem.system().model;
  const RowSet& set = scratch.problem.asked();
  kinematics<Lanes>(model, q, v, tree_.kin);
  world_inertias<Lanes>(model, tree_.kin, tree_.inertias);
  impress_and_evaluate(t, scratch);
  stabilise(scratch.problem);
  bias_wrenches<Lanes>(model, tree_.kin, tree_.inertias, tree_.vectors);
  if (factorize_and_apply<Lanes>(model, tree_.kin, tree_.inertias, tau_, tree_.factor, tree_.vectors, h_) >= 0)
    return {};

  for (std::size_t g = 0; g < set.qr->groups().size(); ++g) qr_.columns(static_cast<int>(g)).setZero();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].phi.size() == 0) continue;
    fill_columns<Lanes>(set, static_cast<int>(i), tree_.kin, tree_.factor, blocks_[i].packed_wrenches(),
                        blocks_[i].coefficients, passed_, qr_.columns(set.qr->place(set.first_row[i]).group));
  }
  qr_.carry(h_);
  const Lanes doubt = qr_.solve(r_, scratch.problem.options().rank, rounding_of_rows(tree_.factor), y_);

  z_ = h_ + y_;
  apply_L_inverse_transpose<Lanes>(model, tree_.kin, tree_.factor, z_, tree_.vectors, vdot);
  apply_L<Lanes>(model, tree_.kin, tree_.factor, y_, tree_.vectors, Qc);

  Lanes finite = 0.0;  // what is not finite does not become zero when it is multiplied by zero
  for (const Lanes& number : vdot) finite += number * 0.0;
  std::bitset<lane_count> out;
  for (int lane = 0; lane < lane_count; ++lane) out[lane] = doubt[lane] <= 0 && finite[lane] == 0;
  return out;
}

}  // namespace trammel
