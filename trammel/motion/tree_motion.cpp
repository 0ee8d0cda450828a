#include "trammel/motion/tree_motion.h"

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/passive_forces.h"

namespace trammel {
namespace {

int row_count(const System& system) {
  int rows = 0;
  for (const NamedConstraint& c : system.constraints) rows += c.law->rows();
  return rows;
}

// Columns of Y for the rows of one constraint: L⁻¹ of its generalised forces at unit multipliers.
void fill_columns(const System& system, const Constraint& law, int index, MotionWorkspace& work) {
  const int m = law.rows(), first = work.first_row[index];
  const Branch& branch = work.branches[index];
  const Rows& block = work.blocks[index];
  auto Y = work.Y.middleCols(first, m);
  Y.setZero();
  work.wrenches.leftCols(m * static_cast<int>(branch.bodies.size())).setZero();
  for (std::size_t s = 0; s < law.bodies().size(); ++s)
    if (law.bodies()[s] != world)
      work.wrenches.middleCols(m * branch.slot(law.bodies()[s]), m) +=
          block.wrenches.middleCols(m * static_cast<int>(s), m);
  apply_L_inverse_to_wrenches<double>(system.model, work.tree.kin, work.tree.factor, branch, m, work.wrenches, Y);

  // what acts on velocities directly goes through the whole tree
  for (int k = 0; k < m && !law.velocities().empty(); ++k) {
    work.tau.setZero();
    for (std::size_t j = 0; j < law.velocities().size(); ++j)
      work.tau[law.velocities()[j]] += block.coefficients(k, static_cast<int>(j));
    std::ranges::fill(work.tree.vectors, Vec6<>(Vec6<>::Zero()));
    apply_L_inverse<double>(system.model, work.tree.kin, work.tree.factor, work.tau, work.tree.vectors, work.column);
    Y.col(k) += work.column;
  }
  for (int k = 0; k < m; ++k) Y.col(k) *= work.weight[first + k];
}

}  // namespace

MotionWorkspace::MotionWorkspace(const System& system)
    : tree(system.model),
      rows(row_count(system)),
      weight(rows),
      phi(rows),
      rate(rows),
      b(rows),
      tau(system.model.nv()),
      h(system.model.nv()),
      r(rows),
      y(system.model.nv()),
      column(system.model.nv()),
      Y(system.model.nv(), rows),
      qr(system.model.nv(), rows) {
  for (const Layer layer : {Layer::physical, Layer::control})
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
      if (system.constraints[i].layer == layer) order.push_back(static_cast<int>(i));
  int next = 0, widest = 0;
  for (const int i : order) {
    const NamedConstraint& c = system.constraints[i];
    const int m = c.law->rows();
    first_row.push_back(next);
    blocks.emplace_back(m, static_cast<int>(c.law->bodies().size()), static_cast<int>(c.law->velocities().size()));
    branches.emplace_back(system.model, c.law->bodies());
    widest = std::max(widest, m * static_cast<int>(branches.back().bodies.size()));
    for (int k = 0; k < m; ++k) weight[next + k] = c.law->row_scale(k) * c.scale;
    next += m;
    if (c.layer == Layer::physical) physical_rows = next;
  }
  wrenches.resize(6, widest);
}

void solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const RankTolerance& tolerance,
                  MotionWorkspace& work, Motion& out) {
  const Model& model = system.model;
  TreeWorkspace<>& tree = work.tree;
  kinematics<double>(model, q, v, tree.kin);
  world_inertias<double>(model, tree.kin, tree.inertias);
  if (factorize<double>(model, tree.kin, tree.inertias, tree.factor) >= 0) {
    out.status = Status::singular;
    return;
  }

  // rows, and Y = L⁻¹Aᵀ
  const Movement<double> now{tree.kin, q, v, t};
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Constraint& law = *system.constraints[work.order[i]].law;
    const int first = work.first_row[i], m = law.rows();
    law.evaluate(now, work.blocks[i]);
    work.phi.segment(first, m) = work.blocks[i].phi;
    work.rate.segment(first, m) = work.blocks[i].rate;
    work.b.segment(first, m) = work.blocks[i].b;
    fill_columns(system, law, static_cast<int>(i), work);
  }

  // h = L⁻¹Q, with every impressed force in Q
  passive_forces<double>(model, q, v, work.tau);
  for (const AppliedForce& force : system.forces) force(now, work.tau);
  bias_wrenches<double>(model, tree.kin, tree.inertias, tree.vectors);
  apply_L_inverse<double>(model, tree.kin, tree.factor, work.tau, tree.vectors, work.h);

  work.r = work.b.cwiseProduct(work.weight);
  work.r.noalias() -= work.Y.transpose() * work.h;
  work.qr.factorize(work.Y, work.physical_rows, tolerance);
  const LayeredSolution solution = work.qr.solve(work.r, work.y);
  apply_L<double>(model, tree.kin, tree.factor, work.y, tree.vectors, out.Qc);
  work.y += work.h;
  apply_L_inverse_transpose<double>(model, tree.kin, tree.factor, work.y, tree.vectors, out.vdot);
  out.rank = work.qr.rank();
  out.status = verdict(work.qr, solution, tolerance);

  // A v̇ − b: the passes above left in tree.vectors each body's acceleration from v̇
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Constraint& law = *system.constraints[work.order[i]].law;
    const Rows& block = work.blocks[i];
    for (int k = 0; k < law.rows(); ++k) {
      double Avdot = 0;
      for (std::size_t s = 0; s < law.bodies().size(); ++s)
        if (law.bodies()[s] != world)
          Avdot += block.wrenches.col(law.rows() * static_cast<int>(s) + k).dot(tree.vectors[law.bodies()[s]]);
      for (std::size_t j = 0; j < law.velocities().size(); ++j)
        Avdot += block.coefficients(k, static_cast<int>(j)) * out.vdot[law.velocities()[j]];
      out.residual[work.first_row[i] + k] = Avdot - block.b[k];
    }
  }
}

Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const RankTolerance& tolerance) {
  MotionWorkspace work(system);
  Motion out(system.model.nv(), work.rows);
  solve_motion(system, q, v, t, tolerance, work, out);
  return out;
}

}  // namespace trammel
