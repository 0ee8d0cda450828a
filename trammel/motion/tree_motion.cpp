#include "trammel/motion/tree_motion.h"

#include <algorithm>
#include <limits>

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

void evaluate_rows(const System& system, const Movement<double>& now, MotionWorkspace& work) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Constraint& law = *system.constraints[work.order[i]].law;
    const int first = work.first_row[i], m = law.rows();
    law.evaluate(now, work.blocks[i]);
    work.phi.segment(first, m) = work.blocks[i].phi;
    work.rate.segment(first, m) = work.blocks[i].rate;
    work.b.segment(first, m) = work.blocks[i].b;
  }
}

// −αφ̇ − βφ; φ is zero on rows at velocity level.
void stabilise(const System& system, const Baumgarte& of_run, MotionWorkspace& work) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    const Baumgarte& own = constraint.baumgarte ? *constraint.baumgarte : of_run;
    const int first = work.first_row[i], m = constraint.law->rows();
    work.stabilising.segment(first, m) =
        -own.alpha * work.rate.segment(first, m) - own.beta * work.phi.segment(first, m);
  }
}

// What the working forces are asked to be by the multipliers of the last solve. Returns whether they are that already;
// else makes them what the secant through the last two answers says (Anderson's step of depth one).
bool working_forces_settle(const System& system, const Movement<double>& now, bool first, MotionWorkspace& work) {
  row_multipliers(work);
  work.asked.setZero();
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    if (constraint.working)
      constraint.working->add_to(system.model, now, work.blocks[i],
                                 work.lambda.segment(work.first_row[i], constraint.law->rows()), work.asked);
  }
  work.surplus = work.asked - work.working;
  if (work.surplus.squaredNorm() <= 1e-30 * work.asked.squaredNorm()) return true;
  double part = 0;
  if (!first) {
    const double turn = (work.surplus - work.surplus_before).squaredNorm();
    if (turn > 0) part = work.surplus.dot(work.surplus - work.surplus_before) / turn;
  }
  work.working = work.asked - part * (work.asked - work.asked_before);
  work.asked_before = work.asked;
  work.surplus_before = work.surplus;
  return false;
}

// h = L⁻¹(Q + C), with every impressed force in Q.
void impress(const System& system, const Movement<double>& now, MotionWorkspace& work) {
  const Model& model = system.model;
  passive_forces<double>(model, now.q, now.v, work.tau);
  for (const NamedForce& force : system.forces) force.law->add_to(model, now, work.tau);
  if (work.has_working_forces) work.tau += work.working;
  bias_wrenches<double>(model, work.tree.kin, work.tree.inertias, work.tree.vectors);
  apply_L_inverse<double>(model, work.tree.kin, work.tree.factor, work.tau, work.tree.vectors, work.h);
}

// A v̇ − b; tree.vectors hold each body's acceleration from v̇.
void note_residuals(const System& system, const MotionWorkspace& work, Motion& out) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Constraint& law = *system.constraints[work.order[i]].law;
    const Rows& block = work.blocks[i];
    for (int k = 0; k < law.rows(); ++k) {
      const int row = work.first_row[i] + k;
      double Avdot = 0;
      for (std::size_t s = 0; s < law.bodies().size(); ++s)
        if (law.bodies()[s] != world)
          Avdot += block.wrenches.col(law.rows() * static_cast<int>(s) + k).dot(work.tree.vectors[law.bodies()[s]]);
      for (std::size_t j = 0; j < law.velocities().size(); ++j)
        Avdot += block.coefficients(k, static_cast<int>(j)) * out.vdot[law.velocities()[j]];
      out.residual[row] = Avdot - work.b[row] - work.stabilising[row];
    }
  }
}

}  // namespace

