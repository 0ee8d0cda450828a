#include "trammel/motion/tree_motion.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/copy.h"
#include "trammel/motion/constraint_columns.h"
#include "trammel/motion/power_of.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/working_balance.h"

namespace trammel {

void place(const VecX<>& q, const VecX<>& v, double t, Data& data) {
  copy(q, data.at.q);
  copy(v, data.at.v);
  data.at.t = t;
  const System& system = data.problem.system();
  if (!system.forces.empty()) data.turned_q = q + data.turns;
  ++data.stamps.position;
  kinematics<double>(system.model, q, v, data.tree.kin);
}

void evaluate_rows(const Movement<double>& now, const RowSet& set, Data& data) {
  const System& system = data.problem.system();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    Rows& block = data.blocks[i];
    system.constraints[set.constraints[i]].law->evaluate(now, block);
    for (int k = 0, row = set.first_row[i]; k < block.phi.size(); ++k, ++row) {
      data.phi[row] = block.phi[k];
      data.rate[row] = block.rate[k];
      data.b[row] = block.b[k];
    }
  }
}

void stabilise(Data& data, RowSolution& rows) {
  const RowSet& set = *rows.set;
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Baumgarte& gains = data.problem.baumgarte(set.constraints[i]);
    const int first = set.first_row[i], end = first + static_cast<int>(data.blocks[i].phi.size());
    for (int row = first; row < end; ++row) {
      data.stabilising[row] = -gains.alpha * data.rate[row] - gains.beta * data.phi[row];
      rows.r[row] = (data.b[row] + data.stabilising[row]) * set.weight[row];
    }
  }
}

namespace {

// Adds the system's forces to data.tau, and notes the power of each.
void add_forces(Data& data) {
  const System& system = data.problem.system();
  const Movement<double> turned = data.turned_movement();
  VecX<>& tau = data.tau;
  const VecX<>& v = data.at.v;
  double* power = data.force_powers.data();
  double total = 0;
  bool is_known = false;  // whether `total` is the power of tau
  for (const NamedForce& force : system.forces) {
    const int only = force.law->only_velocity();
    if (only < 0 && !is_known) total = power_of(tau, v);
    const double before = only < 0 ? total : tau[only];
    force.law->add_to(system.model, turned, tau);
    is_known = only < 0;
    if (is_known) total = power_of(tau, v);
    *power++ = is_known ? total - before : (tau[only] - before) * v[only];
  }
}

// Q + C into data.tau, but for gravity and velocity terms, whose wrenches on the bodies go into tree.vectors.
void impress(Data& data, const RowSolution& rows, const VecX<>* u) {
  const System& system = data.problem.system();
  passive_forces<double>(system.model, data.at.q, data.at.v, data.tau);
  if (data.tangent) data.tau += data.tangent->force;
  if (!system.forces.empty()) add_forces(data);
  for (std::size_t j = 0; u && j < system.actuators.size(); ++j)
    data.tau[system.actuators[j].velocity] += (*u)[static_cast<int>(j)];
  if (rows.set->has_working_forces) data.tau += rows.C;
  bias_wrenches<double>(system.model, data.tree.kin, data.tree.inertias, data.tree.vectors);
}

// Whether a set is the first layer of the QR alone: its rows hold, and motors track the others.
bool is_first_layer(const Data& data, const RowSolution& rows) {
  assert(rows.set == &data.problem.asked() || rows.set == &data.problem.held());
  return rows.set->constraints.size() < data.problem.asked().constraints.size();
}

// 0·x is 0 if and only if x is finite.
bool all_finite(const VecX<>& x) { return (x.array() * 0).sum() == 0; }

// Whether what the rows say is: a row that follows from others may have no value, and v̇ all the same. A column that has none is dropped.
bool rows_are_finite(const Data& data, const RowSolution& rows, int rank) {
  const int m = rows.set->rows;
  double sum = 0;
  for (int row = 0; row < m; ++row) sum += 0 * rows.r[row];
  for (int row = 0; rank < m && row < m; ++row)
    if (!data.qr->kept(row)) sum += 0 * data.qr->column_norm(row);
  return sum == 0;
}

int factorize_mass(Data& data) {
  const Model& model = data.problem.system().model;
  TreeWorkspace<>& tree = data.tree;
  return data.tangent ? factorize_with(data.tangent->inertia, model, tree.kin, tree.inertias, tree.factor)
                      : factorize<double>(model, tree.kin, tree.inertias, tree.factor);
}

// The factor and h = L⁻¹Q, in one inward pass.
int factorize_mass_and_forces(Data& data, VecX<>& h) {
  const Model& model = data.problem.system().model;
  TreeWorkspace<>& tree = data.tree;
  if (!data.tangent)
    return factorize_and_apply<double>(model, tree.kin, tree.inertias, data.tau, tree.factor, tree.vectors, h);
  const int singular = factorize_mass(data);
  if (singular < 0) apply_L_inverse<double>(model, tree.kin, tree.factor, data.tau, tree.vectors, h);
  return singular;
}

// A v̇ − b; tree.vectors hold each body's acceleration from v̇.
void note_residuals(const Data& data, const RowSet& set, Motion& out) {
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Constraint& law = *data.problem.system().constraints[set.constraints[i]].law;
    const std::span<const int> bodies = law.bodies(), velocities = law.velocities();
    const Rows& block = data.blocks[i];
    const int m = static_cast<int>(block.phi.size()), first = set.first_row[i];
    double* residual = out.residual.data() + first;
    for (int k = 0; k < m; ++k) residual[k] = -data.b[first + k] - data.stabilising[first + k];
    const Eigen::Index stride = block.packed_wrenches().cols();
    for (int k = 0; k < m && !bodies.empty(); k += 4) {
      Pack4 turning = 0.0, sliding = 0.0;  // two sums: shorter chains of dependent additions
      for (std::size_t s = 0; s < bodies.size(); ++s) {
        if (bodies[s] == world) continue;
        const Vec6<>& a = data.tree.vectors[bodies[s]];
        const double* wrench = block.packed_wrenches().data() + 6 * s * stride + k;
        for (int j = 0; j < 3; ++j) {
          turning += Pack4::at(wrench + j * stride) * a[j];
          sliding += Pack4::at(wrench + (j + 3) * stride) * a[j + 3];
        }
      }
      const Pack4 sum = turning + sliding;
      for (int lane = 0; k + lane < std::min(m, k + 4); ++lane) residual[k + lane] += sum[lane];
    }
    for (std::size_t j = 0; j < velocities.size(); ++j)
      for (int k = 0; k < m; ++k) residual[k] += block.coefficients(k, static_cast<int>(j)) * out.vdot[velocities[j]];
  }
}

}  // namespace

