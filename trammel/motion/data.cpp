#include "trammel/motion/data.h"

#include <algorithm>

#include "trammel/dynamics/branch.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/matrix_stage.h"
#include "trammel/motion/position_stage.h"
#include "trammel/motion/working_balance.h"

namespace trammel {
namespace {

std::vector<Rows> blocks_of(const Problem& problem) {
  std::vector<Rows> out;
  if (!problem.is_tree()) return out;
  for (const int i : problem.asked().constraints) out.push_back(rows_for(*problem.system().constraints[i].law));
  return out;
}

Eigen::Index most_runs(const RowSet& set) {
  std::size_t out = 0;
  for (const Branch& branch : *set.branches) out = std::max(out, branch.runs.size());
  return static_cast<Eigen::Index>(out);
}

VecX<> inputs_of(const Problem& problem) {
  VecX<> out(static_cast<int>(problem.inputs().size()));
  for (int i = 0; i < out.size(); ++i) out[i] = problem.system().inputs[i].value;
  return out;
}

const Model& tree_of(const Problem& problem) {
  static const Model no_tree;
  return problem.is_tree() ? problem.system().model : no_tree;
}

}  // namespace

RowSolution::RowSolution(const RowSet& rows, int all_rows, int nv)
    : set(&rows), r(VecX<>::Zero(all_rows)), h(nv), y(nv), lambda(all_rows), C(VecX<>::Zero(nv)) {}

PositionStage::PositionStage(const Problem& problem)
    : Y(problem.nv(), static_cast<int>(problem.position_rows().size())),
      change(Y.cols()),
      qr(static_cast<int>(Y.rows()), static_cast<int>(Y.cols())) {}

Data::Data(Problem what)
    : problem(std::move(what)),
      at(0, VecX<>::Zero(problem.nq()), VecX<>::Zero(problem.nv())),
      turned_q(at.q),
      tree(tree_of(problem)),
      blocks(blocks_of(problem)),
      phi(problem.asked().rows),
      rate(phi.size()),
      b(phi.size()),
      stabilising(phi.size()),
      tau(problem.nv()),
      force_powers(problem.is_tree() ? static_cast<int>(problem.system().forces.size()) : 0),
      qr(problem.asked().qr),
      asked(problem.asked(), problem.asked().rows, problem.nv()),
      motion(problem.nv(), problem.held().rows),
      turns(VecX<>::Zero(problem.nq())),
      inputs(inputs_of(problem)),
      z(tau.size()),
      column(tau.size()),
      carried(tree_of(problem).body_count()),
      C_next(tau.size()),
      C_next_before(VecX<>::Zero(tau.size())),
      residual_C(tau.size()),
      residual_C_before(tau.size()) {
  passed.resize(6 * most_runs(problem.asked()), Eigen::NoChange);
  if (problem.is_tree())
    forces.emplace(problem);
  else
    matrices.emplace(problem.matrices());
  if (problem.asked().has_working_forces) working.emplace(problem);
  if (static_cast<int>(problem.position_rows().size()) < problem.held().rows) positions.emplace(problem);
  if (!problem.driven()) return;
  own_held.emplace(problem.held(), problem.asked().rows, problem.nv());
  motors.emplace(problem);
  qr->make_room_for_changes(problem.nv(), static_cast<int>(motors->reach.cols()));
}

const LayeredQr& Data::factors() const {
  assert(stamps.factor >= 0);
  return matrices ? matrices->factor->qr() : *qr;
}

void Data::set(const Changes& changes) {
  Data other(problem.with(changes));
  other.turns = turns;
  if (motors) other.motors->preload = motors->preload;
  *this = std::move(other);
}

}  // namespace trammel
