#include "trammel/motion/problem.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace trammel {
namespace {

// Physical ones first.
std::vector<int> ordered_constraints(const System& system, bool with_control) {
  std::vector<int> out;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
      if (system.constraints[i].layer == layer && (with_control || layer == Layer::physical))
        out.push_back(static_cast<int>(i));
  return out;
}

int body_of_velocity(const Model& model, int velocity) {
  int body = 0;
  while (model.bodies()[body].v + model.bodies()[body].nv <= velocity) ++body;
  return body;
}

std::vector<Branch> branches_of(const System& system, const std::vector<int>& constraints) {
  std::vector<Branch> out;
  for (const int i : constraints) {
    const Constraint& law = *system.constraints[i].law;
    std::vector<int> driven;
    for (const int velocity : law.velocities()) driven.push_back(body_of_velocity(system.model, velocity));
    out.emplace_back(system.model, law.bodies(), driven);
  }
  return out;
}

// Where the columns of Y are not zero.
std::vector<Footprint> footprints_of(const System& system, const std::vector<int>& constraints,
                                     const std::vector<Branch>& branches) {
  std::vector<Footprint> out;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    Footprint& footprint = out.emplace_back(Footprint{system.constraints[constraints[i]].law->rows(), {}});
    for (const Branch::Step& step : branches[i].steps)
      for (int k = 0; k < step.nv; ++k) footprint.rows.push_back(step.v + k);
  }
  return out;
}

// Rows of Y as the groups of its columns have them.
void renumber_rows(const System& system, RowSet& set) {
  std::vector<int> row_of(system.model.nv(), -1);
  for (const GroupQr& group : set.qr.groups())
    for (std::size_t i = 0; i < group.group().rows.size(); ++i) row_of[group.group().rows[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    for (Branch::Step& step : set.branches[i].steps) step.row = step.nv > 0 ? row_of[step.v] : 0;
    std::vector<int>& direct = set.direct_rows.emplace_back();
    for (const int velocity : system.constraints[set.constraints[i]].law->velocities())
      direct.push_back(row_of[velocity]);
  }
}

std::vector<RowInfo> rows_of(const System& system, const RowSet& set) {
  std::vector<RowInfo> out;
  for (const int i : set.constraints) {
    const NamedConstraint& constraint = system.constraints[i];
    const int m = constraint.law->rows();
    const Role role = constraint.leads                      ? Role::motion
                      : constraint.layer == Layer::physical ? Role::constraint
                                                            : Role::control;
    for (int k = 0; k < m; ++k)
      out.push_back({m == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, k), i, k, constraint.layer,
                     constraint.law->level(k), role});
  }
  return out;
}

void check(const MotionOptions& options) {
  if (!(options.rank.relative >= 0))
    throw Error(fmt::format("rank tolerance {:g}", options.rank.relative), "0 or above");
  if (!std::isfinite(options.baumgarte.alpha) || !std::isfinite(options.baumgarte.beta))
    throw Error("gains of Baumgarte's that are not finite", "finite ones");
}

bool is_driven(const System& system) {
  return !system.actuators.empty() &&
         std::ranges::any_of(system.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
}

}  // namespace

RowSet::RowSet(const System& system, bool with_control)
    : constraints(ordered_constraints(system, with_control)),
      branches(branches_of(system, constraints)),
      qr(footprints_of(system, constraints, branches)) {
  for (const int i : constraints) {
    const NamedConstraint& constraint = system.constraints[i];
    first_row.push_back(rows);
    rows += constraint.law->rows();
    if (constraint.layer == Layer::physical) physical_rows = rows;
    if (constraint.working) has_working_forces = true;
  }
  weight.resize(rows);
  importance.resize(rows);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[constraints[i]];
    const int m = constraint.law->rows();
    for (int k = 0; k < m; ++k) weight[first_row[i] + k] = constraint.law->row_scale(k);
    importance.segment(first_row[i], m).setConstant(constraint.scale);
  }
  renumber_rows(system, *this);
}

struct Problem::Compiled {
  Compiled(System what, const MotionOptions& how)
      : system(std::move(what)),
        options(how),
        driven(is_driven(system)),
        asked(system, true),
        held(system, !driven),
        rows(rows_of(system, asked)) {}

  System system;
  MotionOptions options;
  bool driven;
  RowSet asked, held;
  std::vector<RowInfo> rows;
};

const System& Problem::system() const { return compiled_->system; }
const MotionOptions& Problem::options() const { return compiled_->options; }
const RowSet& Problem::asked() const { return compiled_->asked; }
const RowSet& Problem::held() const { return compiled_->held; }
bool Problem::driven() const { return compiled_->driven; }
std::span<const RowInfo> Problem::rows() const { return compiled_->rows; }

Problem compile(System system, const MotionOptions& options) {
  check(options);
  return Problem(std::make_shared<const Problem::Compiled>(std::move(system), options));
}

}  // namespace trammel
