#include "trammel/motion/tree_motion.h"

#include <algorithm>

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/motion/constraint_columns.h"

namespace trammel {
namespace {

int row_count(const System& system) {
  int rows = 0;
  for (const NamedConstraint& c : system.constraints) rows += c.law->rows();
  return rows;
}

// The constraints, physical ones first.
std::vector<int> order_of(const System& system) {
  std::vector<int> order;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
      if (system.constraints[i].layer == layer) order.push_back(static_cast<int>(i));
  return order;
}

int body_of_velocity(const Model& model, int velocity) {
  int body = 0;
  while (model.bodies()[body].v + model.bodies()[body].nv <= velocity) ++body;
  return body;
}

Branch branch_of(const Model& model, const Constraint& law) {
  std::vector<int> driven;
  for (const int velocity : law.velocities()) driven.push_back(body_of_velocity(model, velocity));
  return {model, law.bodies(), driven};
}

std::vector<Branch> branches_of(const System& system, const std::vector<int>& order) {
  std::vector<Branch> out;
  for (const int i : order) out.push_back(branch_of(system.model, *system.constraints[i].law));
  return out;
}

// Where the columns of Y are not zero.
std::vector<Footprint> footprints_of(const System& system, const std::vector<int>& order,
                                     const std::vector<Branch>& branches) {
  std::vector<Footprint> out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Footprint& footprint = out.emplace_back(Footprint{system.constraints[order[i]].law->rows(), {}});
    for (const Branch::Step& step : branches[i].steps)
      for (int k = 0; k < step.nv; ++k) footprint.rows.push_back(step.v + k);
  }
  return out;
}

// Rows of Y as the groups of its columns have them.
void renumber_rows(const System& system, MotionWorkspace& work) {
  std::vector<int> row_of(system.model.nv(), -1);
  for (const GroupQr& group : work.qr.groups())
    for (std::size_t i = 0; i < group.group().rows.size(); ++i) row_of[group.group().rows[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    for (Branch::Step& step : work.branches[i].steps) step.row = step.nv > 0 ? row_of[step.v] : 0;
    std::vector<int>& direct = work.direct_rows.emplace_back();
    for (const int velocity : system.constraints[work.order[i]].law->velocities()) direct.push_back(row_of[velocity]);
  }
}

}  // namespace

void evaluate_rows(const System& system, const Movement<double>& now, MotionWorkspace& work) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    Rows& block = work.blocks[i];
    system.constraints[work.order[i]].law->evaluate(now, block);
    for (int k = 0, row = work.first_row[i]; k < block.phi.size(); ++k, ++row) {
      work.phi[row] = block.phi[k];
      work.rate[row] = block.rate[k];
      work.b[row] = block.b[k];
    }
  }
}

void stabilise(const System& system, const Baumgarte& of_run, MotionWorkspace& work) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    const Baumgarte& own = constraint.baumgarte ? *constraint.baumgarte : of_run;
    const int first = work.first_row[i], end = first + static_cast<int>(work.blocks[i].phi.size());
    for (int row = first; row < end; ++row) {
      work.stabilising[row] = -own.alpha * work.rate[row] - own.beta * work.phi[row];
      work.r[row] = (work.b[row] + work.stabilising[row]) * work.weight[row];
    }
  }
}

namespace {

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

// Q + C, with every impressed force in Q, into work.tau; what gravity and the velocities ask of the bodies into tree.vectors.
void impress(const System& system, const Movement<double>& now, MotionWorkspace& work) {
  const Model& model = system.model;
  passive_forces<double>(model, now.q, now.v, work.tau);
  for (const NamedForce& force : system.forces) force.law->add_to(model, now, work.tau);
  if (work.has_working_forces) work.tau += work.working;
  bias_wrenches<double>(model, work.tree.kin, work.tree.inertias, work.tree.vectors);
}

// h = L⁻¹(Q + C).
void impress_factorized(const System& system, const Movement<double>& now, MotionWorkspace& work) {
  impress(system, now, work);
  apply_L_inverse<double>(system.model, work.tree.kin, work.tree.factor, work.tau, work.tree.vectors, work.h);
}

// The rows, and the QR of Y, with h if it is known.
void factorize_rows(const System& system, const Movement<double>& now, const RankTolerance& tolerance,
                    MotionWorkspace& work, const VecX<>* h) {
  evaluate_rows(system, now, work);
  for (GroupQr& group : work.qr.groups()) group.columns().setZero();
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Rows& block = work.blocks[i];
    if (block.phi.size() == 0) continue;
    fill_columns<double>(work, static_cast<int>(i), work.tree.kin, work.tree.factor, block.wrenches, block.coefficients,
                         work.passed, work.qr.groups()[work.qr.place(work.first_row[i]).group].columns());
  }
  if (h) work.qr.carry(*h);
  work.qr.factorize(work.physical_rows, tolerance, &work.importance, rounding_of_rows(work.tree.factor));
}

// What is not finite does not become zero when it is multiplied by zero.
bool all_finite(const VecX<>& x) { return (x.array() * 0).sum() == 0; }

