#include "trammel/study/cascade.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/assembly/assemble.h"
#include "trammel/base/error.h"
#include "trammel/formulations/formulations.h"
#include "trammel/model/positions.h"
#include "trammel/motion/dense_equation.h"

namespace trammel {
namespace {

VecX<> acceleration(const System& system, const State& at) {
  const Equation both = dense_equation(system, at.q, at.v, at.t);
  const int first = both.physical_rows(), second = static_cast<int>(both.A.rows()) - first;
  const Equation one{both.M, both.Q, both.A.topRows(first), both.b.head(first)};
  const Motion held = literal(one);
  const Equation other{both.M, both.Q + held.Qc, both.A.bottomRows(second), both.b.tail(second)};
  return literal(other).vdot;
}

State moved(const State& from, const State& slope, double h) {
  return State(from.t + h, from.q + h * slope.q, from.v + h * slope.v);
}

// The slope: q̇ in q, v̇ in v.
State slope_at(const System& system, const State& at) { return State(1, at.v, acceleration(system, at)); }

State stepped(const System& system, const State& from, double h) {
  const State k1 = slope_at(system, from), k2 = slope_at(system, moved(from, k1, h / 2)),
              k3 = slope_at(system, moved(from, k2, h / 2)), k4 = slope_at(system, moved(from, k3, h));
  return State(from.t + h, from.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q),
               from.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v));
}

std::vector<Column> columns_of(const System& system, const SimulateOptions& options) {
  std::vector<Column> out{Column::of(ColumnKind::time)};
  for (const ColumnKind kind : {ColumnKind::coordinate, ColumnKind::velocity})
    for (int i = 0; i < system.model.nv(); ++i) out.push_back(Column::of(kind, system.model.velocity_name(i)));
  for (const NamedConstraint& constraint : system.constraints)
    for (int k = 0; k < constraint.law->rows(); ++k)
      out.push_back(Column::of(ColumnKind::error, fmt::format("{}[{}]", constraint.name, k)));
  for (const std::string& frame : options.frames)
    for (const char axis : {'x', 'y', 'z'})
      out.push_back(Column::of(ColumnKind::position, fmt::format("{}.{}", frame, axis)));
  return out;
}

void record(const System& system, const SimulateOptions& options, const State& at, Recording& out) {
  const int n = system.model.nv();
  const VecX<> phi = position_errors(system, at.q, at.t);
  Positions<> where(system.model);
  positions<double>(system.model, at.q, where);
  Eigen::Ref<VecX<>> row = out.add_row();
  row[0] = at.t;
  row.segment(1, n) = at.q;
  row.segment(1 + n, n) = at.v;
  row.segment(1 + 2 * n, phi.size()) = phi;
  int next = 1 + 2 * n + static_cast<int>(phi.size());
  for (const std::string& name : options.frames) {
    row.segment<3>(next) = where.pose(system.model.frame(name)).p;
    next += 3;
  }
}

}  // namespace

Recording cascade_run(const System& system, const State& start, const SimulateOptions& options, double step) {
  if (system.model.nq() != system.model.nv())
    throw Error("a robot that turns by quaternions", "joints whose rates are their velocities");
  const double every = options.record_every > 0 ? options.record_every : step;
  const long rows = std::lround(options.duration / every), steps = std::max(1L, std::lround(every / step));
  Recording out(columns_of(system, options), static_cast<int>(rows) + 1);
  State now = start;
  record(system, options, now, out);
  for (long row = 1; row <= rows; ++row) {
    for (long k = 0; k < steps; ++k) now = stepped(system, now, every / static_cast<double>(steps));
    now.t = start.t + static_cast<double>(row) * every;
    record(system, options, now, out);
  }
  return out;
}

}  // namespace trammel
