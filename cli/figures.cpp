#include "figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace trammel::cli {
namespace {

std::vector<std::string> columns_with(const Recording& recording, const std::string& prefix) {
  std::vector<std::string> out;
  for (const std::string& name : recording.names())
    if (name.starts_with(prefix)) out.push_back(name);
  return out;
}

// What the columns of a recording are, by how their names begin. Others are places of frames.
struct Kind {
  std::string_view prefix, symbol, unit;
};
constexpr Kind kinds[] = {{"q.", "q", "rad, m"},
                          {"v.", "v", "rad/s, m/s"},
                          {"vdot.", "v̇", "rad/s², m/s²"},
                          {"Qc.", "Qc", "N·m, N"},
                          {"phi.", "φ", "m, rad"},
                          {"phidot.", "φ̇", "m/s, rad/s"},
                          {"lambda.", "λ", "N, N·m"},
                          {"u.", "u", "N·m, N"},
                          {"path.", "φ", "m, rad"},
                          {"angle.", "q", "rad"},
                          {"energy", "energy", "J"},
                          {"work", "work", "J"},
                          {"rank", "rank", "rows"},
                          {"pivot", "pivot", "of the strongest"},
                          {"t", "t", "s"}};
constexpr Kind place{"", "place", "m"};

const Kind& kind_of(const std::string& column) {
  for (const Kind& kind : kinds)
    if (kind.prefix.ends_with('.') ? column.starts_with(kind.prefix) : column == kind.prefix) return kind;
  return place;
}

bool is_place(const std::string& column) { return &kind_of(column) == &place; }

// For the axis along which these columns are drawn: "q (rad, m)", or "|φ| (m, rad)" where their sizes are.
std::string label_of(const std::vector<std::string>& columns, bool sizes) {
  std::vector<std::string> symbols, units;
  const auto note = [](std::vector<std::string>& seen, const std::string& word) {
    if (std::ranges::find(seen, word) == seen.end()) seen.push_back(word);
  };
  for (const std::string& column : columns) {
    const Kind& kind = kind_of(column);
    note(symbols, fmt::format("{0}{1}{0}", sizes ? "|" : "", kind.symbol));
    note(units, std::string(kind.unit));
  }
  return fmt::format("{} ({})", fmt::join(symbols, ", "), fmt::join(units, ", "));
}

// Beside q and v of each joint that is led, what they should be: a row "motion JOINT" is φ = q − d(t), so d = q − φ, ḋ = v − φ̇.
void add_wanted(const System& system, const Recording& recording, Figure& coordinates, Figure& velocities) {
  const Model& model = system.model;
  const VecX<> t = recording["t"];
  VecX<> q(model.nq()), v(model.nv());
  Kinematics<> kin(model);
  for (const NamedConstraint& constraint : system.constraints) {
    if (constraint.layer != Layer::control || !constraint.name.starts_with("motion ")) continue;
    const std::string angle = "q." + constraint.name.substr(7);
    const std::string speed = "v." + model.velocity_name(constraint.law->velocities().front());
    VecX<> d = recording[angle], rate = recording[speed];
    Rows rows(1, 0, 1);
    for (int row = 0; row < recording.rows(); ++row) {
      for (int i = 0; i < q.size(); ++i) q[i] = recording(row, 1 + i);
      for (int i = 0; i < v.size(); ++i) v[i] = recording(row, 1 + static_cast<int>(q.size()) + i);
      constraint.law->evaluate({kin, q, v, t[row]}, rows);  // which looks at q and v alone
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
  return {"Energy balance",
          "t (s)",
          "|energy − work − start| (J)",
          {{"energy − work − start", recording["t"], balance.array() - balance[0]}},
          true};
}

Figure figure_of(const Plot& plot, const Recording& recording) {
  const bool path = is_place(plot.x) && std::ranges::all_of(plot.columns, is_place);
  Figure out{plot.title, fmt::format("{} ({})", plot.x, kind_of(plot.x).unit), label_of(plot.columns, false), {}, false,
             path};
  for (const std::string& column : plot.columns)
    out.curves.push_back({column, recording[plot.x], recording[column], false, recording["t"]});
  return out;
}

}  // namespace

std::vector<double> limits_of(const System& system) {
  std::vector<double> out;
  for (const Actuator& actuator : system.actuators)
    if (std::isfinite(actuator.limit)) out.insert(out.end(), {actuator.limit, -actuator.limit});
  std::ranges::sort(out);
  const auto again = std::ranges::unique(out);
  out.erase(again.begin(), again.end());
  return out;
}

Figure figure_over_time(const Recording& recording, const std::string& title, const std::vector<std::string>& columns,
                        bool log_y) {
  Figure out{title, "t (s)", label_of(columns, log_y), {}, log_y};
  const VecX<> t = recording["t"];
  for (const std::string& column : columns) out.curves.push_back({column, t, recording[column]});
  return out;
}

std::vector<Figure> figures_of(const Scenario& scenario, const Recording& recording) {
  std::vector<Figure> out;
  if (recording.rows() == 0) return out;
  const auto add = [&](const char* title, const std::vector<std::string>& columns, bool log_y = false) {
    if (!columns.empty()) out.push_back(figure_over_time(recording, title, columns, log_y));
    return !columns.empty();
  };
  add("Coordinates", columns_with(recording, "q."));
  add("Velocities", columns_with(recording, "v."));
  if (scenario.has_motion) add_wanted(scenario.system, recording, out[0], out[1]);
  add("Constraint errors", columns_with(recording, "phi."), true);
  add("Constraint forces", columns_with(recording, "Qc."));
  if (add("Motor torques", columns_with(recording, "u."))) out.back().limits = limits_of(scenario.system);
  add("Path errors", columns_with(recording, "path."), true);
  add("Energy", {"energy", "work"});
  out.push_back(energy_balance(recording));
  if (!scenario.system.constraints.empty()) {
    add("Rank", {"rank"});
    add("Nearness to singular", {"pivot"}, true);
  }
  for (const Plot& plot : scenario.plots) out.push_back(figure_of(plot, recording));
  return out;
}

}  // namespace trammel::cli