// A v̇ − b; tree.vectors hold each body's acceleration from v̇.
void note_residuals(const System& system, const MotionWorkspace& work, Motion& out) {
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const Constraint& law = *system.constraints[work.order[i]].law;
    const std::span<const int> bodies = law.bodies(), velocities = law.velocities();
    const Rows& block = work.blocks[i];
    const int m = static_cast<int>(block.phi.size()), first = work.first_row[i];
    double* residual = out.residual.data() + first;
    for (int k = 0; k < m; ++k) residual[k] = -work.b[first + k] - work.stabilising[first + k];
    const Eigen::Index stride = block.wrenches.cols();
    for (int k = 0; k < m; k += 4) {
      Four turning = 0.0, sliding = 0.0;  // apart, so that neither waits for the other
      for (std::size_t s = 0; s < bodies.size(); ++s) {
        if (bodies[s] == world) continue;
        const Vec6<>& a = work.tree.vectors[bodies[s]];
        const double* wrench = block.wrenches.data() + 6 * s * stride + k;
        for (int j = 0; j < 3; ++j) {
          turning += Four::at(wrench + j * stride) * a[j];
          sliding += Four::at(wrench + (j + 3) * stride) * a[j + 3];
        }
      }
      const Four sum = turning + sliding;
      for (int lane = 0; k + lane < std::min(m, k + 4); ++lane) residual[k + lane] += sum[lane];
    }
    for (std::size_t j = 0; j < velocities.size(); ++j)
      for (int k = 0; k < m; ++k) residual[k] += block.coefficients(k, static_cast<int>(j)) * out.vdot[velocities[j]];
  }
}

}  // namespace

MotionWorkspace::MotionWorkspace(const System& system)
    : tree(system.model),
      order(order_of(system)),
      rows(row_count(system)),
      branches(branches_of(system, order)),
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
      z(system.model.nv()),
      column(system.model.nv()),
      lambda(rows),
      carried(system.model.body_count()),
      working(VecX<>::Zero(system.model.nv())),
      asked(system.model.nv()),
      asked_before(VecX<>::Zero(system.model.nv())),
      surplus(system.model.nv()),
      surplus_before(system.model.nv()),
      qr(footprints_of(system, order, branches)) {
  int next = 0;
  std::size_t most_runs = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NamedConstraint& c = system.constraints[order[i]];
    const int m = c.law->rows();
    first_row.push_back(next);
    blocks.emplace_back(m, static_cast<int>(c.law->bodies().size()), static_cast<int>(c.law->velocities().size()));
    most_runs = std::max(most_runs, branches[i].runs.size());
    for (int k = 0; k < m; ++k) weight[next + k] = c.law->row_scale(k);
    importance.segment(next, m).setConstant(c.scale);
    next += m;
    if (c.layer == Layer::physical) physical_rows = next;
    if (c.working) has_working_forces = true;
  }
  passed.resize(static_cast<Eigen::Index>(6 * most_runs), Eigen::NoChange);
  renumber_rows(system, *this);
}

bool factorize_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const RankTolerance& tolerance,
                      MotionWorkspace& work) {
  TreeWorkspace<>& tree = work.tree;
  kinematics<double>(system.model, q, v, tree.kin);
  world_inertias<double>(system.model, tree.kin, tree.inertias);
  if (factorize<double>(system.model, tree.kin, tree.inertias, tree.factor) >= 0) return false;
  factorize_rows(system, {tree.kin, q, v, t}, tolerance, work, nullptr);
  return true;
}

void evaluate_rows(const System& system, const VecX<>& q, const VecX<>& v, double t, MotionWorkspace& work) {
  kinematics<double>(system.model, q, v, work.tree.kin);
  evaluate_rows(system, {work.tree.kin, q, v, t}, work);
}

namespace {

// The motion, from the factors, h and the y that was solved for.
void conclude(const System& system, const Movement<double>& now, const MotionOptions& options, LayeredSolution solution,
              MotionWorkspace& work, Motion& out) {
  TreeWorkspace<>& tree = work.tree;
  // friction comes from forces that come from friction
  constexpr int most = 200;
  int rounds = 0;
  for (; work.has_working_forces && rounds < most && !working_forces_settle(system, now, rounds == 0, work); ++rounds) {
    impress_factorized(system, now, work);
    solution = work.qr.solve(work.r, work.h, work.y);
  }

  work.z = work.h + work.y;
  apply_L_and_inverse_transpose(system.model, tree.kin, tree.factor, work.y, work.carried, out.Qc, work.z, tree.vectors,
                                out.vdot);
  if (work.has_working_forces) out.Qc += work.working;
  out.rank = work.qr.rank();
  note_residuals(system, work, out);
  if (!all_finite(out.vdot) || !all_finite(out.residual))
    out.status = Status::not_a_number;
  else
    out.status = rounds == most ? Status::unsettled : verdict(work.qr, solution, options.rank);
}

}  // namespace

void solve_factorized(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                      MotionWorkspace& work, Motion& out) {
  const Movement<double> now{work.tree.kin, q, v, t};
  work.working.setZero();
  impress_factorized(system, now, work);
  stabilise(system, options.baumgarte, work);
  conclude(system, now, options, work.qr.solve(work.r, work.h, work.y), work, out);
}

void solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                  MotionWorkspace& work, Motion& out) {
  TreeWorkspace<>& tree = work.tree;
  kinematics<double>(system.model, q, v, tree.kin);
  world_inertias<double>(system.model, tree.kin, tree.inertias);
  const Movement<double> now{tree.kin, q, v, t};
  work.working.setZero();
  impress(system, now, work);
  // both inward passes in one
  if (factorize_and_apply<double>(system.model, tree.kin, tree.inertias, work.tau, tree.factor, tree.vectors, work.h) >=
      0) {
    out.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
    return;
  }
  factorize_rows(system, now, options.rank, work, &work.h);
  stabilise(system, options.baumgarte, work);
  conclude(system, now, options, work.qr.solve_carried(work.r, work.y), work, out);
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