double rounding_of_rows(const Data& data) {
  if (data.least_extent >= 1e-3) return rounding_of_rows(data.tree.factor);
  const Model& model = data.problem.system().model;
  const double size = std::min(1.0, extent(data));
  double largest = 0;
  for (int i = 0; i < model.nv(); ++i)
    largest = std::max(largest, data.tree.factor.inverse_root_D[i] * (model.turns(i) ? size : 1));
  return largest * (50 * std::numeric_limits<double>::epsilon());
}

void factorize_rows(Data& data, const VecX<>* h) {
  const RowSet& set = data.problem.asked();
  for (GroupQr& group : data.qr->groups()) group.columns().setZero();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Rows& block = data.blocks[i];
    if (block.phi.size() == 0) continue;
    fill_columns<double>(set, static_cast<int>(i), data.tree.kin, data.tree.factor, block.packed_wrenches(),
                         block.coefficients, data.passed,
                         data.qr->groups()[set.qr->place(set.first_row[i]).group].columns());
  }
  if (h) data.qr->carry(*h);
  data.qr->factorize(set.physical_rows, data.problem.options().rank, rounding_of_rows(data));
  data.stamps.factor = data.stamps.position;
}

bool factorize_motion(const VecX<>& q, const VecX<>& v, double t, Data& data) {
  const Model& model = data.problem.system().model;
  TreeWorkspace<>& tree = data.tree;
  place(q, v, t, data);
  world_inertias<double>(model, tree.kin, tree.inertias);
  if (factorize_mass(data) >= 0) return false;
  evaluate_rows(data.problem.asked(), data);
  factorize_rows(data);
  return true;
}

LayeredSolution solve_rows(Data& data, RowSolution& rows) {
  return is_first_layer(data, rows) ? data.qr->solve_physical(rows.r, rows.h, rows.y)
                                    : data.qr->solve(rows.r, rows.h, rows.y);
}

void evaluate_rows(const RowSet& set, Data& data) {
  evaluate_rows(data.movement(), set, data);
  data.stamps.held_rows = data.stamps.position;
  if (set.rows == data.problem.asked().rows) data.stamps.rows = data.stamps.position;
}