MotionWorkspace::MotionWorkspace(const System& system)
    : tree(system.model),
      rows(row_count(system)),
      weight(rows),
      importance(rows),
      phi(rows),
      rate(rows),
      b(rows),
      stabilising(rows),
      tau(system.model.nv()),
      h(system.model.nv()),
      r(rows),
      y(system.model.nv()),
      column(system.model.nv()),
      lambda(rows),
      working(VecX<>::Zero(system.model.nv())),
      asked(system.model.nv()),
      asked_before(VecX<>::Zero(system.model.nv())),
      surplus(system.model.nv()),
      surplus_before(system.model.nv()),
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
    for (int k = 0; k < m; ++k) weight[next + k] = c.law->row_scale(k);
    importance.segment(next, m).setConstant(c.scale);
    next += m;
    if (c.layer == Layer::physical) physical_rows = next;
    if (c.working) has_working_forces = true;
  }
  wrenches.resize(6, widest);
}

double rounding_of_rows(const ArticulatedFactor<>& factor) {
  // each entry is a wrench of about one unit, projected on a joint and divided by √D; some dozens of roundings
  double largest = 0;
  for (const double inverse : factor.inverse_root_D) largest = std::max(largest, inverse);
  return 50 * std::numeric_limits<double>::epsilon() * largest;
}

bool factorize_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const RankTolerance& tolerance,
                      MotionWorkspace& work) {
  TreeWorkspace<>& tree = work.tree;
  kinematics<double>(system.model, q, v, tree.kin);
  world_inertias<double>(system.model, tree.kin, tree.inertias);
  if (factorize<double>(system.model, tree.kin, tree.inertias, tree.factor) >= 0) return false;
  evaluate_rows(system, {tree.kin, q, v, t}, work);
  for (std::size_t i = 0; i < work.order.size(); ++i)
    fill_columns(system, *system.constraints[work.order[i]].law, static_cast<int>(i), work);
  work.qr.factorize(work.Y, work.physical_rows, tolerance, &work.importance, rounding_of_rows(tree.factor));
  return true;
}

void change_velocity(const System& system, const VecX<>& q, const VecX<>& v, double t, MotionWorkspace& work) {
  velocities<double>(system.model, v, work.tree.kin);
  evaluate_rows(system, {work.tree.kin, q, v, t}, work);
}

void solve_factorized(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                      MotionWorkspace& work, Motion& out) {
  const Model& model = system.model;
  TreeWorkspace<>& tree = work.tree;
  const Movement<double> now{tree.kin, q, v, t};
  stabilise(system, options.baumgarte, work);
  work.r = (work.b + work.stabilising).cwiseProduct(work.weight);
  work.working.setZero();
  impress(system, now, work);
  LayeredSolution solution = work.qr.solve(work.r, work.h, work.y);

  // friction comes from forces that come from friction
  constexpr int most = 200;
  int rounds = 0;
  for (; work.has_working_forces && rounds < most && !working_forces_settle(system, now, rounds == 0, work); ++rounds) {
    impress(system, now, work);
    solution = work.qr.solve(work.r, work.h, work.y);
  }

  apply_L<double>(model, tree.kin, tree.factor, work.y, tree.vectors, out.Qc);
  if (work.has_working_forces) out.Qc += work.working;
  work.y += work.h;
  apply_L_inverse_transpose<double>(model, tree.kin, tree.factor, work.y, tree.vectors, out.vdot);
  out.rank = work.qr.rank();
  note_residuals(system, work, out);
  if (!out.vdot.allFinite() || !out.residual.allFinite())
    out.status = Status::not_a_number;
  else
    out.status = rounds == most ? Status::unsettled : verdict(work.qr, solution, options.rank);
}

void solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                  MotionWorkspace& work, Motion& out) {
  if (factorize_motion(system, q, v, t, options.rank, work))
    solve_factorized(system, q, v, t, options, work, out);
  else
    out.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
}

Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  MotionWorkspace work(system);
  Motion out(system.model.nv(), work.rows);
  solve_motion(system, q, v, t, options, work, out);
  return out;
}

void row_multipliers(MotionWorkspace& work) {
  work.qr.multipliers(work.lambda);
  work.lambda.array() *= work.weight.array();  // the factor's columns were weighted rows
}

void least_step(const System& system, const VecX<>& change, MotionWorkspace& work, VecX<>& step) {
  work.r = change.cwiseProduct(work.weight);
  work.qr.solve(work.r, work.y);
  apply_L_inverse_transpose<double>(system.model, work.tree.kin, work.tree.factor, work.y, work.tree.vectors, step);
}

}  // namespace trammel
