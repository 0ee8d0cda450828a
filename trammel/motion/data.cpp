#include "trammel/motion/data.h"

#include <algorithm>

namespace trammel {
namespace {

std::vector<Rows> blocks_of(const Problem& problem) {
  std::vector<Rows> out;
  for (const int i : problem.asked().constraints) {
    const Constraint& law = *problem.system().constraints[i].law;
    out.emplace_back(law.rows(), static_cast<int>(law.bodies().size()), static_cast<int>(law.velocities().size()));
  }
  return out;
}

Eigen::Index most_runs(const RowSet& set) {
  std::size_t out = 0;
  for (const Branch& branch : set.branches) out = std::max(out, branch.runs.size());
  return static_cast<Eigen::Index>(out);
}

}  // namespace

RowSolution::RowSolution(const RowSet& rows, int all_rows, int nv)
    : set(&rows), r(VecX<>::Zero(all_rows)), h(nv), y(nv), lambda(all_rows), C(VecX<>::Zero(nv)) {}

Data::Data(Problem what)
    : problem(std::move(what)),
      tree(problem.system().model),
      blocks(blocks_of(problem)),
      phi(problem.asked().rows),
      rate(phi.size()),
      b(phi.size()),
      stabilising(phi.size()),
      tau(problem.system().model.nv()),
      qr(problem.asked().qr),
      asked(problem.asked(), problem.asked().rows, problem.system().model.nv()),
      turns(VecX<>::Zero(problem.system().model.nq())),
      z(tau.size()),
      column(tau.size()),
      turned_q(turns.size()),
      carried(problem.system().model.body_count()),
      C_asked(tau.size()),
      C_asked_before(VecX<>::Zero(tau.size())),
      surplus(tau.size()),
      surplus_before(tau.size()) {
  passed.resize(6 * most_runs(problem.asked()), Eigen::NoChange);
  if (!problem.driven()) return;
  own_held.emplace(problem.held(), problem.asked().rows, static_cast<int>(tau.size()));
  motors.emplace(problem);
}

}  // namespace trammel
