#include "trammel/motion/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/base/fold.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/pivot_thresholds.h"
#include "trammel/motion/row_dependence.h"

namespace trammel {
namespace {

void note_redundant(Data& data, Diagnosis& out) {
  const std::span<const RowInfo> rows = data.problem.rows();
  for (const Dependence& dependence : dependences(data, data.problem.asked())) {
    Diagnosis::RedundantRow row{rows[dependence.row].name, {}, data.qr->agrees(dependence.row)};
    for (const int other : dependence.others) row.follows_from.push_back(rows[other].name);
    out.redundant.push_back(row);
  }
}

void note_pivots(const Data& data, Diagnosis& out) {
  const LayeredQr& qr = *data.qr;
  for (int row = 0; row < data.problem.asked().rows; ++row) {
    if (!qr.kept(row)) continue;
    const double pivot = qr.pivot(row);
    const std::string& name = data.problem.rows()[row].name;
    if (pivot < out.weakest_pivot || out.weakest_row.empty()) {
      out.weakest_pivot = pivot;
      out.weakest_row = name;
    }
    if (is_nearly_redundant(pivot, data.problem.options().rank)) out.nearly_redundant.push_back({name, pivot});
  }
}

// What is not finite where the motion is not: the state, constraints or forces.
void note_not_numbers(const Data& data, Diagnosis& out) {
  if (!data.at.q.allFinite() || !data.at.v.allFinite() || !std::isfinite(data.at.t)) {
    out.not_numbers.emplace_back("the state");
    return;
  }
  const System& system = data.problem.system();
  const RowSet& set = data.problem.asked();
  const Movement<double> now = data.movement();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    const Rows& rows = data.blocks[i];
    VecX<> working = VecX<>::Zero(system.model.nv());
    if (constraint.working)
      constraint.working->add_to(system.model, now, rows, VecX<>::Ones(constraint.law->rows()), working);
    if (!rows.phi.allFinite() || !rows.rate.allFinite() || !rows.b.allFinite() || !rows.packed_wrenches().allFinite() ||
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
bool rows_are_numbers(const Data& data) {
  for (int row = 0; row < data.problem.asked().rows; ++row)
    if (!std::isfinite(data.qr->column_norm(row))) return false;
  return true;
}

}  // namespace

Diagnosis diagnose(const Problem& problem, const VecX<>& q, const VecX<>& v, double t) {
  Data data(problem);
  return diagnose(data, q, v, t);
}

Diagnosis diagnose(Data& data, const VecX<>& q, const VecX<>& v, double t) {
  const System& system = data.problem.system();
  const RowSet& set = data.problem.asked();
  Motion motion(system.model.nv(), set.rows);
  solve_motion(q, v, t, data, motion);

  Diagnosis out;
  out.freedoms_before = system.model.nv();
  out.status = motion.status;
  if (motion.status == Status::not_a_number) note_not_numbers(data, out);
  if (motion.status == Status::unsettled) {
    out.balanced_part = data.asked.working_part;
    for (const int i : set.constraints)
      if (system.constraints[i].working) out.jammed.push_back(fmt::format("'{}'", system.constraints[i].name));
  }
  if (motion.status == Status::singular || !rows_are_numbers(data)) return out;
  // a force that is not a number leaves the rows as they are
  out.rank = motion.rank;
  out.physical_rank = data.qr->physical_rank();
  out.has_led_rows = set.physical_rows < set.rows;
  out.freedoms_after = out.freedoms_before - out.rank;
  if (motion.status == Status::not_a_number) return out;
  note_redundant(data, out);
  note_pivots(data, out);
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    Diagnosis::Residual& residual = out.residuals.emplace_back(Diagnosis::Residual{constraint.name, {}, {}});
    for (int k = 0, row = set.first_row[i]; k < constraint.law->rows(); ++k, ++row) {
      residual.phi.see(data.phi[row], set.weight[row], constraint.law->unit(k));
      residual.rate.see(data.rate[row], set.weight[row], constraint.law->unit(k));
    }
  }
  return out;
}

Diagnosis diagnose(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  return diagnose(compile(system, options), q, v, t);
}

std::string count_of_rows(int freedoms, int physical_rank, int rank, bool has_led_rows) {
  const int led = rank - physical_rank;
  const std::string rows = has_led_rows ? fmt::format("{} independent rows of constraints, {} that {} led",
                                                      physical_rank, led, led == 1 ? "is" : "are")
                                        : fmt::format("{} independent rows", rank);
  return fmt::format("{} freedoms, {}: {} left", freedoms, rows, freedoms - rank);
}

std::string Diagnosis::text() const {
  if (!not_numbers.empty()) return fmt::format("not a finite number: {}\n", fmt::join(not_numbers, ", "));
  if (status == Status::not_a_number)
    return "not a finite number: the accelerations, at places or velocities that have grown beyond all bounds; "
           "a step may be too long for what is stiff\n";
  if (status == Status::singular)
    return fmt::format("{} freedoms, and a mass matrix that is singular: some body or joint moves no mass\n",
                       freedoms_before);
  if (!jammed.empty())
    return fmt::format("no forces balance the friction of {}: it jams; up to {:.3g} of the friction some would\n",
                       fmt::join(jammed, ", "), balanced_part);
  std::string out =
      fmt::format("{} ({})\n", count_of_rows(freedoms_before, physical_rank, rank, has_led_rows), name_of(status));
  std::vector<std::string> lines;
  constexpr int most = 20;
  const auto add = [&](const std::string& such) {
    for (const std::string& line : folded(std::move(lines), most, such)) out += line + "\n";
    lines.clear();
  };
  for (const RedundantRow& row : redundant)
    lines.push_back(
        fmt::format("{} {}, {}", row.row, follows(row.follows_from), row.agrees ? "and agrees" : "and contradicts"));
  std::ranges::stable_partition(lines, [](const std::string& line) { return line.ends_with("contradicts"); });
  add("rows that follow from others");
  for (const NearlyRedundantRow& row : nearly_redundant)
    lines.push_back(fmt::format("{} almost follows from the others; a rank tolerance above {:.2g} frees it", row.row,
                                row.tolerance));
  add("rows that almost follow from others");
  if (!weakest_row.empty()) out += fmt::format("nearest to singular: {} ({:.2g})\n", weakest_row, weakest_pivot);
  std::vector<Residual> worst_first = residuals;
  if (worst_first.size() > most)
    std::ranges::stable_sort(worst_first, std::greater(), [](const Residual& r) { return r.phi.length(); });
  for (const Residual& residual : worst_first)
    lines.push_back(fmt::format("{}: open by {}, moving apart at {}", residual.constraint, residual.phi.text("", 2),
                                residual.rate.text("/s", 2)));
  add("constraints");
  return out;
}

}  // namespace trammel