void evaluate_rows(const VecX<>& q, const VecX<>& v, double t, const RowSet& set, Data& data) {
  place(q, v, t, data);
  evaluate_rows(set, data);
}

void impress_factorized(Data& data, RowSolution& rows, const VecX<>* u) {
  impress(data, rows, u);
  apply_L_inverse<double>(data.problem.system().model, data.tree.kin, data.tree.factor, data.tau, data.tree.vectors,
                          rows.h);
}

Status settle(LayeredSolution solution, Data& data, RowSolution& rows, const VecX<>* u) {
  const bool balanced = !rows.set->has_working_forces || balance_working_forces(solution, data, rows, u);
  data.z = rows.h + rows.y;
  if (!balanced) return Status::unsettled;
  return is_first_layer(data, rows) ? physical_verdict(*data.qr, rows.set->rows, solution, data.problem.options().rank)
                                    : verdict(*data.qr, solution, data.problem.options().rank);
}

Status balance_rows(const VecX<>& q, const VecX<>& v, double t, Data& data) {
  const Model& model = data.problem.system().model;
  TreeWorkspace<>& tree = data.tree;
  RowSolution& rows = data.asked;
  place(q, v, t, data);
  world_inertias<double>(model, tree.kin, tree.inertias);
  rows.C.setZero();
  impress(data, rows, nullptr);
  if (factorize_mass_and_forces(data, rows.h) >= 0)
    return q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
  evaluate_rows(*rows.set, data);
  factorize_rows(data, &rows.h);
  stabilise(data, rows);
  return settle(data.qr->solve_carried(rows.r, rows.y), data, rows);
}

Status balance_factorized(Data& data, RowSolution& rows, const VecX<>* u) {
  assert(data.stamps.factor >= 0 && data.has_rows(*rows.set));
  rows.C.setZero();
  impress_factorized(data, rows, u);
  stabilise(data, rows);
  return settle(solve_rows(data, rows), data, rows, u);
}

void form_motion(Status status, Data& data, RowSolution& rows, Motion& out) {
  TreeWorkspace<>& tree = data.tree;
  apply_L_and_inverse_transpose(data.problem.system().model, tree.kin, tree.factor, rows.y, data.carried, out.Qc,
                                data.z, tree.vectors, out.vdot);
  if (rows.set->has_working_forces) out.Qc += rows.C;
  out.rank = is_first_layer(data, rows) ? data.qr->physical_rank() : data.qr->rank();
  if (data.with_residuals) note_residuals(data, *rows.set, out);
  out.status = all_finite(out.vdot) && rows_are_finite(data, rows, out.rank) ? status : Status::not_a_number;
  data.stamps.solution = data.stamps.position;
  data.stamps.multipliers = data.stamps.reactions = -1;
  data.stamps.solved_held = &rows == &data.held();
}

void solve_factorized(Data& data, RowSolution& rows, Motion& out, const VecX<>* u) {
  form_motion(balance_factorized(data, rows, u), data, rows, out);
}

void solve_motion(const VecX<>& q, const VecX<>& v, double t, Data& data, Motion& out) {
  out.status = balance_rows(q, v, t, data);
  if (data.stamps.factor == data.stamps.position) form_motion(out.status, data, data.asked, out);
}

Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  Data data(compile(system, options));
  Motion out(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, t, data, out);
  return out;
}

void row_multipliers(Data& data, RowSolution& rows) {
  data.qr->multipliers(rows.lambda);
  rows.lambda.array() *= data.problem.asked().weight.array();  // the factor's columns were weighted rows
}

void least_step(const VecX<>& change, Data& data, RowSolution& rows, VecX<>& step) {
  rows.r.head(change.size()) = change.cwiseProduct(rows.set->weight);
  if (is_first_layer(data, rows))
    data.qr->solve_physical(rows.r, rows.y);
  else
    data.qr->solve(rows.r, rows.y);
  apply_L_inverse_transpose<double>(data.problem.system().model, data.tree.kin, data.tree.factor, rows.y,
                                    data.tree.vectors, step);
}

double force_potential(const Data& data) {
  const System& system = data.problem.system();
  if (system.forces.empty()) return 0;
  const Placement<double> turned = data.turned_movement().placement();
  double out = 0;
  for (const NamedForce& force : system.forces) out += force.law->potential_energy(turned);
  return out;
}

}  // namespace trammel
