#include "trammel/report/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace trammel {
namespace {

using Names = std::vector<std::string>;

// The axis along which these columns are drawn: q in "rad, m", or |φ| in "m, rad" where their sizes are.
Axis axis_of(const Recording& recording, const Names& columns, bool sizes = false) {
  Names symbols, units;
  const auto note = [](Names& seen, const std::string& word) {
    if (std::ranges::find(seen, word) == seen.end()) seen.push_back(word);
  };
  for (const std::string& column : columns) {
    const Column& about = recording.about(recording.column(column));
    note(symbols, fmt::format("{0}{1}{0}", sizes ? "|" : "", about.symbol));
    note(units, about.unit);
  }
  return {fmt::format("{}", fmt::join(symbols, ", ")), fmt::format("{}", fmt::join(units, ", "))};
}

Figure figure_over_time(const Recording& recording, const std::string& title, const Names& columns,
                        bool log_y = false) {
  Figure out{.title = title, .y = axis_of(recording, columns, log_y), .log_y = log_y};
  const VecX<> t = recording["t"];
  for (const std::string& column : columns) out.curves.push_back({column, t, recording[column]});
  return out;
}

// Beside q and v of each joint that is led, what they should be: its row is φ = q − d(t), so d = q − φ, ḋ = v − φ̇.
void add_wanted(const System& system, const Recording& recording, Figure& coordinates, Figure& velocities) {
  const VecX<> t = recording["t"];
  Kinematics<> kin(system.model);
  for (const NamedConstraint& constraint : system.constraints) {
    if (!constraint.leads) continue;
    const std::string angle = recording.names_of(ColumnKind::coordinate)[*constraint.leads];
    const std::string speed = recording.names_of(ColumnKind::velocity)[constraint.law->velocities().front()];
    VecX<> d = recording[angle], rate = recording[speed];
    Rows rows(1, 0, 1);
    for (int row = 0; row < recording.rows(); ++row) {
      const State at = recording.state(row);
      constraint.law->evaluate({kin, at.q, at.v, at.t}, rows);  // which looks at q and v alone
      d[row] -= rows.phi[0];
      rate[row] -= rows.rate[0];
    }
    coordinates.curves.push_back({"wanted " + angle, t, d, true});
    velocities.curves.push_back({"wanted " + speed, t, rate, true});
  }
}

// By how much energy and work do not account for each other: the error of the integration.
Figure energy_balance(const Recording& recording) {
  const VecX<> balance = recording["energy"] - recording["work"];
  return {.title = "Energy balance",
          .y = {"|energy − work − start|", "J"},
          .curves = {{"energy − work − start", recording["t"], balance.array() - balance[0]}},
          .log_y = true};
}

// Forces and moments in the joints, apart.
void add_reactions(const Recording& recording, std::vector<Figure>& out) {
  Names forces, moments;
  for (const std::string& column : recording.names_of(ColumnKind::reaction))
    (recording.about(recording.column(column)).unit == "N" ? forces : moments).push_back(column);
  if (forces.empty()) return;
  out.push_back(figure_over_time(recording, "Reaction forces", forces));
  out.push_back(figure_over_time(recording, "Reaction moments", moments));
}

// What the scenario asks for, with the columns that it names.
Figure drawn(Figure plot, const Recording& recording) {
  const auto about = [&](const std::string& column) { return recording.about(recording.column(column)); };
  const std::string x = plot.x.symbol;
  Names columns;
  for (Figure::Curve& curve : plot.curves) {
    columns.push_back(curve.label);
    curve = {curve.label, recording[x], recording[curve.label], false, recording["t"]};
  }
  const auto is_position = [&](const std::string& column) { return about(column).kind == ColumnKind::position; };
  plot.over_time = about(x).kind == ColumnKind::time;
  plot.equal = is_position(x) && std::ranges::all_of(columns, is_position);
  plot.x.unit = about(x).unit;
  plot.y = axis_of(recording, columns);
  return plot;
}

// Both bounds of each motor that has one.
std::vector<double> limits_of(const System& system) {
  std::vector<double> out;
  for (const Actuator& actuator : system.actuators)
    if (const double limit = system.limit_of(actuator); std::isfinite(limit)) out.insert(out.end(), {limit, -limit});
  std::ranges::sort(out);
  const auto again = std::ranges::unique(out);
  out.erase(again.begin(), again.end());
  return out;
}

Figure torque_figure(const System& system, const Recording& recording) {
  Figure out = figure_over_time(recording, "Motor torques", recording.names_of(ColumnKind::torque));
  out.limits = limits_of(system);
  return out;
}

}  // namespace

std::vector<Figure> figures_of(const Problem& problem, const std::vector<Figure>& plots, const Recording& recording) {
  std::vector<Figure> out;
  if (recording.rows() == 0) return out;
  const auto add = [&](const char* title, ColumnKind kind, bool log_y = false) {
    const Names columns = recording.names_of(kind);
    if (!columns.empty()) out.push_back(figure_over_time(recording, title, columns, log_y));
  };
  add("Coordinates", ColumnKind::coordinate);
  add("Velocities", ColumnKind::velocity);
  if (out.size() == 2) add_wanted(problem.system(), recording, out[0], out[1]);
  add("Constraint errors", ColumnKind::error, true);
  add("Constraint forces", ColumnKind::constraint_force);
  add_reactions(recording, out);
  if (!recording.names_of(ColumnKind::torque).empty()) out.push_back(torque_figure(problem.system(), recording));
  add("Path errors", ColumnKind::path_error, true);
  out.push_back(figure_over_time(recording, "Energy", {"energy", "work"}));
  add("Work", ColumnKind::channel_work);
  out.push_back(energy_balance(recording));
  if (problem.asked().rows > 0) {
    add("Rank", ColumnKind::rank);
    add("Nearness to singular", ColumnKind::pivot, true);
  }
  for (const Figure& plot : plots) out.push_back(drawn(plot, recording));
  return out;
}

Figure figure_of(const TorqueStudy& study) { return torque_figure(study.system, study.torques); }

Figure figure_of(const std::vector<DriftResult>& drifts) {
  Figure out{.title = "Constraint errors", .y = {"largest |φ|", "m, rad"}, .log_y = true};
  for (const DriftResult& drift : drifts) out.curves.push_back({drift.name, drift.t, drift.open});
  return out;
}

}  // namespace trammel
