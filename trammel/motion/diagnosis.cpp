#include "trammel/motion/diagnosis.h"

#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/motion/row_dependence.h"

namespace trammel {
namespace {

void note_redundant(const System& system, const Motion& motion, MotionWorkspace& work, Diagnosis& out) {
  for (const Dependence& dependence : dependences(work)) {
    Diagnosis::RedundantRow row{row_name(system, work, dependence.row), {}, true};
    for (const int other : dependence.others) row.follows_from.push_back(row_name(system, work, other));
    // where the rows agree, those that were dropped are met as well as those that were kept
    const double size = 1 + work.b.cwiseAbs().maxCoeff() + motion.vdot.cwiseAbs().maxCoeff();
    row.agrees = std::abs(motion.residual[dependence.row]) <= 1e-9 * size;
    out.redundant.push_back(row);
  }
}

void note_pivots(const System& system, const MotionWorkspace& work, const RankTolerance& tolerance, Diagnosis& out) {
  for (int row = 0; row < work.rows; ++row) {
    if (!work.qr.kept(row)) continue;
    const double pivot = work.qr.pivot(row);
    if (pivot < out.weakest_pivot || out.weakest_row.empty()) {
      out.weakest_pivot = pivot;
      out.weakest_row = row_name(system, work, row);
    }
    if (pivot < tolerance.nearly) out.nearly_redundant.push_back({row_name(system, work, row), pivot});
  }
}

// Who is to blame where the motion is not a number.
void note_not_numbers(const System& system, const VecX<>& q, const VecX<>& v, double t, MotionWorkspace& work,
                      Diagnosis& out) {
  if (!q.allFinite() || !v.allFinite() || !std::isfinite(t)) {
    out.not_numbers.emplace_back("the state");
    return;
  }
  const Movement<double> now{work.tree.kin, q, v, t};
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[work.order[i]];
    const Rows& rows = work.blocks[i];
    VecX<> working = VecX<>::Zero(system.model.nv());
    if (constraint.working)
      constraint.working->add_to(system.model, now, rows, VecX<>::Ones(constraint.law->rows()), working);
    if (!rows.phi.allFinite() || !rows.rate.allFinite() || !rows.b.allFinite() || !rows.wrenches.allFinite() ||
        !rows.coefficients.allFinite() || !working.allFinite())
      out.not_numbers.push_back("constraint '" + constraint.name + "'");
  }
  for (const NamedForce& force : system.forces) {
    VecX<> tau = VecX<>::Zero(system.model.nv());
    force.law->add_to(system.model, now, tau);
    if (!tau.allFinite()) out.not_numbers.push_back("force '" + force.name + "'");
  }
}

// Whether the rows are known, and finite.
bool rows_are_numbers(const MotionWorkspace& work) {
  for (int row = 0; row < work.rows; ++row)
    if (!std::isfinite(work.qr.column_norm(row))) return false;
  return true;
}

}  // namespace

Diagnosis diagnose(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  MotionWorkspace work(system);
  Motion motion(system.model.nv(), work.rows);
  solve_motion(system, q, v, t, options, work, motion);

  Diagnosis out;
  out.freedoms_before = system.model.nv();
  out.status = motion.status;
  if (motion.status == Status::not_a_number) note_not_numbers(system, q, v, t, work, out);
  if (motion.status == Status::singular || !rows_are_numbers(work)) return out;
  // a force that is not a number leaves the rows as they are
  out.rank = motion.rank;
  out.freedoms_after = out.freedoms_before - out.rank;
  if (motion.status == Status::not_a_number) return out;
  note_redundant(system, motion, work, out);
  note_pivots(system, work, options.rank, out);
  for (std::size_t i = 0; i < work.order.size(); ++i) {
    const int first = work.first_row[i], m = system.constraints[work.order[i]].law->rows();
    out.residuals.push_back({system.constraints[work.order[i]].name,
                             m == 0 ? 0 : work.phi.segment(first, m).cwiseAbs().maxCoeff(),
                             m == 0 ? 0 : work.rate.segment(first, m).cwiseAbs().maxCoeff()});
  }
  return out;
}

std::string Diagnosis::text() const {
  if (!not_numbers.empty()) return fmt::format("not a finite number: {}\n", fmt::join(not_numbers, ", "));
  if (status == Status::singular)
    return fmt::format("{} freedoms, and a mass matrix that is singular: some body or joint moves no mass\n",
                       freedoms_before);
  std::string out = fmt::format("{} freedoms, {} independent rows: {} left ({})\n", freedoms_before, rank,
                                freedoms_after, name_of(status));
  for (const RedundantRow& row : redundant)
    out +=
        fmt::format("{} {}, {}\n", row.row, follows(row.follows_from), row.agrees ? "and agrees" : "and contradicts");
  for (const NearlyRedundantRow& row : nearly_redundant)
    out += fmt::format("{} almost follows from the others; a rank tolerance above {:.2g} frees it\n", row.row,
                       row.tolerance);
  if (!weakest_row.empty()) out += fmt::format("nearest to singular: {} ({:.2g})\n", weakest_row, weakest_pivot);
  for (const Residual& residual : residuals)
    out +=
        fmt::format("{}: open by {:.2g}, moving apart at {:.2g}\n", residual.constraint, residual.phi, residual.rate);
  return out;
}

}  // namespace trammel
